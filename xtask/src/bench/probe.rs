//! Starts a Sash to measure, and sends its requests.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;

/// A running server; dropping this stops it.
pub struct Server {
    child: Child,
    address: String,
    /// The time from before the process was started to the first response of `/health`.
    pub started_in: Duration,
}

impl Server {
    /// Starts `program` in `folder` on a free loopback port, with the stand-in Ollama, and waits
    /// until it answers.
    pub fn start(program: &Path, folder: &Path) -> Result<Self> {
        Self::start_with(program, folder, &["--demo"])
    }

    /// Starts the server with these arguments instead of `--demo`.
    pub fn start_with(program: &Path, folder: &Path, arguments: &[&str]) -> Result<Self> {
        let address = free_address()?;
        let since = Instant::now();
        let child = Command::new(program)
            .args(["--listen", &address])
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|e| format!("{} cannot be started: {e}", program.display()))?;
        let mut server = Self {
            child,
            address,
            started_in: Duration::ZERO,
        };
        while since.elapsed() < Duration::from_secs(10) {
            if server.get("/health").is_ok() {
                server.started_in = since.elapsed();
                return Ok(server);
            }
            if let Ok(Some(status)) = server.child.try_wait() {
                return Err(format!("{} ended at once ({status})", program.display()));
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        Err(format!("{} does not answer /health", program.display()))
    }

    /// The response body of a GET request.
    pub fn get(&self, path: &str) -> Result<String> {
        get(&self.address, path)
    }

    /// The address the server listens on.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The process id, for measuring memory.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok(); // It may have ended by itself.
        self.child.wait().ok();
    }
}

/// The response body of a GET request; an error unless the status is 200. Opens one connection and
/// accepts no compression.
pub fn get(address: &str, path: &str) -> Result<String> {
    let failed = |e: std::io::Error| format!("http://{address}{path}: {e}");
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    stream
        .set_read_timeout(Some(Duration::from_secs(5)))
        .map_err(failed)?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).map_err(failed)?;
    let answer = String::from_utf8_lossy(&bytes);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    match head.starts_with("HTTP/1.1 200") {
        true => Ok(body.to_owned()),
        false => Err(format!(
            "http://{address}{path}: {}",
            head.lines().next().unwrap_or("no answer")
        )),
    }
}

/// Sends a POST request with a JSON body over a connection of its own, and returns that to be read from; no read waits
/// longer than `limit`.
pub fn post(address: &str, path: &str, body: &str, limit: Duration) -> Result<TcpStream> {
    let failed = |e: std::io::Error| format!("http://{address}{path}: {e}");
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream
        .set_nodelay(true)
        .and_then(|()| stream.set_read_timeout(Some(limit)))
        .and_then(|()| stream.write_all((head + body).as_bytes()))
        .map_err(failed)?;
    Ok(stream)
}

/// A loopback address whose port is free at the moment.
pub fn free_address() -> Result<String> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map(|address| address.to_string())
        .map_err(|e| format!("the loopback has no free port: {e}"))
}
