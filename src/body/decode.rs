//! Content codings taken off while the bytes arrive, in bounded memory.

use crate::coding::Coding;
use crate::settings::Limits;
use bytes::{Buf, Bytes};
use compression_codecs::core::util::{PartialBuffer, WriteBuffer};
use compression_codecs::zstd::params::DParameter;
use compression_codecs::{
    BrotliDecoder, DecodeV2, DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder,
};
use std::ops::Range;
use std::{fmt, io};

/// Output of one step.
const STEP: usize = 16 << 10;

/// The largest window that a zstd frame may ask for, as a power of two: 8 MiB (RFC 9659 §3).
const ZSTD_WINDOW: u32 = 23;

/// Takes off all codings of a response, the last one first.
pub(super) struct Decoder {
    stages: Vec<Stage>,
    read: u64,
    decoded: u64,
    limits: Limits,
}

impl Decoder {
    /// A decoder for codings in the order in which they were applied; `None` if there are none.
    pub(super) fn new(codings: &[Coding], limits: Limits) -> Option<Self> {
        let stages: Vec<_> = codings
            .iter()
            .rev()
            .map(|&coding| Stage::new(coding))
            .collect();
        (!stages.is_empty()).then_some(Self {
            stages,
            read: 0,
            decoded: 0,
            limits,
        })
    }

    /// Decodes from the front of `input` until there is some output. Without output the input is
    /// used up.
    pub(super) fn decode(&mut self, input: &mut Bytes) -> Result<&[u8], DecodeError> {
        let mut rest = &input[..];
        self.pull(&mut rest)?;
        let used = input.len() - rest.len();
        input.advance(used);
        let Some(last) = self.stages.last_mut() else {
            return Ok(&[]);
        };
        let output = std::mem::take(&mut last.ready);
        self.read += used as u64;
        self.decoded += output.len() as u64;
        if self.decoded
            > self
                .limits
                .decoded
                .max(self.read.saturating_mul(self.limits.expansion))
        {
            return Err(DecodeError {
                kind: DecodeErrorKind::TooLarge,
                source: None,
            });
        }
        Ok(&last.output[output])
    }

    /// Steps through the stages until the last one has output: forward with what a stage has put
    /// out, backward where one needs input.
    fn pull(&mut self, input: &mut &[u8]) -> Result<(), DecodeError> {
        let mut at = self.stages.len() - 1;
        while let Some((stage, before)) = self.stages[..=at].split_last_mut() {
            match before.last_mut() {
                Some(previous) => {
                    let mut between = &previous.output[previous.ready.clone()];
                    stage.step(&mut between)?;
                    previous.ready.start = previous.ready.end - between.len();
                }
                None => stage.step(input)?,
            }
            match (stage.ready.is_empty(), at) {
                (true, 0) => break,
                (true, _) => at -= 1,
                (false, _) if at + 1 == self.stages.len() => break,
                (false, _) => at += 1,
            }
        }
        Ok(())
    }

    /// The end of the input: an error if a coding has not come to its end.
    pub(super) fn finish(&mut self) -> Result<(), DecodeError> {
        self.stages.iter_mut().try_for_each(Stage::finish)
    }
}

/// One coding: members (gzip, RFC 1952 §2.2) or frames (zstd, RFC 8878 §3) one after the other, or
/// a single stream.
struct Stage {
    coding: Coding,
    codec: Option<Box<dyn DecodeV2 + Send + Sync>>,
    state: State,
    output: Box<[u8]>,
    /// The part of `output` that nobody has taken yet.
    ready: Range<usize>,
    /// Whether the latest step filled `output`: the codec may have more without further input.
    full: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No byte has come yet.
    Empty,
    /// Within the first member.
    First,
    /// Within a later member, or within what only looks like one: nothing has come out yet.
    Unproven,
    /// Within a later member.
    Later,
    /// A member has ended.
    Between,
    /// Bytes came that are no member. They are ignored, as every decoder in use does.
    Garbage,
}

impl Stage {
    fn new(coding: Coding) -> Self {
        let output = vec![0; STEP].into_boxed_slice();
        Self {
            coding,
            codec: None,
            state: State::Empty,
            output,
            ready: 0..0,
            full: false,
        }
    }

