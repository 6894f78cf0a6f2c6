//! striatumd: the thin daemon in front of the database that is the system.

pub mod install;
