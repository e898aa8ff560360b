//! The MarkWay protocol: a site that an agent can walk in Markdown alone.
//!
//! A MarkWay site answers GET with Markdown that begins with the base URL of the site and the
//! address of a document that explains the protocol, so that an agent that knows nothing needs only
//! the root to find its way. There are two modes:
//!
//! | | static | dynamic |
//! |---|---|---|
//! | made for | fixed documents | interfaces |
//! | root | `/index.md` | `/` |
//! | protocol document | `/protocol.md` | `/protocol` |
//! | addresses of the site | end in `.md` | absolute paths without a query string |
//! | GET | the document | how to use the interface |
//! | POST | – | data, as Markdown or in another format by `Accept` |

mod address;
mod base_url;
mod check;
mod document;
mod escape;
mod folder;
mod front_matter;
mod index;
mod json;
mod language;
mod message;
mod outline;
mod paths;
mod protocol;
mod site;

pub use self::address::{Address, AddressError, AddressErrorKind, AddressKind};
pub use self::base_url::{BaseUrl, BaseUrlError, BaseUrlErrorKind};
pub use self::check::{Fault, Rule, check, check_index};
pub use self::document::{Document, DocumentError, DocumentErrorKind, Entry};
pub use self::folder::{FolderBody, FolderFuture, ServeFolder};
pub use self::index::Index;
pub use self::json::{JsonError, json_to_markdown};
pub use self::language::Language;
pub use self::site::{Mode, Site};
