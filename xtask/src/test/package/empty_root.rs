//! The program in an empty root: nothing beside it, as in an image that has nothing else.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::ask::ask;
use super::packages;
use super::steps::{Step, must, skip, take};
use crate::bench::probe;
use crate::test::tally::Tally;
use crate::{Result, bench, exec, place};

/// Within what time a program ends that has nothing to do. Docker kills what goes on for ten seconds.
const AT_ONCE: Duration = Duration::from_secs(3);

/// The program in its root.
struct Root(PathBuf);

const STEPS: [Step<Root>; 5] = [
    (
        "the program runs with nothing beside it, and hands out its page",
        page,
    ),
    ("the demo answers", demo),
    (
        "without /proc it says what it cannot do, and answers on",
        without_proc,
    ),
    (
        "where no name can be looked up, it says that Ollama does not answer",
        unknown_name,
    ),
    (
        "as the first process of a container it ends at once when it is told to",
        first_process,
    ),
];

/// Checks it. Where no root can be changed, that is skipped.
pub fn check() -> Result<Tally> {
    let folder = place::scratch().join("package/empty");
    if let Err(why) = exec::output(unshare(Path::new("/")).arg("true")) {
        return Ok(skip("empty root", &why));
    }
    let program = packages::unpack(&folder)?;
    let root = folder.join("root");
    fs::create_dir(&root)
        .and_then(|()| fs::rename(&program, root.join("sash")))
        .map_err(|e| format!("{}: {e}", root.display()))?;
    Ok(take(&Root(root), &STEPS))
}

/// A command that changes the root. What it starts is the first process of its own, and ends with it.
fn unshare(root: &Path) -> std::process::Command {
    let mut unshare = exec::command("unshare");
    unshare
        .args(["--map-root-user", "--pid", "--fork", "--kill-child"])
        .arg(format!("--root={}", root.display()))
        .env_clear();
    unshare
}

/// A running Sash.
struct Running {
    process: Child,
    address: String,
}

impl Running {
    fn start(root: &Root, arguments: &[&str]) -> Result<Self> {
        let address = probe::free_address()?;
        let mut unshare = unshare(&root.0);
        unshare
            .args(["/sash", "--listen", &address])
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let process = unshare.spawn().map_err(|e| format!("unshare: {e}"))?;
        let mut running = Self { process, address };
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(10) {
            if probe::get(&running.address, "/health").is_ok() {
                return Ok(running);
            }
            if let Ok(Some(status)) = running.process.try_wait() {
                return Err(format!("it ended ({status}): {}", running.log()));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err("it does not answer /health".into())
    }

    fn ask(&self, name: &str, body: &str) -> Result<Value> {
        ask(&self.address, name, body)
    }

    /// Ends it, and returns what it logged.
    fn log(&mut self) -> String {
        self.process.kill().ok(); // It may have ended by itself.
        let mut text = String::new();
        let log = self.process.stderr.take();
        if let Some(Err(error)) = log.map(|mut log| log.read_to_string(&mut text)) {
            text += &error.to_string();
        }
        text
    }

    /// The process of Sash, which is a child of what changed the root.
    fn first_process(&self) -> Result<String> {
        let id = self.process.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
        let children = children.map_err(|e| e.to_string())?;
        children
            .split_whitespace()
            .next()
            .map(str::to_owned)
            .ok_or_else(|| "no child".into())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.process.kill().ok(); // It may have ended by itself.
        self.process.wait().ok();
    }
}

fn page(root: &Root) -> Result {
    let sash = Running::start(root, &["--demo"])?;
    let page = probe::get(&sash.address, "/")?;
    must(page.contains("shell"), &page)?;
    for name in bench::loaded(&page) {
        let file = probe::get(&sash.address, &format!("/{name}"))?;
        must(
            !name.ends_with(".wasm") || file.starts_with("\0asm"),
            format!("/{name}, no WebAssembly"),
        )?;
    }
    Ok(())
}

fn demo(root: &Root) -> Result {
    let sash = Running::start(root, &["--demo"])?;
    let models = sash.ask("models", "{}")?;
    let name = models["models"][0]["name"].as_str().unwrap_or_default();
    let last = sash.ask(
        "response",
        &format!("{{\"model\":\"{name}\",\"prompt\":\"Hello\"}}"),
    )?;
    must(last["type"] == "done", last)
}

fn without_proc(root: &Root) -> Result {
    let mut sash = Running::start(root, &["--demo"])?;
    let colours = sash.ask("highlight", r#"{"language":"rust","code":"fn main() {}"}"#)?;
    must(colours["runs"] == "", colours)?;
    let result = sash.ask("calculate", r#"{"expression":"6*7"}"#)?;
    must(
        result["result"]
            .as_str()
            .is_some_and(|text| text.starts_with("Error: ")),
        result,
    )?;
    // "A text" in base64.
    let text = sash.ask("extract", r#"{"data":"QSB0ZXh0"}"#)?;
    must(text["error"]["message"].is_string(), text)?;
    let log = sash.log();
    must(
        log.contains("cannot start the processes that read documents"),
        log,
    )
}

fn unknown_name(root: &Root) -> Result {
    let sash = Running::start(root, &["--ollama", "http://nowhere.invalid:11434"])?;
    let state = sash.ask("state", "{}")?;
    must(
        state["reachable"] == false && state["fault"]["message"].is_string(),
        state,
    )
}

fn first_process(root: &Root) -> Result {
    let mut sash = Running::start(root, &["--demo"])?;
    exec::run(exec::command("kill").args(["-TERM", &sash.first_process()?]))?;
    let since = Instant::now();
    while since.elapsed() < AT_ONCE {
        if let Some(status) = sash.process.try_wait().map_err(|e| e.to_string())? {
            return must(status.success(), status);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err(format!("it did not end within {AT_ONCE:?}"))
}
