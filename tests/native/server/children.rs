//! The processes that read documents, calculate and colour code: what they know, what limits them, and that they end
//! with the server.
#![cfg(unix)]

use crate::common::House;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A shell script in place of the program, which is removed in the end.
struct Fake(PathBuf);

impl Fake {
    fn new(name: &str, script: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sash-{}-{name}", std::process::id()));
        // Written by another process: a program that is open for writing in this one cannot be started.
        let mut shell = Command::new("/bin/sh")
            .args(["-c", "cat > \"$0\" && chmod 700 \"$0\""])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = shell.stdin.take().unwrap();
        input.write_all(b"#!/bin/sh\n").unwrap();
        input.write_all(script.as_bytes()).unwrap();
        drop(input);
        assert!(shell.wait().unwrap().success());
        Self(path)
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).unwrap();
    }
}

/// A server whose calculator runs this program.
async fn calculating_with(program: &Path, time: Duration) -> House {
    House::with(|settings| {
        settings.rooms.calculation.program = Some(program.to_owned());
        settings.rooms.calculation.time = time;
        settings.rooms.calculation.memory_bytes = 64 * 1024 * 1024;
    })
    .await
}

async fn calculate(house: &House, expression: &str) -> String {
    let request = json!({"expression": expression});
    let body: Value = house.post("calculate", request).await.json().await.unwrap();
    body["result"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_process_that_takes_no_limit_is_ended_when_it_has_too_much_memory() {
    // `tail` keeps what it reads until the first end of a line.
    let fake = Fake::new("grows", "exec tail /dev/zero\n");
    let house = calculating_with(&fake.0, Duration::from_secs(60)).await;
    let started = Instant::now();
    assert_eq!(
        calculate(&house, "1 + 1").await,
        "Error: this takes too much time or memory."
    );
    assert!(
        started.elapsed() < Duration::from_secs(20),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test]
async fn where_the_system_limits_no_memory_the_calculator_works() {
    let script = format!(
        "exec '{}' \"$1\" \"$2\" 18446744073709551615\n",
        env!("CARGO_BIN_EXE_sash")
    );
    let fake = Fake::new("unlimited", &script);
    let house = calculating_with(&fake.0, Duration::from_secs(20)).await;
    assert_eq!(calculate(&house, "1 + 1").await, "2");
}

#[tokio::test]
async fn a_process_inherits_no_environment() {
    let file = std::env::temp_dir().join(format!("sash-{}-inherited", std::process::id()));
    let script = format!("env > '{}'\n", file.display());
    let fake = Fake::new("environment", &script);
    let house = calculating_with(&fake.0, Duration::from_secs(20)).await;
    calculate(&house, "1 + 1").await;
    let inherited = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    // The shell has some of its own.
    let foreign = |line: &&str| {
        !["PWD=", "SHLVL=", "_="]
            .iter()
            .any(|own| line.starts_with(own))
    };
    assert_eq!(inherited.lines().find(foreign), None, "{inherited}");
    assert!(std::env::vars().count() > 3, "the server has one");
}

#[test]
fn a_process_ends_with_the_server_that_waits_for_it() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sash"))
        .args(["--calculate-one-expression", "60", "500000000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let expression = b"10000000!";
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(&(expression.len() as u64).to_le_bytes())
        .unwrap();
    input.write_all(expression).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(child.try_wait().unwrap(), None, "it is not done");
    // What the system does for a process that is killed.
    drop(input);
    let started = Instant::now();
    let mut ended = child.try_wait().unwrap();
    while ended.is_none() && started.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
        ended = child.try_wait().unwrap();
    }
    if ended.is_none() {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(ended.is_some(), "it went on");
}
