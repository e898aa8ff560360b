//! `Link` between a page and its Markdown (RFC 8288).

use super::mapping::{self, Mapping};
use crate::eligibility::{self, Representation};
use crate::extensions::NoMarkdown;
use http::header::LINK;
use http::uri::PathAndQuery;
use http::{HeaderValue, Response, Uri};
use std::sync::Arc;

/// What is needed to link a response, kept from its request.
pub(super) struct Links<M> {
    uri: Uri,
    mapping: Arc<M>,
}

impl<M: Mapping> Links<M> {
    pub(super) fn new(uri: Uri, mapping: Arc<M>) -> Self {
        Self { uri, mapping }
    }

    /// Links a page in HTML to its `.md` address, if Markdown can be had of it.
    pub(super) fn alternate<B>(&self, response: Response<B>) -> Response<B> {
        let (mut head, body) = response.into_parts();
        let convertible = Representation::of(&head.headers) == Representation::Html
            && eligibility::codings(&head, false, usize::MAX).is_ok()
            && head.extensions.get::<NoMarkdown>().is_none();
        if convertible && let Some(address) = self.address() {
            append(
                &mut head.headers,
                &address,
                "rel=\"alternate\"; type=\"text/markdown\"",
            );
        }
        Response::from_parts(head, body)
    }

    /// The `.md` address of the page, if it leads back to the page.
    fn address(&self) -> Option<Uri> {
        let path = self.uri.path();
        let address = self
            .mapping
            .address(path)
            .filter(|address| mapping::is_plain(address))?;
        (self.mapping.page(&address)? == path).then(|| with_path(&self.uri, &address))?
    }
}

/// Links the Markdown of a `.md` address to the page that it was made from.
pub(super) fn canonical<B>(mut response: Response<B>, page: &Uri) -> Response<B> {
    if Representation::of(response.headers()) == Representation::Markdown {
        append(response.headers_mut(), page, "rel=\"canonical\"");
    }
    response
}

/// The same URI with another path.
pub(super) fn with_path(uri: &Uri, path: &str) -> Option<Uri> {
    let mut parts = uri.clone().into_parts();
    let path_and_query = match uri.query() {
        Some(query) => PathAndQuery::try_from(format!("{path}?{query}")),
        None => PathAndQuery::try_from(path),
    };
    parts.path_and_query = Some(path_and_query.ok()?);
    Uri::from_parts(parts).ok()
}

fn append(headers: &mut http::HeaderMap, target: &Uri, parameters: &str) {
    let path = target.path_and_query().map_or("/", |path| path.as_str());
    // No URI has a `>` in it, but this is no place to rely on that.
    if path.contains(['<', '>']) {
        return;
    }
    if let Ok(link) = HeaderValue::try_from(format!("<{path}>; {parameters}")) {
        headers.append(LINK, link);
    }
}
