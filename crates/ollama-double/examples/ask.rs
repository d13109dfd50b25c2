//! Starts a stand-in on a free port and sends it a question over HTTP.
//!
//! `cargo run -p ollama-double --example ask`

use ollama_double::{Config, StandIn};
use std::error::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let config = Config::one_model();
    let model = config
        .models
        .first()
        .map(|model| model.name.clone())
        .unwrap_or_default();
    let stand_in = StandIn::start(config)?;
    let body = format!(
        r#"{{"model":"{model}","messages":[{{"role":"user","content":"Which messages do you see?"}}]}}"#
    );
    let mut response = reqwest::Client::new()
        .post(format!("{}/api/chat", stand_in.url()))
        .body(body)
        .send()
        .await?;
    while let Some(chunk) = response.chunk().await? {
        print!("{}", String::from_utf8_lossy(&chunk));
    }
    stand_in.stop();
    Ok(())
}
