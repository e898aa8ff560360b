//! The value: what an agents.md says.

use super::mcp::Mcp;

/// What an agents.md says: what a site is, what agents may do on it and where its MCP server is.
///
/// Made with a [builder](Self::builder) or read with [`FromStr`](std::str::FromStr) or a [`Reader`](super::Reader).
/// `Display` writes the file, and what was written reads back as an equal value. Texts are Markdown as it stands in
/// the file.
///
/// ```
/// use markdown_for_agents::agents_md::{AgentsMd, Origin};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let document = AgentsMd::builder(Origin::of("https://shop.example")?)
///     .name("Corner Bookshop")
///     .can(["Search the catalog"])
///     .cannot(["Place orders without a human"])
///     .contact(["agents@shop.example"])
///     .build()?;
///
/// let lines: Vec<_> = document.to_string().lines().map(str::to_owned).collect();
/// assert_eq!(lines[..4], ["# Corner Bookshop", "", "## Can", "- Search the catalog"]);
/// assert_eq!(document.to_string().parse::<AgentsMd>()?, document);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentsMd {
    /// One trimmed line that is not the name of a known section.
    pub(super) name: Option<String>,
    /// Lines without a heading of level 1 or 2 and without an open code fence or comment. So is the body of a
    /// section.
    pub(super) description: Option<String>,
    /// Trimmed lines, none empty. So are the three lists below and the notes of `mcp`.
    pub(super) can: Vec<String>,
    pub(super) cannot: Vec<String>,
    pub(super) mcp: Option<Mcp>,
    pub(super) behavior: Vec<String>,
    pub(super) contact: Vec<String>,
    pub(super) sections: Vec<Section>,
}

impl AgentsMd {
    /// The name of the site: the first heading of level 1.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What the site is: Markdown of any length.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// What agents may do.
    #[must_use]
    pub fn can(&self) -> &[String] {
        &self.can
    }

    /// What agents must not do.
    #[must_use]
    pub fn cannot(&self) -> &[String] {
        &self.cannot
    }

    /// Where the MCP server is. See [`verify`](Self::verify) before connecting to it.
    #[must_use]
    pub fn mcp(&self) -> Option<&Mcp> {
        self.mcp.as_ref()
    }

    /// How agents are asked to behave: rates, caching, identification.
    #[must_use]
    pub fn behavior(&self) -> &[String] {
        &self.behavior
    }

    /// Whom to write to: mail addresses and URLs.
    #[must_use]
    pub fn contact(&self) -> &[String] {
        &self.contact
    }

    /// All other sections, in their order.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }
}

/// A section that the format does not know, kept as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// One trimmed line that is not the name of a known section.
    pub(super) title: String,
    pub(super) body: String,
}

impl Section {
    /// The text of its heading.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The Markdown below its heading, without blank lines around it.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }
}

/// The sections that the format knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Can,
    Cannot,
    Mcp,
    Behavior,
    Contact,
}

impl Known {
    const ALL: [Self; 5] = [
        Self::Can,
        Self::Cannot,
        Self::Mcp,
        Self::Behavior,
        Self::Contact,
    ];

    /// The heading as it is written.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Can => "Can",
            Self::Cannot => "Cannot",
            Self::Mcp => "MCP",
            Self::Behavior => "Behavior",
            Self::Contact => "Contact",
        }
    }

    /// The section with this heading, in any letter case and with or without a colon.
    pub(super) fn of(heading: &str) -> Option<Self> {
        let heading = heading.strip_suffix(':').unwrap_or(heading).trim_end();
        Self::ALL
            .into_iter()
            .find(|known| known.title().eq_ignore_ascii_case(heading))
    }
}
