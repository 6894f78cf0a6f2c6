//! The vocabulary that every part of striatum shares. Nothing here does input or output.

pub mod artifact;
pub mod catalogue;
pub mod drawing;
pub mod hash;
mod json;
pub mod methods;
pub mod nearest;
pub mod next;
pub mod problem;
pub mod refusal;
pub mod reply;
pub mod request;
pub mod runtime;
pub mod shell_word;
pub mod terminal;
pub mod token;
pub mod workflow;
