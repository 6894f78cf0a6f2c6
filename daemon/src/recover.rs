//! `token recover`: a new administrator's token, for whoever may start the daemon and has lost the old one.

use std::time::Duration;

use serde_json::{Map, Value, json};
use striatum_contract::refusal::Refusal;

use crate::bootstrap::{self, NotServing};
use crate::config::Config;
use crate::door::Phase;
use crate::observe::minted_secret::{self, Minted};
use crate::outbox;
use crate::runtime_dir::RuntimeDir;
use crate::said::Said;

/// How long the call may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Takes the daemon's place for a moment, makes the client and writes its token. The daemon has to stand still: two do
/// not serve at once, and the token file is the one of the runtime directory.
///
/// # Errors
/// A daemon runs, the database cannot be served from, or the token could not be written.
pub async fn recover(config: &Config) -> Result<Said, Refusal> {
    let runtime_dir = RuntimeDir::claim(&config.runtime_dir).map_err(stop_first)?;
    let serving = bootstrap::start(config).await.map_err(|not| match not {
        NotServing::End(refusal) => stop_first(refusal),
        NotServing::Wait(parked) => parked.refusal(),
    })?;
    let minted =
        Minted::make().map_err(|error| failed(&format!("the system has no randomness to give: {error}")))?;
    let observed = Map::from_iter([(minted_secret::NAME.to_owned(), minted.fact())]);
    let request_id = Some(format!("token-recover-{}", serving.identity.instance_id));
    let ask = outbox::internal("client.recover", request_id, Phase::Decide, &json!({}), observed, PATIENCE);
    let answer = serving.door.call(&ask).await.map_err(|error| failed(&error.to_string()))?;
    let data: Option<Value> = answer.data.and_then(|data| serde_json::from_str(data.get()).ok());
    let Some(client_id) = data.as_ref().and_then(|data| data["client_id"].as_str()) else {
        return Err(failed(answer.error.as_ref().map_or("no client was answered", |error| error.get())));
    };
    let path = runtime_dir.write_token(&minted.token(client_id)).map_err(|error| {
        Refusal::new(
            "runtime_dir_unsafe",
            format!("client {client_id} was made, and its token could not be written: {error}"),
            ["striatum token recover".to_owned()],
        )
    })?;
    let shown = path.display();
    Ok(Said {
        text: format!(
            "the token of the new administrator {client_id} is in {shown}\nnext:  striatum daemon start\n"
        ),
        data: json!({"client_id": client_id, "token_file": path.to_string_lossy(), "audit_id": answer.audit_id}),
    })
}

/// Whoever has no token cannot ask a daemon to end.
fn stop_first(refusal: Refusal) -> Refusal {
    if refusal.code != "daemon_already_serving" {
        return refusal;
    }
    let next = ["striatum local down --daemon-only", "striatum token recover"];
    Refusal { next: next.map(str::to_owned).to_vec(), ..refusal }
}

/// What went wrong goes to the log alone.
fn failed(said: &str) -> Refusal {
    tracing::error!(said, "no client was made");
    Refusal::new("internal_error", "the new client could not be made", ["striatum token recover".to_owned()])
}
