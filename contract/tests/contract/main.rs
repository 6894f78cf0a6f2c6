//! Tests of the shared vocabulary.

mod artifact;
mod hash;
mod methods;
mod nearest;
mod refusal;
mod reply;
mod request;
mod request_any;
mod runtime;
mod shell_word;
mod terminal;
mod token;
