//! Stands for the decoder where the feature `decompression` is off: there is no coding to take off.

use crate::coding::Coding;
use crate::settings::Limits;
use bytes::Bytes;

pub(super) type DecodeError = std::convert::Infallible;

/// Cannot be made, as no [`Coding`] can.
pub(super) enum Decoder {}

impl Decoder {
    pub(super) fn new(_: &[Coding], _: Limits) -> Option<Self> {
        None
    }

    pub(super) fn decode(&mut self, _: &mut Bytes) -> Result<&[u8], DecodeError> {
        match *self {}
    }

    pub(super) fn finish(&mut self) -> Result<(), DecodeError> {
        match *self {}
    }
}
