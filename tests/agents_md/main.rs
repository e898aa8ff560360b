//! The agents.md file: what the documents of the specification mean, what reads back, what is refused, how it is
//! served.
#![cfg(feature = "agents-md")]

mod building;
mod reading;
mod roundtrip;
mod serving;
mod specification;
