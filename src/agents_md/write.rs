//! Value to text: `Display` for [`AgentsMd`].

use super::document::{AgentsMd, Known};
use super::escape::escape;
use super::mcp::Mcp;
use super::parse::is_key_value;
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};

/// Writes the file, in the order of the format: name, description, Can, Cannot, MCP, Behavior, Contact, other
/// sections. Parts that are not there are left out.
impl Display for AgentsMd {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut out = Blocks { f, first: true };
        if let Some(name) = &self.name {
            out.heading("#", name)?;
        }
        if let Some(description) = &self.description {
            // At the start of a file U+FEFF is a byte order mark and no text.
            if out.first && description.starts_with('\u{feff}') {
                out.f.write_char('\n')?;
            }
            out.block()?;
            writeln!(out.f, "{description}")?;
        }
        out.list(Known::Can, &self.can)?;
        out.list(Known::Cannot, &self.cannot)?;
        if let Some(mcp) = &self.mcp {
            out.mcp(mcp)?;
        }
        out.list(Known::Behavior, &self.behavior)?;
        if !self.contact.is_empty() {
            out.heading("##", Known::Contact.title())?;
            for line in &self.contact {
                writeln!(out.f, "{}", escape(line))?;
            }
        }
        for section in &self.sections {
            out.heading("##", &section.title)?;
            if !section.body.is_empty() {
                writeln!(out.f, "\n{}", section.body)?;
            }
        }
        Ok(())
    }
}

/// Blocks with a blank line between them.
struct Blocks<'a, 'b> {
    f: &'a mut Formatter<'b>,
    first: bool,
}

impl Blocks<'_, '_> {
    fn block(&mut self) -> fmt::Result {
        if !std::mem::take(&mut self.first) {
            self.f.write_char('\n')?;
        }
        Ok(())
    }

    fn heading(&mut self, marks: &str, text: &str) -> fmt::Result {
        self.block()?;
        // The last run of `#` is a closing sequence and no text (CommonMark §4.2): give it one to close.
        let closing = if text.ends_with('#') { " #" } else { "" };
        writeln!(self.f, "{marks} {text}{closing}")
    }

    fn list(&mut self, section: Known, items: &[String]) -> fmt::Result {
        if items.is_empty() {
            return Ok(());
        }
        self.heading("##", section.title())?;
        items
            .iter()
            .try_for_each(|item| writeln!(self.f, "- {}", escape(item)))
    }

    fn mcp(&mut self, mcp: &Mcp) -> fmt::Result {
        self.heading("##", Known::Mcp.title())?;
        if let Some(endpoint) = &mcp.endpoint {
            writeln!(self.f, "endpoint: {endpoint}")?;
        }
        if let Some(transport) = mcp.transport {
            writeln!(self.f, "transport: {transport}")?;
        }
        if let Some(auth) = mcp.auth {
            writeln!(self.f, "auth: {auth}")?;
        }
        for note in &mcp.notes {
            match escape(note) {
                // A key in emphasis: the backslash makes a note of it.
                Cow::Borrowed(note) if is_key_value(note) => writeln!(self.f, "- \\{note}")?,
                note => writeln!(self.f, "- {note}")?,
            }
        }
        Ok(())
    }
}
