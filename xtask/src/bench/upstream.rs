//! A minimal replacement for Ollama that writes the time into every piece of an answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::Result;

/// The number of pieces of an answer.
pub const PIECES: usize = 1_000;
/// The time between two pieces.
const PACE: Duration = Duration::from_millis(2);

/// A listening upstream, which runs until the process ends.
pub struct BenchUpstream {
    /// The address it listens on.
    pub address: String,
    /// The start of the clock: times in pieces are microseconds since then.
    pub began: Instant,
    /// When a client disconnected before the end of its answer.
    pub left: Receiver<Instant>,
}

impl BenchUpstream {
    /// Listens on a free loopback port. A request that contains `stall` gets one piece and is then
    /// held open.
    pub fn start() -> Result<Self> {
        let failed = |e: std::io::Error| format!("the upstream cannot listen: {e}");
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?.to_string();
        let began = Instant::now();
        let (leaving, left) = channel();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let leaving = leaving.clone();
                // A disconnecting client is what is measured, so its error is ignored.
                thread::spawn(move || answer(stream, began, &leaving).ok());
            }
        });
        Ok(Self {
            address,
            began,
            left,
        })
    }
}

fn answer(mut stream: TcpStream, began: Instant, leaving: &Sender<Instant>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut length, mut line, mut path) = (0, String::new(), String::new());
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let lower = line.to_ascii_lowercase();
        if let Some(number) = lower.strip_prefix("content-length:") {
            length = number.trim().parse().unwrap_or(0);
        }
        if path.is_empty() {
            path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    if path != "/api/chat" {
        let no = "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        return stream.write_all(no.as_bytes());
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n")?;
    let stall = String::from_utf8_lossy(&body).contains("stall");
    for _ in 0..if stall { 1 } else { PIECES } {
        let now = began.elapsed().as_micros();
        chunk(
            &mut stream,
            &format!(r#""message":{{"role":"assistant","content":"{now} "}},"done":false"#),
        )?;
        thread::sleep(PACE);
    }
    if stall {
        // The client sends nothing more, so this read returns when it disconnects.
        let mut rest = [0];
        let _ = reader.read(&mut rest);
        let _ = leaving.send(Instant::now());
        return Ok(());
    }
    chunk(
        &mut stream,
        r#""message":{"role":"assistant","content":""},"done":true,"done_reason":"stop""#,
    )?;
    stream.write_all(b"0\r\n\r\n")
}

fn chunk(stream: &mut TcpStream, fields: &str) -> std::io::Result<()> {
    let line = format!("{{\"model\":\"m\",\"created_at\":\"2026-01-01T00:00:00Z\",{fields}}}\n");
    stream.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes())
}
