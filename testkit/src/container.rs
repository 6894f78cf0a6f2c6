//! A server in a container of the local engine, from the image that `scripts/postgres-image` builds.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::{OnceLock, mpsc};
use std::{fs, mem};

use anyhow::{Context as _, Result, bail};
use testcontainers::core::Mount;
use testcontainers::runners::AsyncRunner as _;
use testcontainers::{GenericImage, ImageExt as _};
use tokio::runtime::{Builder, Runtime};

use crate::keeper::Keeper;

const KEEPER: &str = concat!(include_str!("cluster.sh"), include_str!("container.sh"));
const SERVER: &str = concat!(include_str!("cluster.sh"), include_str!("container_server.sh"));

/// Starts a container that puts its socket into a folder of ours and has no network. Each setting is a line of
/// `postgresql.conf` (`name = value`).
///
/// # Errors
/// Where no engine answers, the image is missing, or the server does not start; its log is shown.
pub(crate) fn start(settings: &[&str]) -> Result<Keeper> {
    let mut command = Command::new("sh");
    command.args(["-c", KEEPER, "container.sh"]);
    let keeper = Keeper::start(command).context("starting the keeper of a container")?;
    let name =
        keeper.folder().parent().and_then(Path::file_name).context("the keeper's folder has a name")?;
    let name = name.to_str().context("a name of ASCII")?.to_owned();
    let making = make(name, keeper.folder().to_owned().display().to_string(), settings)?;
    // Not on the caller's runtime: that may be the one that waits here.
    let (tell, hear) = mpsc::channel();
    runtime()?.spawn(async move { tell.send(making.await) });
    hear.recv()
        .context("the maker of containers panicked")?
        .context("making a container (`make test-container` brings what that needs)")?;
    keeper.order("ready")?;
    Ok(keeper)
}

/// What makes the container and starts it.
fn make(name: String, folder: String, settings: &[&str]) -> Result<impl Future<Output = Result<()>> + use<>> {
    let image = image()?;
    let (repository, tag) = image.rsplit_once(':').context("an image has a tag")?;
    let us = fs::metadata("/proc/self").context("asking for the user of this process")?;
    let mut arguments =
        vec!["sh".to_owned(), "/striatum.sh".into(), us.uid().to_string(), us.gid().to_string()];
    arguments.extend(settings.iter().map(|&setting| setting.to_owned()));
    let container = GenericImage::new(repository, tag)
        .with_container_name(name)
        .with_label("striatum-test", "server")
        .with_mount(Mount::bind_mount(folder, "/run/striatum"))
        .with_copy_to("/striatum.sh", SERVER.as_bytes().to_vec())
        .with_host_config_modifier(|host| host.network_mode = Some("none".to_owned()))
        .with_cmd(arguments);
    Ok(async move {
        // Its own guard ends with this process; the keeper, which does not, takes the container away.
        mem::forget(container.start().await?);
        Ok(())
    })
}

/// The image's name, as the script that builds it says it.
fn image() -> Result<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/postgres-image");
    let answer = Command::new(script).arg("--name").output().context("running scripts/postgres-image")?;
    if !answer.status.success() {
        bail!("scripts/postgres-image: {}", String::from_utf8_lossy(&answer.stderr));
    }
    Ok(String::from_utf8(answer.stdout).context("the name of an image")?.trim().to_owned())
}

/// The one runtime on which all containers are made: they share a connection to the engine.
fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let made = || Builder::new_multi_thread().worker_threads(1).enable_all().build();
    RUNTIME.get_or_init(|| made().map_err(|error| error.to_string())).as_ref().map_err(anyhow::Error::msg)
}
