//! The files of `packaging`, checked by what reads them on the machines that they are for.

use std::fs;
use std::path::{Path, PathBuf};

use super::steps::{Step, must, skip, take};
use crate::test::tally::Tally;
use crate::{Result, exec, place, tools};

/// Above this exposure, in tenths of the scale of `systemd-analyze security`, a unit leaves open what Sash does not need.
const MAX_EXPOSURE: &str = "20";

/// The steps that need systemd.
const UNITS: [Step<PathBuf>; 3] = [
    (
        "systemd finds no mistake in the service of the machine",
        |folder| verify(folder, "sash.service", "--system"),
    ),
    (
        "systemd finds no mistake in the service of a person",
        |folder| verify(folder, "user/sash.service", "--user"),
    ),
    (
        "the service of the machine is open for no more than it needs",
        exposure,
    ),
];
/// The steps that need Python, which reads launchd's files.
const AGENT: [Step<PathBuf>; 2] = [
    (
        "launchd starts the agent at login and after a crash",
        agent_keys,
    ),
    (
        "the agent finds the program in the person's folder, and its log is where the file says",
        agent_runs,
    ),
];
/// The steps that need Node.js.
const COMPOSE: [Step<PathBuf>; 2] = [
    (
        "the compose file fits the schema of the Compose Specification",
        |_| {
            let wrong = compose_errors(&packaged("container/compose.yaml"))?;
            must(wrong.is_empty(), wrong)
        },
    ),
    ("a key that the schema does not know is refused", |folder| {
        unknown_key(folder)
    }),
];

/// Checks them.
pub fn check() -> Result<Tally> {
    let folder = place::scratch().join("package/files");
    fs::remove_dir_all(&folder).ok(); // The folder may not exist.
    fs::create_dir_all(&folder).map_err(|e| format!("{} cannot be made: {e}", folder.display()))?;
    let has = |program| place::on_path(&[program]).is_some();
    let mut tally = match has("systemd-analyze") {
        true => take(&folder, &UNITS),
        false => skip("units", "there is no systemd-analyze here"),
    };
    tally += match has("python3") {
        true => take(&folder, &AGENT),
        false => skip("launchd agent", "there is no python3 here"),
    };
    tools::npm_packages()?;
    tally += take(&folder, &COMPOSE);
    Ok(tally)
}

fn packaged(name: &str) -> PathBuf {
    place::root().join("packaging").join(name)
}

fn read(name: &str) -> Result<String> {
    fs::read_to_string(packaged(name)).map_err(|e| format!("packaging/{name}: {e}"))
}

/// Has systemd read a unit. The program is not installed here, so another one stands in its place.
fn verify(folder: &Path, unit: &str, of: &str) -> Result {
    let text = read(&format!("systemd/{unit}"))?;
    let there = text.replace("ExecStart=sash", "ExecStart=/bin/true");
    must(there != text, "no ExecStart=sash")?;
    let file = folder.join("sash.service");
    fs::write(&file, there).map_err(|e| format!("{}: {e}", file.display()))?;
    let said = exec::command("systemd-analyze")
        .args([of, "verify"])
        .arg(&file)
        // systemd asks for it where a person's services are read.
        .env("XDG_RUNTIME_DIR", folder)
        .output()
        .map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    // It reads what else is installed, and says what is wrong there too.
    let ours: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("sash.service"))
        .collect();
    must(ours.is_empty(), ours.join("\n"))
}

fn exposure(_: &PathBuf) -> Result {
    let said = exec::output(
        exec::command("systemd-analyze")
            .args([
                "security",
                "--no-pager",
                "--offline=true",
                "--threshold",
                MAX_EXPOSURE,
            ])
            .arg(packaged("systemd/sash.service")),
    )?;
    println!("{}", said.lines().last().unwrap_or_default());
    Ok(())
}

fn agent() -> Result<serde_json::Value> {
    let script =
        "import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], 'rb'))))";
    let text = exec::output(
        exec::command("python3")
            .args(["-c", script])
            .arg(packaged("launchd/local.sash.plist")),
    )?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

fn agent_keys(_: &PathBuf) -> Result {
    let agent = agent()?;
    must(agent["Label"] == "local.sash", &agent)?;
    must(
        agent["RunAtLoad"] == true && agent["KeepAlive"]["SuccessfulExit"] == false,
        &agent,
    )?;
    // launchd reads the number as it stands: 63 is 077.
    must(agent["Umask"] == 0o077, &agent)
}

/// Runs the agent's command with a person's folder, and another program in the place of Sash.
fn agent_runs(folder: &PathBuf) -> Result {
    let failed = |e: std::io::Error| e.to_string();
    let [bin, logs] = [".local/bin", "Library/Logs"].map(|name| folder.join(name));
    fs::create_dir_all(&bin)
        .and_then(|()| fs::create_dir_all(&logs))
        .map_err(failed)?;
    let program = bin.join("sash");
    fs::write(&program, "#!/bin/sh\necho it runs\n").map_err(failed)?;
    exec::run(exec::command("chmod").arg("755").arg(&program))?;
    let agent = agent()?;
    let words = agent["ProgramArguments"].as_array().into_iter().flatten();
    let words: Vec<&str> = words.filter_map(serde_json::Value::as_str).collect();
    let [shell, arguments @ ..] = words.as_slice() else {
        return Err("there are no ProgramArguments".into());
    };
    let mut command = exec::command(shell);
    exec::run(command.args(arguments).env("HOME", folder))?;
    let log = fs::read_to_string(logs.join("sash.log")).map_err(failed)?;
    must(log == "it runs\n", log)
}

/// What is wrong with a compose file, a line each.
fn compose_errors(file: &Path) -> Result<String> {
    exec::output(
        exec::command("node")
            .arg(place::root().join("xtask/src/test/package/compose.mjs"))
            .arg(file)
            .arg(place::end2end()),
    )
}

fn unknown_key(folder: &Path) -> Result {
    let file = folder.join("compose.yaml");
    let text = read("container/compose.yaml")?.replace("read_only:", "readonly:");
    fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
    let wrong = compose_errors(&file)?;
    must(wrong.starts_with("/services/sash "), wrong)
}
