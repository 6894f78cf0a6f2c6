//! The helper as its daemon meets it: real terminals, real processes, agents that are a line of sh.
#![expect(clippy::disallowed_methods, reason = "the tests start the program and look at files and processes")]

mod agent;
mod control;
mod events;
mod family;
mod launch;
mod log;
mod place;
mod stage;
mod stop;
