//! Short Markdown documents for requests that cannot be answered with a page.

use super::address::AddressErrorKind;
use super::{Language, escape};
use http::StatusCode;

/// Why a request has no page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Message {
    /// Nothing is at the address.
    NotFound,
    /// The server may not read what is at the address.
    Forbidden,
    /// The server failed to read what is at the address.
    Unreadable,
    /// The address has none of the forms of the protocol.
    Address(AddressErrorKind),
    /// A GET request to a dynamic site has a query string.
    Query,
    /// What the protocol itself answers is only for GET and HEAD.
    Method,
}

impl Message {
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::Unreadable => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Address(_) | Self::Query => StatusCode::BAD_REQUEST,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
        }
    }

    /// The document, without the preamble.
    pub(super) fn page(&self, language: Language) -> String {
        let status = self.status();
        let title = format!(
            "{} {}",
            status.as_u16(),
            status.canonical_reason().unwrap_or_default()
        );
        format!("# {}\n\n{}\n", escape::heading(&title), self.text(language))
    }

    fn text(&self, language: Language) -> &'static str {
        match (language, self) {
            (Language::English, Self::NotFound) => "Nothing is at this address.",
            (Language::Chinese, Self::NotFound) => "该地址没有内容。",
            (Language::English, Self::Forbidden) => {
                "The server may not read what is at this address."
            }
            (Language::Chinese, Self::Forbidden) => "服务器无权读取该地址的内容。",
            (Language::English, Self::Unreadable) => {
                "The server could not read what is at this address."
            }
            (Language::Chinese, Self::Unreadable) => "服务器无法读取该地址的内容。",
            (Language::English, Self::Query) => {
                "A GET request has no query string on this site. \
                 Send the parameters with POST, in the body of the request, to the same address without the query string."
            }
            (Language::Chinese, Self::Query) => {
                "本站的 GET 请求不能带查询参数。请用 POST 请求同一地址（去掉查询参数），并把参数放在请求体里。"
            }
            (Language::English, Self::Method) => "Only GET and HEAD are allowed at this address.",
            (Language::Chinese, Self::Method) => "该地址只允许 GET 和 HEAD。",
            (Language::English, Self::Address(kind)) => match kind {
                AddressErrorKind::DotSegment => {
                    "The address must not have `.` or `..` as a segment."
                }
                AddressErrorKind::EncodedSlash => {
                    "The address must not have a backslash or an encoded slash."
                }
                AddressErrorKind::EmptySegment => "The address must not have two slashes in a row.",
                AddressErrorKind::Control => "The address must not have control characters.",
                AddressErrorKind::Percent => {
                    "In the address, `%` must be followed by two hexadecimal digits."
                }
                AddressErrorKind::Empty | AddressErrorKind::Form | AddressErrorKind::Scheme => {
                    "The address must begin with a slash."
                }
            },
            (Language::Chinese, Self::Address(kind)) => match kind {
                AddressErrorKind::DotSegment => "地址中不能有 `.` 或 `..` 这样的段。",
                AddressErrorKind::EncodedSlash => "地址中不能有反斜杠或编码过的斜杠。",
                AddressErrorKind::EmptySegment => "地址中不能有两个相连的斜杠。",
                AddressErrorKind::Control => "地址中不能有控制字符。",
                AddressErrorKind::Percent => "地址中的 `%` 后面必须是两位十六进制数字。",
                AddressErrorKind::Empty | AddressErrorKind::Form | AddressErrorKind::Scheme => {
                    "地址必须以斜杠开头。"
                }
            },
        }
    }
}
