//! The program of the archive: its size; run, stopped, run again, and replaced by unpacking while it runs.

use std::path::{Path, PathBuf};

use super::ask::ask;
use super::packages;
use super::steps::{Step, must, take};
use crate::bench::probe::Server;
use crate::test::tally::Tally;
use crate::{Result, bench, exec, place};

const STEPS: [Step<PathBuf>; 3] = [
    (
        "the program of the archive is not larger than its limit",
        |program| size(program),
    ),
    (
        "the program of the archive runs, stops and runs again",
        |program| {
            for _ in 0..2 {
                calculates(&start(program)?)?;
            }
            Ok(())
        },
    ),
    (
        "a program that is replaced while it runs goes on, with its processes",
        |program| {
            let running = start(program)?;
            calculates(&running)?;
            packages::unpack_over(&folder())?;
            calculates(&running)?;
            exec::output(exec::command(program).arg("--version")).map(drop)
        },
    ),
];

/// Checks it.
pub fn check() -> Result<Tally> {
    let program = packages::unpack(&folder())?;
    Ok(take(&program, &STEPS))
}

fn folder() -> PathBuf {
    place::scratch().join("package/replaced")
}

/// By the limit of the release that `cargo xtask bench` measures, which is not linked statically.
fn size(program: &Path) -> Result {
    let row = bench::size_of(program)?;
    println!("{row}");
    must(row.verdict == Some(true), row)
}

fn start(program: &Path) -> Result<Server> {
    Server::start(program, &folder())
}

/// What a process of the same program does for it.
fn calculates(server: &Server) -> Result {
    let answer = ask(server.address(), "calculate", r#"{"expression":"6*7"}"#)?;
    must(answer["result"] == "42", answer)
}
