//! The program by itself: its size, its start, and its memory while nobody asks.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::probe;
use super::row::BenchRow;
use crate::server::{self, Programs};
use crate::{Result, exec, place};

/// The starts that are measured.
const RUNS: usize = 9;
/// The limit, in bytes: 2 % above the packed program of 0.1.0. The page in three encodings, grammars and character maps
/// are in it.
const GATE: u64 = 21_420_000;

/// Whether the programs of `cargo xtask run` are measured, and not the release.
pub static DEVELOPMENT: AtomicBool = AtomicBool::new(false);

/// Builds the programs that are measured.
pub fn programs() -> Result<Programs> {
    match DEVELOPMENT.load(Ordering::Relaxed) {
        true => server::development(),
        false => server::release(),
    }
}

/// The median of a few starts, with the program in the disk cache.
pub fn start() -> Result<Vec<BenchRow>> {
    let program = programs()?.sash;
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let server = probe::Server::start(&program, &place::scratch())?;
        times.push(server.started_in.as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let (median, first, last) = (times[RUNS / 2], times[0], times[RUNS - 1]);
    Ok(vec![BenchRow::reported(
        "cold start of the binary",
        format!("{median:.1} ms median of {RUNS} ({first:.1} to {last:.1})"),
        "under 50 ms",
    )])
}

/// Resident memory after one answer and a second of idle time.
pub fn memory() -> Result<Vec<BenchRow>> {
    let program = programs()?.sash;
    let server = probe::Server::start(&program, &place::scratch())?;
    server.get("/")?;
    std::thread::sleep(Duration::from_secs(1));
    let kib = resident(server.id())?;
    Ok(vec![BenchRow::reported(
        "server: memory, idle",
        format!("{:.1} MB", kib as f64 * 1024.0 / 1e6),
        "15 MB",
    )])
}

/// Resident memory in KiB. Linux reports it in a file, other Unix systems through `ps`.
pub fn resident(process: u32) -> Result<u64> {
    if let Ok(status) = std::fs::read_to_string(format!("/proc/{process}/status")) {
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        return number.ok_or_else(|| "the system does not tell VmRSS".into());
    }
    let text = exec::output(exec::command("ps").args(["-o", "rss=", "-p", &process.to_string()]))?;
    text.trim()
        .parse()
        .map_err(|_| format!("`ps` answered {text:?}"))
}

/// Builds the release and measures it.
pub fn size() -> Result<Vec<BenchRow>> {
    Ok(vec![size_of(&server::release()?.sash)?])
}

/// The size of a program.
pub fn size_of(file: &Path) -> Result<BenchRow> {
    let bytes = fs::metadata(file)
        .map_err(|e| format!("{} is not readable: {e}", file.display()))?
        .len();
    Ok(BenchRow::gate(
        "the program",
        format!("{:.1} MB", bytes as f64 / 1e6),
        &format!("at most {:.1} MB", GATE as f64 / 1e6),
        bytes <= GATE,
    ))
}
