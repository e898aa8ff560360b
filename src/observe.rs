//! What the layer did with a response, and why: for logs, metrics and tests.

use crate::trace::event;
use http::StatusCode;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What became of a response.
///
/// It is also put into the extensions of the response, whenever Markdown was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It was converted. For a HEAD nothing is read: its head is that of Markdown without `Content-Length`
    /// and `X-Markdown-Tokens`, even where a GET would find nothing to show and answer with the HTML.
    Markdown,
    /// It is a 304 that confirms the client's Markdown. Nothing was converted.
    NotModified,
    /// It passed as it was.
    Passthrough(Reason),
}

/// Why a response passed as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The method is neither GET nor HEAD.
    Method,
    /// The request asks for another protocol.
    Upgrade,
    /// [`NoMarkdown`](crate::NoMarkdown) is in the extensions of the request or of the response.
    OptedOut,
    /// The client would rather have HTML, or does not name Markdown.
    NotPreferred,
    /// The content is neither `text/html` nor `application/xhtml+xml`.
    NotHtml,
    /// The inner service answered with Markdown of its own.
    AlreadyMarkdown,
    /// The predicate said no.
    Predicate,
    /// The status is not 200, nor that of an error page which is to be converted.
    Status,
    /// There is a `Content-Range`.
    Partial,
    /// `Cache-Control` says `no-transform`.
    NoTransform,
    /// `Content-Disposition` says `attachment`.
    Attachment,
    /// There is a content coding that cannot be decoded, or too many of them.
    ContentCoding,
    /// The page has nothing to show: an empty application shell.
    NoText,
    /// The content could not be decoded.
    DecodeFailed,
    /// The content could not be converted.
    ConvertFailed,
    /// The inner body failed before anything had been sent.
    BodyFailed,
}

impl Reason {
    /// A short name in lower case, the same in every version: a label for metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Upgrade => "upgrade",
            Self::OptedOut => "opted-out",
            Self::NotPreferred => "not-preferred",
            Self::NotHtml => "not-html",
            Self::AlreadyMarkdown => "already-markdown",
            Self::Predicate => "predicate",
            Self::Status => "status",
            Self::Partial => "partial",
            Self::NoTransform => "no-transform",
            Self::Attachment => "attachment",
            Self::ContentCoding => "content-coding",
            Self::NoText => "no-text",
            Self::DecodeFailed => "decode-failed",
            Self::ConvertFailed => "convert-failed",
            Self::BodyFailed => "body-failed",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What asked for Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Trigger {
    /// The `Accept` of the client.
    Accept,
    /// The `User-Agent` of the client: see
    /// [`user_agents`](crate::MarkdownForAgentsLayer::user_agents).
    UserAgent,
    /// [`ForceMarkdown`](crate::ForceMarkdown) in the extensions of the request or of the response.
    Forced,
}

/// How the body of a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Completion {
    /// The body is not watched: it passes as it is, the original was sent after all, or there is none.
    Unwatched,
    /// All Markdown was sent.
    Complete,
    /// The body ended with an error after the head had been sent.
    Failed,
    /// The body was dropped before its end, for instance because the client went away.
    Dropped,
}

/// One response, as [`on_response`](crate::MarkdownForAgentsLayer::on_response) gets it.
#[derive(Debug, Clone)]
pub struct Report {
    pub(crate) decision: Decision,
    pub(crate) trigger: Option<Trigger>,
    pub(crate) status: StatusCode,
    pub(crate) bytes_in: u64,
    pub(crate) bytes_out: u64,
    pub(crate) elapsed: Duration,
    pub(crate) completion: Completion,
}

impl Report {
    /// What became of the response.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// What asked for Markdown; `None` if nothing did.
    #[must_use]
    pub fn trigger(&self) -> Option<Trigger> {
        self.trigger
    }

    /// The status of the response.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Bytes read from the inner body, before any decoding: those of the page if it was converted, those
    /// read until then if the original was sent after all, else 0.
    #[must_use]
    pub fn bytes_in(&self) -> u64 {
        self.bytes_in
    }

    /// Bytes of Markdown that were given to the outer service.
    #[must_use]
    pub fn bytes_out(&self) -> u64 {
        self.bytes_out
    }

    /// Time since the request came in: up to the end of the body where it was converted, else up to
    /// the decision.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// How the body ended.
    #[must_use]
    pub fn completion(&self) -> Completion {
        self.completion
    }
}

pub(crate) type Callback = Arc<dyn Fn(&Report) + Send + Sync>;

/// Watches one exchange and reports it once. Costs nothing where nobody wants to know.
#[derive(Default)]
pub(crate) struct Observer {
    callback: Option<Callback>,
    trigger: Option<Trigger>,
    /// When the request came in. `Some` until the report is out.
    started: Option<Instant>,
}

impl Observer {
    pub(crate) fn start(callback: Option<&Callback>) -> Self {
        let wanted = callback.is_some() || cfg!(feature = "tracing");
        Self {
            callback: callback.cloned(),
            trigger: None,
            started: wanted.then(Instant::now),
        }
    }

    /// Notes what asked for Markdown.
    pub(crate) fn triggered(&mut self, trigger: Trigger) {
        self.trigger = Some(trigger);
    }

    /// Reports a response whose body is not watched any further.
    pub(crate) fn decided(&mut self, decision: Decision, status: StatusCode, bytes_in: u64) {
        self.report(decision, status, bytes_in, 0, Completion::Unwatched);
    }

    /// Reports a response that was converted.
    pub(crate) fn converted(
        &mut self,
        status: StatusCode,
        bytes_in: u64,
        bytes_out: u64,
        completion: Completion,
    ) {
        self.report(Decision::Markdown, status, bytes_in, bytes_out, completion);
    }

    fn report(
        &mut self,
        decision: Decision,
        status: StatusCode,
        bytes_in: u64,
        bytes_out: u64,
        completion: Completion,
    ) {
        let Some(started) = self.started.take() else {
            return;
        };
        let report = Report {
            decision,
            trigger: self.trigger,
            status,
            bytes_in,
            bytes_out,
            elapsed: started.elapsed(),
            completion,
        };
        event!(
            decision = ?report.decision,
            trigger = ?report.trigger,
            status = report.status.as_u16(),
            bytes_in = report.bytes_in,
            bytes_out = report.bytes_out,
            elapsed = ?report.elapsed,
            completion = ?report.completion,
        );
        if let Some(callback) = self.callback.take() {
            callback(&report);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer")
            .field("started", &self.started)
            .finish_non_exhaustive()
    }
}
