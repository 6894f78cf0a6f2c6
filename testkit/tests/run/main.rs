//! Whole runs: a real PostgreSQL, the built daemon, helpers, terminals, git and command line; agents without a model.
#![expect(
    clippy::disallowed_methods,
    reason = "the tests start programs, kill them, and look at what they left"
)]

mod canceled;
mod completes;
mod crashes;
mod each_event;
mod edited;
mod flaky;
mod killed;
mod left_behind;
mod limits;
mod lost_files;
mod odd_agents;
mod programs;
mod restarts;
mod revision;
mod shapes;
mod silent;
mod stage;
mod workflow;
