//! striatumd: the thin daemon in front of the database that is the system.

pub mod bootstrap;
pub mod config;
mod course;
pub mod db;
pub mod door;
pub mod effect;
pub mod exchange;
mod fault;
pub mod install;
pub mod lanes;
pub mod log;
pub mod observe;
pub mod outbox;
pub mod parked;
pub mod recover;
pub mod runtime_dir;
pub mod said;
pub mod secret;
pub mod serve;
pub mod transport;
mod waiting;
