//! The child process that highlights one block: this program, started by itself with a private flag.

use super::grammar::ParseLimits;
use super::grammars;
use sash_child::read_input;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The flag that makes the program highlight one block and exit. It is followed by the time limit in
/// milliseconds and the longest line in bytes; the input is the language, a line end, and the code.
pub(super) const FLAG: &str = "--highlight-one-block";

/// Highlights a block if this process was started for that.
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
    let input = String::from_utf8(read_input()?).map_err(io::Error::other)?;
    let (language, code) = input.split_once('\n').unwrap_or_default();
    let lines = ParseLimits {
        longest: line as usize,
        may_continue: &|| Instant::now() < until,
    };
    let runs = grammars::highlight(language, code, &lines);
    io::stdout().write_all(runs.as_bytes())
}
