//! The lines of standard input, of which each is a message or an error, within the limits of a request's body.

use super::message;
use crate::server::json_shape::JsonShape;
use crate::server::limits::Limits;
use rmcp::ErrorData;
use rmcp::model::ClientJsonRpcMessage;
use sash_wire::{BodyKind, Fault};
use std::io;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The lines of the input.
pub struct Lines<R> {
    input: BufReader<R>,
    limits: Limits,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// The lines of an input.
    pub fn new(input: R, limits: Limits) -> Self {
        Self {
            input: BufReader::new(input),
            limits,
        }
    }

    /// The next message, or what is wrong with the line; `None` at the end. A last line without a line end counts.
    pub async fn next(&mut self) -> io::Result<Option<Result<ClientJsonRpcMessage, ErrorData>>> {
        loop {
            let Some(line) = self.line().await? else {
                return Ok(None);
            };
            match line {
                Ok(line) if line.trim_ascii().is_empty() => {}
                Ok(line) => return Ok(Some(message::parse(&line))),
                Err(fault) => return Ok(Some(Err(message::refusal(&fault)))),
            }
        }
    }

    /// The next line. One over the limits is read to its end and not kept.
    async fn line(&mut self) -> io::Result<Option<Result<Vec<u8>, Fault>>> {
        let limit = self.limits.body_bytes;
        let mut shape = JsonShape::new(self.limits.json_depth, self.limits.json_values());
        let (mut line, mut bytes, mut fault) = (Vec::new(), 0, None);
        loop {
            let block = self.input.fill_buf().await?;
            if block.is_empty() && bytes == 0 {
                return Ok(None);
            }
            let end = block.iter().position(|byte| *byte == b'\n');
            let part = &block[..end.unwrap_or(block.len())];
            let is_last = end.is_some() || block.is_empty();
            bytes += part.len();
            if fault.is_none() {
                fault = shape.push(part).err();
            }
            match fault.is_none() && bytes <= limit {
                true => line.extend_from_slice(part),
                false => line = Vec::new(),
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if is_last {
                return Ok(Some(match fault {
                    _ if bytes > limit => Err(Fault::TooLarge {
                        bytes,
                        limit,
                        body: BodyKind::Other,
                    }),
                    Some(fault) => Err(fault),
                    None => Ok(line),
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether each line is a message, or the code of its error.
    async fn read(input: &str, limit: usize) -> Vec<Result<(), i32>> {
        let limits = Limits {
            body_bytes: limit,
            ..Limits::default()
        };
        let mut lines = Lines::new(input.as_bytes(), limits);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            all.push(line.map(|_| ()).map_err(|error| error.code.0));
        }
        all
    }

    const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    #[tokio::test]
    async fn each_line_is_a_message_or_says_why_not() {
        let input = format!("{PING}\n\n  \r\n{PING}\r\nnonsense\n{{\n[1]\n{PING}");
        let expected = [
            Ok(()),
            Ok(()),
            Err(-32600),
            Err(-32700),
            Err(-32600),
            Ok(()),
        ];
        assert_eq!(read(&input, 1000).await, expected);
        assert!(read("", 1000).await.is_empty());
        assert!(read("\n\n", 1000).await.is_empty());
    }

    #[tokio::test]
    async fn a_line_over_the_limits_costs_itself_alone() {
        let long = format!("{{\"text\":\"{}\"}}", "x".repeat(100_000));
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100));
        let input = format!("{PING}\n{long}\n{PING}\n{deep}\n{PING}\n");
        let expected = [Ok(()), Err(-32600), Ok(()), Err(-32600), Ok(())];
        assert_eq!(read(&input, 1000).await, expected);
    }
}
