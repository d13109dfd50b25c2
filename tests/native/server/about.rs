//! What the server tells of the program that it is.

use crate::common::{House, Shelf, client, shelf};
use about::{PROGRAM, Program};
use sash::program::{ProgramConfig, RunningServer};
use sash_wire::EngineState;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;

/// What the state of an engine tells of the program, at a server of these files.
async fn told(files: Shelf) -> Program {
    let mut settings = ProgramConfig::default();
    settings.server.listen.set_port(0);
    settings.server.demo = true;
    let running = RunningServer::start(&settings, Arc::new(files)).await;
    let running = running.unwrap();
    let url = format!("http://{}/api/v1/state", running.address());
    let state = client().post(url).json(&json!({})).send().await.unwrap();
    let state: EngineState = state.json().await.unwrap();
    running.stop().await;
    state.told(PROGRAM).unwrap()
}

#[tokio::test]
async fn the_state_of_an_engine_tells_the_program_and_the_file_that_its_page_runs_from() {
    let mut files = shelf();
    let index = r#"<script src="/boot.js" data-js="/a.js" data-wasm="/a_bg.wasm"></script>"#;
    files.0.insert("index.html", index.as_bytes());
    let program = told(files).await;
    assert_eq!(program.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(program.page.as_deref(), Some("/a_bg.wasm"));
}

#[tokio::test]
async fn a_program_without_a_page_tells_the_rest() {
    let program = told(Shelf(HashMap::new())).await;
    assert_eq!(program.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(program.page, None);
}

#[tokio::test]
async fn the_changelog_is_in_the_program_and_begins_with_its_newest_version() {
    let house = House::new().await;
    let answer = house.post("changelog", json!({})).await;
    assert_eq!(answer.status(), 200);
    let text: String = answer.json().await.unwrap();
    assert!(text.starts_with("## "), "{text:.100}");
    assert!(include_str!("../../../CHANGELOG.md").ends_with(&format!("{text}\n")));
}
