//! The memory of an idle server.

use std::time::Duration;

use super::probe;
use super::programs::programs;
use super::row::BenchRow;
use crate::{Result, exec, place};

/// Resident memory after one answer and a second of idle time.
pub fn measure() -> Result<Vec<BenchRow>> {
    let program = programs()?.sash;
    let server = probe::Server::start(&program, &place::scratch())?;
    server.get("/")?;
    std::thread::sleep(Duration::from_secs(1));
    let kib = resident(server.id())?;
    Ok(vec![BenchRow::reported(
        "server: memory, idle, stand-in included",
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
