//! The input of a child process. Its length comes first, because the end of standard input means something else: that
//! the server is gone, even if it was killed. Then nobody waits for the result.

use std::io::{self, Read};
use std::process::exit;

/// The bytes of the length before the input.
pub(super) const LENGTH_BYTES: usize = size_of::<u64>();

/// Reads the input of this child process. From then on, the process ends when the server does.
///
/// # Errors
/// If the server ended before the input did, or no thread can be started.
pub fn read_input() -> io::Result<Vec<u8>> {
    let mut length = [0; LENGTH_BYTES];
    let mut stdin = io::stdin().lock();
    stdin.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    let mut input = Vec::new();
    let read = stdin.by_ref().take(length).read_to_end(&mut input)?;
    drop(stdin);
    if read as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    std::thread::Builder::new().spawn(exit_with_server)?;
    Ok(input)
}

/// Waits for the end of standard input. The server writes nothing behind the input.
fn exit_with_server() {
    let mut block = [0; 16];
    while io::stdin().read(&mut block).is_ok_and(|count| count > 0) {}
    exit(1)
}
