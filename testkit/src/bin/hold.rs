//! `hold [kill|start]...`: holds a server until it is itself killed, or its standard input ends. Does to the server
//! first what it is told, and then prints the folder of its socket. For the test that a server ends with its process.

use std::{env, io};

use anyhow::{Result, bail};
use striatum_testkit::server;

fn main() -> Result<()> {
    let server = server(&[])?;
    for order in env::args().skip(1) {
        match order.as_str() {
            "kill" => server.kill_postmaster()?,
            "start" => server.start_again()?,
            other => bail!("usage: hold [kill|start]..., and not {other}"),
        }
    }
    println!("{}", server.socket().display());
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}
