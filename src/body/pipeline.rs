//! The part of a conversion that does not wait: bytes of the content in, Markdown out.

use super::decode::{DecodeError, Decoder};
use crate::BoxError;
use crate::coding::Coding;
use crate::convert::{ConvertError, Converter};
use crate::observe::Reason;
use crate::settings::Limits;
use bytes::Bytes;

/// Input that the converter gets at once, in bytes: after each piece the amount of output is looked at.
const PIECE: usize = 8 << 10;

/// Why a page could not be converted to its end.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) reason: Reason,
    pub(crate) error: BoxError,
}

pub(super) struct Pipeline {
    decoder: Option<Decoder>,
    /// Whether the decoder may have more output without further input.
    draining: bool,
    converter: Converter,
}

impl Pipeline {
    pub(super) fn new(codings: &[Coding], converter: Converter, limits: Limits) -> Self {
        Self {
            decoder: Decoder::new(codings, limits),
            draining: false,
            converter,
        }
    }

    pub(super) fn converter(&mut self) -> &mut Converter {
        &mut self.converter
    }

    /// Whether there is something to do before more input is needed.
    pub(super) fn has_work(&self, input: &Bytes) -> bool {
        self.draining || !input.is_empty()
    }

    /// Converts one piece from the front of `input`. Gives the number of bytes that it dealt with, in
    /// front of the decoder and behind it.
    pub(super) fn feed(&mut self, input: &mut Bytes) -> Result<usize, Failure> {
        let Some(decoder) = &mut self.decoder else {
            let piece = input.split_to(input.len().min(PIECE));
            self.converter.write(&piece).map_err(not_converted)?;
            return Ok(piece.len());
        };
        let before = input.len();
        let piece = decoder.decode(input).map_err(not_decoded)?;
        self.draining = !piece.is_empty();
        self.converter.write(piece).map_err(not_converted)?;
        Ok(before - input.len() + piece.len())
    }

    /// The end of the content.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if let Some(decoder) = &mut self.decoder {
            decoder.finish().map_err(not_decoded)?;
        }
        self.converter.finish().map_err(not_converted)
    }
}

fn not_converted(error: ConvertError) -> Failure {
    Failure {
        reason: Reason::ConvertFailed,
        error: error.into(),
    }
}

fn not_decoded(error: DecodeError) -> Failure {
    Failure {
        reason: Reason::DecodeFailed,
        error: error.into(),
    }
}
