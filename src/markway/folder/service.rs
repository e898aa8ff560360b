//! `ServeFolder`: files by the file service, indexes made where they lack, errors in Markdown.

use super::listing;
use super::sandbox::Sandbox;
use crate::markway::message::Message;
use crate::markway::{Language, paths, validator};
use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use pin_project_lite::pin_project;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};
use tower_http::services::ServeDir;
use tower_http::services::fs::{DefaultServeDirFallback, ServeFileSystemResponseBody};
use tower_service::Service;

const MARKDOWN: HeaderValue = HeaderValue::from_static("text/markdown; charset=utf-8");

/// Serves the files of a folder, and an `index.md` for every directory that has none.
///
/// It is the inner service of a static site: the layer around it answers `.md` addresses of
/// HTML files and adds the preamble.
///
/// - `/a/index.md`, where no such file is, is made from the directory: a table of its pages and of
///   the directories below it, described by what their files say. `/a/` is the directory's
///   `index.html`, or else the same table.
/// - Files are served as they are, with their media type, validators and ranges.
/// - Nothing outside the folder is served, by no path and by no symbolic link. Names that begin
///   with a dot are not served. Both are as if they did not exist.
/// - Errors are short Markdown documents: 400 for an address that could be read in two ways
///   (`..`, encoded slashes, control characters), 403 for a file that may not be read, 404, 405.
///
/// Must be called within a Tokio runtime.
#[derive(Debug, Clone)]
pub struct ServeFolder {
    files: ServeDir<DefaultServeDirFallback, Sandbox>,
    sandbox: Sandbox,
    language: Language,
}

impl ServeFolder {
    /// Serves the folder at `root`.
    ///
    /// # Errors
    ///
    /// `root` is no directory or may not be read.
    pub fn new(root: impl AsRef<Path>) -> io::Result<Self> {
        let sandbox = Sandbox::open(root.as_ref())?;
        // The paths that reach the sandbox are relative to its root.
        let files = ServeDir::with_backend("", sandbox.clone());
        Ok(Self {
            files,
            sandbox,
            language: Language::default(),
        })
    }

    /// The language of the indexes that are made and of the errors.
    ///
    /// ### Default
    ///
    /// [`Language::Chinese`]
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    async fn answer(mut self, request: Request<()>) -> Response<FolderBody> {
        if let Err(error) = paths::validate(request.uri().path()) {
            return self.refuse(&Message::Address(error.kind()), request.method());
        }
        let method = request.method().clone();
        let conditions = request.headers().clone();
        let directory = directory_of_index(request.uri().path());
        match self.files.try_call(request).await {
            Ok(response) if response.status() == StatusCode::NOT_FOUND => match directory {
                Some(directory) => self.index(directory, &method, &conditions).await,
                None => self.refuse(&Message::NotFound, &method),
            },
            Ok(response) => {
                let mut response = response.map(|body| FolderBody {
                    kind: Kind::File { body },
                });
                let types = response.headers_mut().get_mut(header::CONTENT_TYPE);
                if let Some(value) = types.filter(|value| *value == "text/markdown") {
                    *value = MARKDOWN;
                }
                response
            }
            Err(error) => match directory {
                Some(directory) if error.kind() == io::ErrorKind::NotFound => {
                    self.index(directory, &method, &conditions).await
                }
                _ => self.refuse(&Message::from(&error), &method),
            },
        }
    }

    /// The index that is made for a directory.
    async fn index(
        self,
        directory: PathBuf,
        method: &Method,
        conditions: &HeaderMap,
    ) -> Response<FolderBody> {
        let (sandbox, language) = (self.sandbox.clone(), self.language);
        let made =
            tokio::task::spawn_blocking(move || listing::index_of(&sandbox, &directory, language))
                .await;
        match made.map_err(io::Error::other).and_then(|index| index) {
            Ok(index) => {
                let text = index.to_string();
                let tag = validator::entity_tag(&text);
                if validator::is_fresh(conditions, &tag) {
                    let mut response = Response::new(FolderBody::from(String::new()));
                    *response.status_mut() = StatusCode::NOT_MODIFIED;
                    response.headers_mut().insert(header::ETAG, tag);
                    return response;
                }
                let mut response = markdown(StatusCode::OK, text, method);
                response.headers_mut().insert(header::ETAG, tag);
                response
            }
            Err(error) => self.refuse(&Message::from(&error), method),
        }
    }

    fn refuse(&self, message: &Message, method: &Method) -> Response<FolderBody> {
        markdown(message.status(), message.page(self.language), method)
    }
}

impl From<&io::Error> for Message {
    fn from(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::Forbidden,
            _ => Self::Unreadable,
        }
    }
}

/// The directory whose index the path of a request asks for.
fn directory_of_index(path: &str) -> Option<PathBuf> {
    let directory = path.strip_suffix("index.md").unwrap_or(path);
    let directory = directory.strip_suffix('/')?;
    let decoded = percent_encoding::percent_decode_str(directory.trim_start_matches('/'))
        .decode_utf8()
        .ok()?;
    Some(PathBuf::from(decoded.into_owned()))
}

fn markdown(status: StatusCode, text: String, method: &Method) -> Response<FolderBody> {
    let length = text.len();
    let body = if method == Method::HEAD {
        String::new()
    } else {
        text
    };
    let mut response = Response::new(FolderBody::from(body));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, MARKDOWN);
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    response
}

impl<B> Service<Request<B>> for ServeFolder {
    type Response = Response<FolderBody>;
    type Error = Infallible;
    type Future = FolderFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> FolderFuture {
        FolderFuture {
            answer: Box::pin(self.clone().answer(request.map(drop))),
        }
    }
}

/// The response future of [`ServeFolder`].
pub struct FolderFuture {
    answer: Pin<Box<dyn Future<Output = Response<FolderBody>> + Send>>,
}

impl Future for FolderFuture {
    type Output = Result<Response<FolderBody>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.answer.as_mut().poll(cx).map(Ok)
    }
}

impl fmt::Debug for FolderFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FolderFuture").finish_non_exhaustive()
    }
}

pin_project! {
    /// The response body of [`ServeFolder`].
    pub struct FolderBody {
        #[pin]
        kind: Kind,
    }
}

pin_project! {
    #[project = KindProjection]
    enum Kind {
        File { #[pin] body: ServeFileSystemResponseBody },
        Text { #[pin] body: http_body_util::Full<Bytes> },
    }
}

impl fmt::Debug for FolderBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FolderBody")
            .field("size", &self.size_hint())
            .finish_non_exhaustive()
    }
}

impl From<String> for FolderBody {
    fn from(text: String) -> Self {
        Self {
            kind: Kind::Text { body: text.into() },
        }
    }
}

impl Body for FolderBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match self.project().kind.project() {
            KindProjection::File { body } => body.poll_frame(cx),
            KindProjection::Text { body } => body.poll_frame(cx).map_err(|never| match never {}),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            Kind::File { body } => body.is_end_stream(),
            Kind::Text { body } => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
            Kind::File { body } => body.size_hint(),
            Kind::Text { body } => body.size_hint(),
        }
    }
}
