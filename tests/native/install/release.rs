//! A release on this machine: a server that answers as the repository's host does, or with what goes wrong.

use sha2::{Digest, Sha256};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

/// A page that a host, or a network that wants a password first, answers with in the place of a file.
pub const PAGE: &str = "<!doctype html>\n<title>Not Found</title>\n<h1>This is not a file</h1>\n";

/// What is answered when a file is asked for.
#[derive(Clone)]
pub enum Reply {
    /// These bytes.
    File(Vec<u8>),
    /// This text, with the archive's name in the place of `ARCHIVE`.
    Text(String),
    /// A page that says 404.
    Missing,
    /// These bytes, of twice as many that were promised.
    Broken(Vec<u8>),
}

impl Reply {
    /// The sum of an archive, as `sha256sum` writes it.
    pub fn sum_of(archive: &[u8]) -> Self {
        Self::Text(format!("{}  ARCHIVE\n", sha256(archive)))
    }
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let digits = Sha256::digest(bytes);
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A server with one release. It ends with the tests.
pub struct Release(String);

impl Release {
    /// Serves an archive of any name, and its sum.
    pub fn serve(archive: Reply, sum: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                // Who asks may leave before the answer is written.
                answer(&stream.unwrap(), &archive, &sum).ok();
            }
        });
        Self(format!("http://{address}"))
    }

    /// What stands in the place of the repository's address.
    pub fn address(&self) -> &str {
        &self.0
    }
}

/// Answers one request: as GitHub does, the address of the newest release leads to another one.
fn answer(mut stream: &TcpStream, archive: &Reply, sum: &Reply) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    // The rest of the head; closing a connection with unread bytes resets it.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    if let Some(name) = path.strip_prefix("/releases/latest/download/") {
        let to = format!("location: /files/{name}\r\n");
        return write!(
            stream,
            "HTTP/1.1 302 Found\r\n{to}content-length: 0\r\nconnection: close\r\n\r\n"
        );
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let (archive_name, reply) = match name.strip_suffix(".sha256") {
        Some(archive) => (archive, sum),
        None => (name, archive),
    };
    let (status, length, bytes) = match reply {
        Reply::File(bytes) => ("200 OK", bytes.len(), bytes.clone()),
        Reply::Broken(bytes) => ("200 OK", 2 * bytes.len(), bytes.clone()),
        Reply::Text(text) => {
            let text = text.replace("ARCHIVE", archive_name).into_bytes();
            ("200 OK", text.len(), text)
        }
        Reply::Missing => ("404 Not Found", PAGE.len(), PAGE.as_bytes().to_vec()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    stream.write_all(&bytes)
}
