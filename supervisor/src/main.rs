//! `striatum-supervisor-helper`: owns one agent in one terminal, and outlives who started it. It reads one line from
//! its standard input, the launch, so that nothing secret stands in its arguments or its environment, and answers one.

mod helper;

use std::process::ExitCode;

fn main() -> ExitCode {
    helper::main()
}
