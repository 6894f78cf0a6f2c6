//! The vocabulary that every part of striatum shares. Nothing here does input or output.

pub mod hash;
pub mod refusal;
