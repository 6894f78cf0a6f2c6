//! Tests of the daemon against a real PostgreSQL.

mod hash;
mod install;
mod preamble;