    /// Decodes until there is some output or the input is used up.
    fn step(&mut self, input: &mut &[u8]) -> Result<(), DecodeError> {
        self.ready = 0..0;
        while self.ready.is_empty() && (self.full || !input.is_empty()) {
            match self.state {
                State::Empty => {
                    self.codec = Some(codec(self.coding, input[0])?);
                    self.state = State::First;
                }
                State::Between if matches!(self.coding, Coding::Gzip | Coding::Zstd) => {
                    if let Some(codec) = &mut self.codec {
                        codec.reinit().map_err(corrupt)?;
                    }
                    self.state = State::Unproven;
                }
                State::Between | State::Garbage => {
                    self.state = State::Garbage;
                    *input = &[];
                }
                State::First | State::Unproven | State::Later => self.member(input)?,
            }
        }
        Ok(())
    }

    /// One call of the codec within a member.
    fn member(&mut self, input: &mut &[u8]) -> Result<(), DecodeError> {
        let Some(codec) = &mut self.codec else {
            return Ok(());
        };
        let mut output = WriteBuffer::new_initialized(&mut self.output);
        let result = if input.is_empty() {
            // Only what the codec holds back: it has seen all of its input.
            codec.flush(&mut output).map(|_| false)
        } else {
            let mut rest = PartialBuffer::new(*input);
            let result = codec.decode(&mut rest, &mut output);
            *input = &input[rest.written_len()..];
            result
        };
        self.full = output.has_no_spare_space();
        self.ready = 0..output.written_len();
        match result {
            Ok(true) => {
                self.state = State::Between;
                self.full = false;
            }
            Ok(false) if self.state == State::Unproven && !self.ready.is_empty() => {
                self.state = State::Later;
            }
            Ok(false) => {}
            Err(_) if self.state == State::Unproven => {
                self.state = State::Garbage;
                self.full = false;
            }
            Err(error) => return Err(corrupt(error)),
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), DecodeError> {
        if !matches!(self.state, State::First | State::Unproven | State::Later) {
            return Ok(());
        }
        let Some(codec) = &mut self.codec else {
            return Ok(());
        };
        let mut output = WriteBuffer::new_initialized(&mut self.output);
        match codec.finish(&mut output) {
            Ok(true) if output.written_len() == 0 => Ok(()),
            Ok(_) => Err(DecodeError {
                kind: DecodeErrorKind::Truncated,
                source: None,
            }),
            Err(error) => Err(DecodeError {
                kind: DecodeErrorKind::Truncated,
                source: Some(error),
            }),
        }
    }
}

/// The codec for a stream that begins with this byte.
fn codec(coding: Coding, first: u8) -> Result<Box<dyn DecodeV2 + Send + Sync>, DecodeError> {
    Ok(match coding {
        Coding::Gzip => Box::new(GzipDecoder::new()),
        Coding::Zstd => Box::new(ZstdDecoder::new_with_params(&[DParameter::window_log_max(
            ZSTD_WINDOW,
        )])),
        // This pattern of bits opens a window of up to 1 GiB, which is no part of the coding `br`
        // (RFC 7932 §9.1: the pattern is invalid).
        Coding::Brotli if first & 0x7f == 0x11 => {
            return Err(corrupt(io::ErrorKind::InvalidData.into()));
        }
        Coding::Brotli => Box::new(BrotliDecoder::new()),
        // Raw DEFLATE under this name is a mistake that clients have to live with (RFC 9110 §8.4.1.2).
        // It never begins with the byte of a zlib header: that would be a stored block with padding
        // that is not zero.
        Coding::Deflate if first & 0x0f == 8 && first >> 4 <= 7 => Box::new(ZlibDecoder::new()),
        Coding::Deflate => Box::new(DeflateDecoder::new()),
    })
}

fn corrupt(error: io::Error) -> DecodeError {
    DecodeError {
        kind: DecodeErrorKind::Corrupt,
        source: Some(error),
    }
}

/// Why the content of a response could not be decoded.
#[derive(Debug)]
pub struct DecodeError {
    kind: DecodeErrorKind,
    source: Option<io::Error>,
}

/// The kinds of [`DecodeError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The bytes are not what the coding says.
    Corrupt,
    /// The content ended in the middle of the coding.
    Truncated,
    /// It decodes to more than it may.
    TooLarge,
}

impl DecodeError {
    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> DecodeErrorKind {
        self.kind
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.kind {
            DecodeErrorKind::Corrupt => "the content is not in its declared coding",
            DecodeErrorKind::Truncated => "the content ended in the middle of its coding",
            DecodeErrorKind::TooLarge => "the content decodes to more than it may",
        })
    }
}

impl std::error::Error for DecodeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}
