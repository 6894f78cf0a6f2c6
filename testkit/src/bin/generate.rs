//! `generate FOLDER`: writes the generated files below FOLDER anew and says which of them changed.
#![expect(clippy::disallowed_methods, reason = "writes the generated files of the source tree")]

use std::{env, fs};

use anyhow::{Context as _, Result};
use striatum_testkit::generated;

#[tokio::main]
async fn main() -> Result<()> {
    let folder = env::args().nth(1).context("usage: generate FOLDER (contract or docs)")?;
    for generated in generated::all().await?.into_iter().filter(|file| file.path.starts_with(&folder)) {
        let unchanged = fs::read_to_string(generated.file()).is_ok_and(|text| text == generated.text);
        if !unchanged {
            fs::write(generated.file(), &generated.text)
                .with_context(|| format!("writing {}", generated.path))?;
        }
        println!("{}: {}", generated.path, if unchanged { "unchanged" } else { "written" });
    }
    Ok(())
}
