//! Asks the server functions of a running Sash.

use std::io::Read;
use std::time::Duration;

use serde_json::Value;

use crate::Result;
use crate::bench::probe;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The answer of a server function; of a stream its last frame.
pub fn ask(address: &str, name: &str, body: &str) -> Result<Value> {
    let mut answer = String::new();
    probe::post(address, &format!("/api/v1/{name}"), body, PATIENCE)?
        .read_to_string(&mut answer)
        .map_err(|e| format!("{name}: {e}"))?;
    let last = answer.lines().rfind(|line| line.starts_with('{'));
    serde_json::from_str(last.unwrap_or_default()).map_err(|e| format!("{name}: {e}: {answer}"))
}
