//! What the helper and its one client, the daemon, have in common: the launch, the events, the requests, and whether a
//! process is still the one that was meant, and which ones belong to it. The shapes are in docs/reference/helper.md.

pub mod client;
pub mod event;
pub mod family;
pub mod launch;
pub mod lines;
pub mod pidfile;
pub mod process;
pub mod request;
pub mod tree;
