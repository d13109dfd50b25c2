//! A dry run of the workflows of a release: their commands that need no host are run in order, as they stand there.
//!
//! Of the matrix the row of this machine is taken. What is not run is named, and a command that nobody judged fails.

mod jobs;
mod rules;

use std::process::Command;

use super::steps::skip;
use crate::test::context;
use crate::test::tally::Tally;
use crate::{Result, exec, package, place, tools};
use jobs::{Action, jobs};
use rules::{Rule, rule};

/// What builds a release.
const RELEASE: &str = ".github/workflows/release.yml";
/// What makes its image, once it is published.
const IMAGE: &str = ".github/workflows/image.yml";

/// Prints a YAML file as JSON.
const TO_JSON: &str = "const { parse } = require('yaml'); \
    process.stdout.write(JSON.stringify(parse(require('fs').readFileSync(process.argv[1], 'utf8'))))";

/// Runs the workflows as for a tag of the present version.
pub fn check() -> Result<Tally> {
    context::building(tools::npm_packages)?;
    let (release, image) = (read(RELEASE)?, read(IMAGE)?);
    let here = package::Target::of_this_machine()?;
    let tag = format!("v{}", package::version()?);
    let mut tally = targets(&release);
    for workflow in [release, image] {
        for job in jobs(&workflow, here.triple())? {
            println!("-- job {}", job.name);
            for action in &job.actions {
                tally += take(action, &tag);
            }
        }
    }
    // What the image's job left, if buildah is here.
    exec::output(exec::command("buildah").args(["manifest", "rm", "sash"])).ok();
    std::fs::remove_dir_all(place::scratch().join("image")).ok();
    Ok(tally)
}

/// A workflow.
fn read(file: &str) -> Result<serde_json::Value> {
    let text = exec::output(
        exec::command("node")
            .args(["-e", TO_JSON])
            .arg(place::root().join(file))
            .current_dir(place::end2end()),
    )?;
    serde_json::from_str(&text).map_err(|e| format!("{file} is unreadable: {e}"))
}

/// Whether the matrix has the targets of a release, each once.
fn targets(workflow: &serde_json::Value) -> Tally {
    let rows = jobs::rows(workflow);
    let rows: Vec<_> = rows
        .iter()
        .filter_map(|row| row["target"].as_str())
        .collect();
    match rows == package::RELEASED {
        true => Tally::PASSED,
        false => failed(&format!(
            "the matrix has {rows:?}, and a release {:?}",
            package::RELEASED
        )),
    }
}

fn take(action: &Action, tag: &str) -> Tally {
    let command = match action {
        Action::Host(uses) => {
            println!("left out: {uses} is the host's");
            return Tally::default();
        }
        Action::Run(command) => command,
    };
    println!("$ {command}");
    let outcome = match rule(command) {
        None => return failed(&format!("there is no rule for `{command}`")),
        Some(Rule::LeftOut(why)) => {
            println!("left out: {why}");
            return Tally::default();
        }
        Some(Rule::Notes) if package::notes(None).is_err() => {
            let why = package::notes(None).err().unwrap_or_default();
            return skip(command, &why);
        }
        Some(Rule::Program(program)) if place::on_path(&[program]).is_none() => {
            return skip(command, &format!("there is no {program} here"));
        }
        Some(Rule::Notes | Rule::Program(_) | Rule::Run) => exec::run(&mut bash(command, tag)),
        Some(Rule::Files(files)) => {
            println!("left out: it makes the release at the host; these are its files:");
            exec::run(&mut bash(&format!("ls {files}"), tag))
        }
    };
    match outcome {
        Ok(()) => Tally::PASSED,
        Err(why) => failed(&why),
    }
}

/// A shell as the host's, with the variables that the host sets.
fn bash(command: &str, tag: &str) -> Command {
    let mut bash = exec::command("bash");
    bash.args(["-e", "-o", "pipefail", "-c", command])
        .env("GITHUB_REF_NAME", tag);
    bash
}

fn failed(why: &str) -> Tally {
    println!("FAILED: {why}");
    context::note(vec![format!("FAILED: {why}")]);
    Tally::FAILED
}
