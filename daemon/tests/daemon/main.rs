//! Tests of the daemon against a real PostgreSQL.

mod acknowledgement;
mod bad_input;
mod boundary;
mod broken;
mod configuration;
mod drain;
mod export;
mod exposed;
mod hash;
mod install;
mod one_serves;
mod other_user;
mod parked;
mod plan;
mod preamble;
mod program;
mod recover;
mod repo_add;
mod request;
mod room;
mod secrets;
mod sessions;
mod shell_word;
mod stage;
mod tokens;
mod waiting;
