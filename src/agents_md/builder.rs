//! The builder: a document that reads back as it was meant, and that agents may trust.

use super::document::{AgentsMd, Known, Section};
use super::error::{BuildError, BuildErrorKind, Place};
use super::lines::{Kind, scan};
use super::mcp::Mcp;
use super::origin::Origin;
use super::parse::{Reader, bare, is_key_value};
use super::robots;
use super::verify::FindingKind;

/// Builds an [`AgentsMd`] for a site. [`build`](Self::build) checks all of it.
///
/// ```
/// use markdown_for_agents::agents_md::{AgentsMd, BuildErrorKind, FindingKind, Mcp, Origin};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let origin = Origin::of("https://shop.example")?;
/// let builder = AgentsMd::builder(origin).name("Shop").mcp(Mcp::new("https://mcp.example/shop"));
///
/// let error = builder.clone().build().unwrap_err();
/// assert_eq!(error.kind(), BuildErrorKind::Endpoint(FindingKind::OtherOrigin));
/// assert_eq!(
///     error.to_string(),
///     "MCP endpoint https://mcp.example/shop is on another origin than the file: serve it from the same scheme, \
///      host and port, or call allow_other_origin if agents that refuse it are no loss",
/// );
///
/// assert!(builder.allow_other_origin().build().is_ok());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct AgentsMdBuilder {
    origin: Origin,
    document: AgentsMd,
    llms_txt: Option<String>,
    /// What would forbid a connection and is wanted all the same.
    allowed: Vec<FindingKind>,
}

impl AgentsMd {
    /// A builder for the site at `origin`, where the file is going to be served.
    pub fn builder(origin: Origin) -> AgentsMdBuilder {
        AgentsMdBuilder {
            origin,
            document: Self::default(),
            llms_txt: None,
            allowed: Vec::new(),
        }
    }
}

impl AgentsMdBuilder {
    /// The name of the site, one line.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.document.name = Some(name.into());
        self
    }

    /// What the site is: Markdown without headings of level 1 and 2.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.document.description = Some(description.into());
        self
    }

    /// Adds things that agents may do, one line each.
    pub fn can<I: IntoIterator<Item = impl Into<String>>>(mut self, items: I) -> Self {
        self.document.can.extend(items.into_iter().map(Into::into));
        self
    }

    /// Adds things that agents must not do, one line each.
    pub fn cannot<I: IntoIterator<Item = impl Into<String>>>(mut self, items: I) -> Self {
        self.document
            .cannot
            .extend(items.into_iter().map(Into::into));
        self
    }

    /// Adds what the site's robots.txt forbids an agent to the things that it must not do: one line for each distinct
    /// `Disallow` path.
    ///
    /// `product_token` names the agent as in a `User-agent` line; without a group for it, and for `"*"`, the group
    /// `*` holds (RFC 9309 §2.2.1). The robots.txt itself stays in force: agents read both.
    ///
    /// ```
    /// use markdown_for_agents::agents_md::{AgentsMd, Origin};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let document = AgentsMd::builder(Origin::of("https://shop.example")?)
    ///     .robots_txt("User-agent: *\nDisallow: /admin\n", "*")
    ///     .build()?;
    ///
    /// assert_eq!(document.cannot(), ["Access /admin (see robots.txt)"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn robots_txt(self, robots_txt: &str, product_token: &str) -> Self {
        self.cannot(robots::cannot(robots_txt, product_token))
    }

    /// The address of the site's llms.txt, a path or a URL of the same origin: adds to the things that agents may do
    /// that they can read it.
    ///
    /// ### Default
    ///
    /// No llms.txt.
    pub fn llms_txt(mut self, address: impl Into<String>) -> Self {
        self.llms_txt = Some(address.into());
        self
    }

    /// Where the MCP server is.
    pub fn mcp(mut self, mcp: Mcp) -> Self {
        self.document.mcp = Some(mcp);
        self
    }

    /// Adds rules of behavior, one line each.
    pub fn behavior<I: IntoIterator<Item = impl Into<String>>>(mut self, items: I) -> Self {
        self.document
            .behavior
            .extend(items.into_iter().map(Into::into));
        self
    }

    /// Adds mail addresses or URLs to write to, one line each.
    pub fn contact<I: IntoIterator<Item = impl Into<String>>>(mut self, lines: I) -> Self {
        self.document
            .contact
            .extend(lines.into_iter().map(Into::into));
        self
    }

    /// Adds a section that the format does not know. Its body is Markdown without headings of level 1 and 2.
    pub fn section(mut self, title: impl Into<String>, body: impl Into<String>) -> Self {
        self.document.sections.push(Section {
            title: title.into(),
            body: body.into(),
        });
        self
    }

    /// Lets the MCP endpoint be on another origin. Agents that verify the file will not connect to it.
    ///
    /// ### Default
    ///
    /// It must be on the origin of the site.
    pub fn allow_other_origin(self) -> Self {
        self.allow(FindingKind::OtherOrigin)
    }

    /// Lets the MCP endpoint be plain http. Agents that verify the file will not connect to it.
    ///
    /// ### Default
    ///
    /// It must be https. On a loopback address http is always right.
    pub fn allow_plain_http(self) -> Self {
        self.allow(FindingKind::PlainHttp)
    }

    /// Lets the MCP section name a local command. Agents that verify the file will not run it.
    ///
    /// ### Default
    ///
    /// [`Transport::Stdio`](super::Transport::Stdio) is only for a site on a loopback address.
    pub fn allow_stdio(self) -> Self {
        self.allow(FindingKind::LocalCommand)
    }

    fn allow(mut self, kind: FindingKind) -> Self {
        self.allowed.push(kind);
        self
    }

    /// Checks everything and gives the document.
    ///
    /// # Errors
    ///
    /// A text would not read back as it is, or the MCP endpoint is one that agents must not trust. See
    /// [`BuildErrorKind`]; the message names the text and says what to do.
    pub fn build(self) -> Result<AgentsMd, BuildError> {
        let Self {
            origin,
            mut document,
            llms_txt,
            allowed,
        } = self;
        if let Some(address) = llms_txt {
            let place = Place::new("llms.txt address");
            check_line(&address, place)?;
            if !origin.owns(&address) {
                return Err(BuildError::new(BuildErrorKind::LlmsTxt, place));
            }
            document
                .can
                .push(format!("Read {address} for a summary of the content"));
        }
        if let Some(name) = &document.name {
            check_title(name, Place::new("name"))?;
        }
        if let Some(description) = &document.description {
            let place = Place::new("description");
            if description.is_empty() {
                return Err(BuildError::new(BuildErrorKind::Empty, place));
            }
            check_body(description, place)?;
        }
        check_lines(&document.can, Known::Can.title())?;
        check_lines(&document.cannot, Known::Cannot.title())?;
        if let Some(mcp) = &document.mcp {
            check_mcp(mcp, &origin, &allowed)?;
        }
        check_lines(&document.behavior, Known::Behavior.title())?;
        check_lines(&document.contact, Known::Contact.title())?;
        for (index, section) in document.sections.iter().enumerate() {
            check_title(&section.title, Place::new("title of section").item(index))?;
            check_body(&section.body, Place::new("body of section").item(index))?;
        }
        if document.to_string().len() > Reader::DEFAULT_MAX_SIZE {
            return Err(BuildError::new(
                BuildErrorKind::TooLarge,
                Place::new("document"),
            ));
        }
        Ok(document)
    }
}

