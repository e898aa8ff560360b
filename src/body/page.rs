//! A page on its way from HTML to Markdown: inner body, decoder and converter in one place.
//!
//! The response future drives it while the head is held back, the response body afterwards.

use super::exclusive::Exclusive;
use super::original::{Kept, Original};
use super::pipeline::{Failure, Pipeline};
use super::source::Source;
use crate::BoxError;
use crate::coding::Coding;
use crate::convert::Converter;
use crate::observe::Reason;
use crate::settings::Limits;
use bytes::Bytes;
use http::HeaderMap;
use http_body::Body;
use std::task::{Context, Poll};

/// Input that one poll may convert before it lets other tasks run, in bytes.
const BUDGET: usize = 64 << 10;

/// What every frame of the inner body costs at least, so that a flood of empty ones ends a poll too.
const FRAME_COST: usize = 16;

/// Why [`Page::advance`] stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// As much Markdown is ready as was asked for, or no more input may be kept.
    Enough,
    /// The inner body is pending; it will wake the task.
    Pending,
    /// The budget of this poll is spent; the caller must wake the task and be pending.
    Spent,
    /// The page has ended, and all of its Markdown is ready.
    Ended,
}

/// Always boxed, because futures and bodies of responses that pass must stay small.
pub(crate) struct Page<B> {
    source: Source<B>,
    pipeline: Exclusive<Pipeline>,
    /// What the current chunk has not yet given to the pipeline.
    input: Bytes,
    /// All chunks so far. `Some` until the head has left.
    kept: Option<Kept>,
    replay_limit: u64,
    bytes_in: u64,
    /// Input since this task last let others run.
    spent: usize,
    finished: bool,
}

impl<B> Page<B> {
    pub(crate) fn new(body: B, codings: &[Coding], converter: Converter, limits: Limits) -> Self {
        Self {
            source: Source::new(body),
            pipeline: Exclusive::new(Pipeline::new(codings, converter, limits)),
            input: Bytes::new(),
            kept: Some(Kept::default()),
            replay_limit: limits.replay as u64,
            bytes_in: 0,
            spent: 0,
            finished: false,
        }
    }

    /// Bytes read from the inner body so far.
    pub(crate) fn bytes_in(&self) -> u64 {
        self.bytes_in
    }

    /// Makes ready what is final although its block has not ended.
    pub(crate) fn flush(&mut self) {
        self.converter().flush();
    }

    /// Bytes of Markdown that are ready to be taken.
    pub(crate) fn ready(&mut self) -> usize {
        self.converter().ready()
    }

    /// Whether the page has shown any text so far.
    pub(crate) fn has_content(&mut self) -> bool {
        self.converter().has_content()
    }

    pub(crate) fn take(&mut self) -> Bytes {
        self.converter().take()
    }

    /// Whether trailers were seen and not taken yet.
    pub(crate) fn has_trailers(&self) -> bool {
        self.source.has_trailers()
    }

    pub(crate) fn take_trailers(&mut self) -> Option<HeaderMap> {
        self.source.take_trailers()
    }

    /// The head has left: the original is out of reach, and its bytes are let go.
    pub(crate) fn commit(&mut self) {
        self.kept = None;
    }

    /// Gives the conversion up for the original.
    pub(super) fn into_original(self, error: Option<BoxError>) -> Original<B> {
        Original::new(self.kept.unwrap_or_default(), self.source, error)
    }

    fn converter(&mut self) -> &mut Converter {
        self.pipeline.get_mut().converter()
    }
}

impl<B> Page<B>
where
    B: Body,
    B::Error: Into<BoxError>,
{
    /// Converts until `goal` bytes of Markdown are ready or something else stops it.
    pub(crate) fn advance(&mut self, cx: &mut Context<'_>, goal: usize) -> Result<Stop, Failure> {
        let pipeline = self.pipeline.get_mut();
        loop {
            if self.finished {
                return Ok(Stop::Ended);
            }
            // A chunk is in memory anyway; only what it has given to the pipeline counts as kept.
            let converted = self.bytes_in - self.input.len() as u64;
            let kept_enough = self.kept.is_some() && converted > self.replay_limit;
            if kept_enough || pipeline.converter().ready() >= goal {
                return Ok(Stop::Enough);
            }
            if self.spent >= BUDGET {
                self.spent = 0;
                return Ok(Stop::Spent);
            }
            if pipeline.has_work(&self.input) {
                self.spent += pipeline.feed(&mut self.input)?;
                continue;
            }
            match self.source.poll_chunk(cx) {
                Poll::Pending => return Ok(Stop::Pending),
                Poll::Ready(Some(Ok(chunk))) => {
                    self.bytes_in += chunk.len() as u64;
                    self.spent += FRAME_COST;
                    if let Some(kept) = &mut self.kept {
                        kept.push(&chunk);
                    }
                    self.input = chunk;
                }
                Poll::Ready(Some(Err(error))) => {
                    return Err(Failure {
                        reason: Reason::BodyFailed,
                        error,
                    });
                }
                Poll::Ready(None) => {
                    pipeline.finish()?;
                    self.finished = true;
                }
            }
        }
    }
}
