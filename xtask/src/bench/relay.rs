//! Costs of the server between Ollama and the page: latency of each piece, time to stop, memory
//! for each stream.

use std::io::Read;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::probe;
use super::program::{programs, resident};
use super::row::BenchRow;
use super::upstream::{BenchUpstream, PIECES};
use crate::{Result, place};

/// The number of concurrent streams while memory is measured.
const STREAMS: u64 = 200;

/// Runs the same client against the upstream directly and through Sash, in turns.
pub fn measure() -> Result<Vec<BenchRow>> {
    let program = programs()?.sash;
    let upstream = BenchUpstream::start()?;
    let url = format!("http://{}", upstream.address);
    let arguments = ["--ollama", &url, "--generations", "1000", "--log", "error"];
    let sash = probe::Server::start_with(&program, &place::scratch(), &arguments)?;
    let ways = [
        (upstream.address.as_str(), "/api/chat"),
        (sash.address(), "/api/v1/response"),
    ];
    let mut delays = [Vec::new(), Vec::new()];
    for _ in 0..3 {
        for (way, delays) in ways.iter().zip(&mut delays) {
            delays.extend(pieces(*way, upstream.began)?);
        }
    }
    let [direct, through] = delays.map(|mut delays| {
        delays.sort_unstable();
        delays
    });
    if direct.len() != 3 * PIECES || through.len() != direct.len() {
        return Err(format!("{} and {} pieces", direct.len(), through.len()));
    }
    let added = |part: usize| {
        let at = direct.len() * part / 100;
        format!("{:.3} ms", (through[at] as f64 - direct[at] as f64) / 1e3)
    };
    let mut rows = vec![
        BenchRow::reported("server: added to each piece, median", added(50), "0.15 ms"),
        BenchRow::reported("server: added to each piece, 99 %", added(99), "0.5 ms"),
    ];

    let mut stops = Vec::new();
    for _ in 0..20 {
        let stream = stalled(ways[1])?;
        let since = Instant::now();
        drop(stream);
        let left = upstream.left.recv_timeout(Duration::from_secs(5));
        let left = left.map_err(|_| "the upstream is not told that the client has gone")?;
        stops.push(left.saturating_duration_since(since));
    }
    let longest = stops.iter().max().copied().unwrap_or_default();
    rows.push(BenchRow::reported(
        "server: Stop to upstream disconnect, longest of 20",
        format!("{:.1} ms", longest.as_secs_f64() * 1e3),
        "100 ms",
    ));

    let before = resident(sash.id())?;
    let mut open = Vec::new();
    for _ in 0..STREAMS {
        open.push(stalled(ways[1])?);
    }
    let after = resident(sash.id())?;
    rows.push(BenchRow::reported(
        "server: memory for each idle stream",
        format!(
            "{:.1} KiB",
            after.saturating_sub(before) as f64 / STREAMS as f64
        ),
        "10 KiB",
    ));
    drop(open);
    Ok(rows)
}

/// Microseconds between writing each piece upstream and receiving it here.
fn pieces(way: (&str, &str), began: Instant) -> Result<Vec<u64>> {
    let mut stream = request(way, "go")?;
    let (mut delays, mut rest, mut buffer) = (Vec::new(), Vec::new(), [0; 16_384]);
    loop {
        let read = stream.read(&mut buffer).map_err(|e| broken(way, &e))?;
        if read == 0 {
            return Ok(delays);
        }
        let now = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        rest.extend_from_slice(&buffer[..read]);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            // The only string in a line that is a number followed by a space.
            let written = line
                .split('"')
                .find_map(|word| word.strip_suffix(' ')?.parse().ok());
            delays.extend(written.map(|written: u64| now.saturating_sub(written)));
        }
    }
}

/// Opens an answer that stops after its first piece.
fn stalled(way: (&str, &str)) -> Result<TcpStream> {
    let mut stream = request(way, "stall")?;
    let (mut seen, mut buffer) = (Vec::new(), [0; 4_096]);
    while !String::from_utf8_lossy(&seen).contains(" \"") {
        let read = stream.read(&mut buffer).map_err(|e| broken(way, &e))?;
        if read == 0 {
            return Err(format!("no piece came: {}", String::from_utf8_lossy(&seen)));
        }
        seen.extend_from_slice(&buffer[..read]);
    }
    Ok(stream)
}

fn request((address, path): (&str, &str), prompt: &str) -> Result<TcpStream> {
    // Each has its own form; Sash refuses `messages`.
    let body = match path {
        "/api/chat" => {
            format!(r#"{{"model":"m","messages":[{{"role":"user","content":"{prompt}"}}]}}"#)
        }
        _ => format!(r#"{{"model":"m","prompt":"{prompt}"}}"#),
    };
    probe::post(address, path, &body, Duration::from_secs(10))
}

fn broken((address, path): (&str, &str), error: &std::io::Error) -> String {
    format!("http://{address}{path}: {error}")
}