fn check_lines(lines: &[String], part: &'static str) -> Result<(), BuildError> {
    lines
        .iter()
        .enumerate()
        .try_for_each(|(index, line)| check_line(line, Place::new(part).item(index)))
}

/// One line that no reader trims.
fn check_line(text: &str, place: Place) -> Result<(), BuildError> {
    let kind = if text.trim().is_empty() {
        BuildErrorKind::Empty
    } else if text.contains(|c: char| c.is_control() && c != '\t') {
        BuildErrorKind::ControlCharacter
    } else if text.trim() != text {
        BuildErrorKind::SurroundingBlanks
    } else {
        return Ok(());
    };
    Err(BuildError::new(kind, place))
}

fn check_title(text: &str, place: Place) -> Result<(), BuildError> {
    check_line(text, place)?;
    match Known::of(text) {
        Some(_) => Err(BuildError::new(BuildErrorKind::ReservedTitle, place)),
        None => Ok(()),
    }
}

/// Lines that end neither their part of the document nor reach into the next.
fn check_body(text: &str, place: Place) -> Result<(), BuildError> {
    let scan = scan(text);
    for line in &scan.lines {
        let kind = if line.raw.contains(|c: char| c.is_control() && c != '\t') {
            BuildErrorKind::ControlCharacter
        } else if matches!(line.kind, Kind::Heading { level: 1 | 2, .. }) {
            BuildErrorKind::Heading
        } else {
            continue;
        };
        return Err(BuildError::new(kind, place.line(line.number)));
    }
    if text.contains('\r') {
        return Err(BuildError::new(BuildErrorKind::ControlCharacter, place));
    }
    if scan.missing_end.is_some() {
        return Err(BuildError::new(BuildErrorKind::OpenBlock, place));
    }
    let is_blank = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
    if !text.is_empty() && (is_blank(text.split('\n').next()) || is_blank(text.rsplit('\n').next()))
    {
        return Err(BuildError::new(BuildErrorKind::SurroundingBlanks, place));
    }
    Ok(())
}

fn check_mcp(mcp: &Mcp, origin: &Origin, allowed: &[FindingKind]) -> Result<(), BuildError> {
    if let Some(endpoint) = &mcp.endpoint {
        let place = Place::new("MCP endpoint");
        check_line(endpoint, place)?;
        if bare(endpoint) != endpoint {
            return Err(BuildError::new(BuildErrorKind::SurroundingMarks, place));
        }
    }
    for (index, note) in mcp.notes.iter().enumerate() {
        let place = Place::new("MCP note").item(index);
        check_line(note, place)?;
        // A key in emphasis gets a backslash, before a letter it would be text.
        if is_key_value(note) && !note.starts_with(|c: char| c.is_ascii_punctuation()) {
            return Err(BuildError::new(BuildErrorKind::ReservedKey, place));
        }
    }
    let refused = |finding: &super::Finding| {
        finding.kind().forbids_connection() && !allowed.contains(&finding.kind())
    };
    match mcp.verify(origin).into_iter().find(refused) {
        Some(finding) => Err(BuildError::endpoint(finding)),
        None => Ok(()),
    }
}
