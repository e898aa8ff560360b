//! The MCP section: where the Model Context Protocol server is and how to reach it.

use std::fmt;
use std::str::FromStr;

/// Where a site's MCP server is (Model Context Protocol), and how an agent reaches it.
///
/// A value that was *read* holds what the file says, trustworthy or not: see
/// [`AgentsMd::verify`](super::AgentsMd::verify).
///
/// ```
/// use markdown_for_agents::agents_md::{Auth, Mcp, Transport};
///
/// let mcp = Mcp::new("https://shop.example/mcp").transport(Transport::StreamableHttp).auth(Auth::None);
///
/// assert_eq!(mcp.endpoint(), Some("https://shop.example/mcp"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mcp {
    pub(super) endpoint: Option<String>,
    pub(super) transport: Option<Transport>,
    pub(super) auth: Option<Auth>,
    pub(super) notes: Vec<String>,
}

impl Mcp {
    /// A server at `endpoint`: an absolute URL, or a command for [`Transport::Stdio`].
    #[must_use]
    pub fn new(endpoint: impl Into<String>) -> Self {
        Self {
            endpoint: Some(endpoint.into()),
            ..Self::default()
        }
    }

    /// How messages travel.
    ///
    /// ### Default
    ///
    /// Not stated.
    #[must_use]
    pub fn transport(mut self, transport: Transport) -> Self {
        self.transport = Some(transport);
        self
    }

    /// How an agent proves who it is.
    ///
    /// ### Default
    ///
    /// Not stated; [`verify`](super::AgentsMd::verify) tells agents so.
    #[must_use]
    pub fn auth(mut self, auth: Auth) -> Self {
        self.auth = Some(auth);
        self
    }

    /// Adds a line of text, for instance how to obtain an API key.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The endpoint as it is written in the file; `None` if a file has an MCP section without one.
    #[must_use]
    pub fn endpoint(&self) -> Option<&str> {
        self.endpoint.as_deref()
    }

    /// The transport, if stated.
    #[must_use]
    pub fn stated_transport(&self) -> Option<Transport> {
        self.transport
    }

    /// The way of authentication, if stated.
    #[must_use]
    pub fn stated_auth(&self) -> Option<Auth> {
        self.auth
    }

    /// The lines of the section that are none of its three keys.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// How MCP messages travel. These three are all that the format has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transport {
    /// `streamable-http`: HTTP, answers may be streams.
    StreamableHttp,
    /// `sse`: HTTP with Server-Sent Events, the transport before streamable HTTP.
    Sse,
    /// `stdio`: a program on the agent's own machine.
    Stdio,
}

impl Transport {
    pub(super) const NAMES: &str = "streamable-http, sse or stdio";

    /// The name in the file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StreamableHttp => "streamable-http",
            Self::Sse => "sse",
            Self::Stdio => "stdio",
        }
    }
}

/// How an agent authenticates to an MCP server. These three are all that the format has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Auth {
    /// `none`: the tools are public.
    None,
    /// `api_key`: a key is needed; a note or a contact says where to get one.
    ApiKey,
    /// `oauth2`: an OAuth 2.0 flow; an agent asks for the smallest scope that does.
    OAuth2,
}

impl Auth {
    pub(super) const NAMES: &str = "none, api_key or oauth2";

    /// The name in the file.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ApiKey => "api_key",
            Self::OAuth2 => "oauth2",
        }
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The name is none of the three that the format has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownName {
    expected: &'static str,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl std::error::Error for UnknownName {}

/// Letter case does not matter.
impl FromStr for Transport {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        [Self::StreamableHttp, Self::Sse, Self::Stdio]
            .into_iter()
            .find(|transport| transport.as_str().eq_ignore_ascii_case(name))
            .ok_or(UnknownName {
                expected: Self::NAMES,
            })
    }
}

/// Letter case does not matter.
impl FromStr for Auth {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        [Self::None, Self::ApiKey, Self::OAuth2]
            .into_iter()
            .find(|auth| auth.as_str().eq_ignore_ascii_case(name))
            .ok_or(UnknownName {
                expected: Self::NAMES,
            })
    }
}
