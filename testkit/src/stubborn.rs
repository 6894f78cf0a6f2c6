//! A client that asks until it is told.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Client, until};

/// Asks under one request id until there is an answer that another try would not change, over a new connection wherever
/// one broke.
pub struct Stubborn {
    socket: PathBuf,
    token: String,
    client: Option<Client>,
    /// How often a connection broke, or could not be had.
    pub broken: u32,
}

impl Stubborn {
    /// One that has not asked yet.
    pub fn new(socket: &Path, token: &str) -> Self {
        Self { socket: socket.to_owned(), token: token.to_owned(), client: None, broken: 0 }
    }

    /// The answer. Blocks, also while nobody listens.
    pub fn ask(&mut self, request_id: &str, method: &str, params: &Value) -> Value {
        let mut reply = Value::Null;
        until(&format!("{method} is answered"), || {
            let heard = self.once(request_id, method, params);
            heard.is_ok_and(|heard| {
                reply = heard;
                !is_to_be_repeated(&reply)
            })
        });
        reply
    }

    fn once(&mut self, request_id: &str, method: &str, params: &Value) -> anyhow::Result<Value> {
        let mut client = match self.client.take() {
            Some(client) => client,
            None => {
                Client::greeted(&self.socket).inspect_err(|_| self.broken += 1)?.0.with_token(&self.token)
            }
        };
        let reply = client.ask_as(request_id, method, params.clone()).inspect_err(|_| self.broken += 1)?;
        // A daemon that has not served since it parked wants to be greeted.
        if !is_to_be_repeated(&reply) {
            self.client = Some(client);
        }
        Ok(reply)
    }
}

/// A refusal of a code that says so, or a success whose effects are not finished.
fn is_to_be_repeated(reply: &Value) -> bool {
    let code = reply["error"]["code"].as_str();
    let known =
        striatum_contract::refusal::ERROR_CODES.iter().find(|known| Some(known.code.as_str()) == code);
    known.is_some_and(|known| known.is_retryable) || reply["effects"] == "pending"
}
