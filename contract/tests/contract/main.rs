//! Tests of the shared vocabulary.

mod hash;
mod refusal;
