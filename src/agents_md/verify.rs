//! What an agent must not trust in a file that it read.

use super::document::AgentsMd;
use super::mcp::{Mcp, Transport};
use super::origin::{Endpoint, Origin};
use std::fmt;

/// Something in an agents.md that an agent must not trust. Its `Display` says what and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    kind: FindingKind,
    /// What it is about: the endpoint, or the origin of the file.
    subject: String,
}

/// The kinds of [`Finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// The file itself came over plain http: anyone on the way could have written it.
    InsecureOrigin,
    /// The MCP section names no endpoint.
    MissingEndpoint,
    /// The endpoint is not an absolute http or https URL.
    InvalidEndpoint,
    /// The endpoint is on another origin (scheme, host or port) than the file.
    OtherOrigin,
    /// The endpoint is plain http and not on the machine itself.
    PlainHttp,
    /// The endpoint has a user name or password in it, which also serves to disguise the host.
    Credentials,
    /// The transport is `stdio`: a program to run on the agent's own machine, named by a remote site.
    LocalCommand,
    /// The file does not say how to authenticate.
    UnstatedAuth,
}

impl FindingKind {
    /// Whether an agent must not connect to the endpoint. False only for `InsecureOrigin` (fetch the file again over
    /// https first) and `UnstatedAuth` (connect, but send no credentials).
    #[must_use]
    pub const fn forbids_connection(self) -> bool {
        !matches!(self, Self::InsecureOrigin | Self::UnstatedAuth)
    }
}

impl Finding {
    /// The kind of finding.
    #[must_use]
    pub const fn kind(&self) -> FindingKind {
        self.kind
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = self.subject.escape_debug();
        match self.kind {
            FindingKind::InsecureOrigin => write!(
                f,
                "the file comes from {subject} over plain http: fetch it over https"
            ),
            FindingKind::MissingEndpoint => f.write_str(
                "the MCP section names no endpoint: add a line \"endpoint: https://...\"",
            ),
            FindingKind::InvalidEndpoint => write!(
                f,
                "MCP endpoint {subject} is not an absolute https URL: write it with scheme and host"
            ),
            FindingKind::OtherOrigin => write!(
                f,
                "MCP endpoint {subject} is on another origin than the file: serve it from the same scheme, host and port"
            ),
            FindingKind::PlainHttp => {
                write!(
                    f,
                    "MCP endpoint {subject} is plain http: serve it over https"
                )
            }
            FindingKind::Credentials => write!(
                f,
                "MCP endpoint {subject} has a user name or password in it: take it out"
            ),
            FindingKind::LocalCommand => write!(
                f,
                "MCP server {subject} is a local command (stdio), and no site may name one: serve it over streamable-http"
            ),
            FindingKind::UnstatedAuth => write!(
                f,
                "MCP endpoint {subject} does not state its auth: send no credentials, or add \"auth: none\""
            ),
        }
    }
}

impl AgentsMd {
    /// Lists what an agent must not trust if it got this file from `origin`. Empty if there is nothing.
    ///
    /// The endpoint must be on the origin of the file and use TLS; on a loopback origin plain http will do. Only a
    /// file fetched from the site's own origin counts: what the text of a page says about agents.md must be ignored.
    ///
    /// ```
    /// use markdown_for_agents::agents_md::{AgentsMd, FindingKind, Origin};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let document: AgentsMd = "## MCP\nendpoint: http://tracker.example/mcp\nauth: oauth2\n".parse()?;
    /// let findings = document.verify(&Origin::of("https://shop.example/.well-known/agents.md")?);
    ///
    /// let kinds: Vec<_> = findings.iter().map(|finding| finding.kind()).collect();
    /// assert_eq!(kinds, [FindingKind::OtherOrigin, FindingKind::PlainHttp]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn verify(&self, origin: &Origin) -> Vec<Finding> {
        let mut findings = Vec::new();
        if origin.is_insecure() {
            let kind = FindingKind::InsecureOrigin;
            findings.push(Finding {
                kind,
                subject: origin.to_string(),
            });
        }
        if let Some(mcp) = &self.mcp {
            findings.extend(mcp.verify(origin));
        }
        findings
    }
}

impl Mcp {
    /// The findings about this section, in the order of [`FindingKind`].
    pub(super) fn verify(&self, origin: &Origin) -> Vec<Finding> {
        let subject = self.endpoint.as_deref().unwrap_or_default();
        let mut kinds = Vec::new();
        match self.endpoint.as_deref().map(Endpoint::parse) {
            // A loopback origin is a site on the agent's own machine.
            _ if self.transport == Some(Transport::Stdio) => {
                kinds.extend((!origin.is_loopback()).then_some(FindingKind::LocalCommand));
            }
            None => kinds.push(FindingKind::MissingEndpoint),
            Some(None) => kinds.push(FindingKind::InvalidEndpoint),
            Some(Some(endpoint)) => {
                for (holds, kind) in [
                    (!endpoint.is_on(origin), FindingKind::OtherOrigin),
                    (endpoint.is_insecure(), FindingKind::PlainHttp),
                    (endpoint.has_credentials(), FindingKind::Credentials),
                ] {
                    kinds.extend(holds.then_some(kind));
                }
            }
        }
        if self.auth.is_none() {
            kinds.push(FindingKind::UnstatedAuth);
        }
        kinds
            .into_iter()
            .map(|kind| Finding {
                kind,
                subject: subject.to_owned(),
            })
            .collect()
    }
}
