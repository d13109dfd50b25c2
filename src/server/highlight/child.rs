//! The process that colours one block: this program, started by itself with a flag that is nobody else's.

use super::colour::Lines;
use super::grammars;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Says that the program is to colour one block and end. After it come the milliseconds it may take and the bytes
/// of the longest line; on its input the language, a line end, and the code.
pub(super) const FLAG: &str = "--colour-one-block";

/// Colours a block, if that is what this process was started for.
#[must_use]
pub fn child() -> Option<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next()? != FLAG {
        return None;
    }
    let mut number = || arguments.next()?.parse::<u32>().ok();
    Some(match (number(), number()) {
        (Some(time), Some(line)) => match serve(time, line) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        _ => ExitCode::FAILURE,
    })
}

fn serve(time: u32, line: u32) -> io::Result<()> {
    let until = Instant::now() + Duration::from_millis(time.into());
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let (language, code) = input.split_once('\n').unwrap_or_default();
    let lines = Lines {
        longest: line as usize,
        go_on: &|| Instant::now() < until,
    };
    let runs = grammars::colour(language, code, &lines);
    io::stdout().write_all(runs.as_bytes())
}
