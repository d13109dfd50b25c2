//! The recorded exchanges.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One exchange.
#[derive(Deserialize)]
pub struct Exchange {
    /// Its name.
    pub name: String,
    /// The request.
    pub request: Request,
    /// The response.
    pub response: Response,
}

/// A request.
#[derive(Deserialize)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The path.
    pub path: String,
    /// The headers that were set deliberately.
    pub headers: BTreeMap<String, String>,
    /// An object to send as JSON, a string to send unchanged, or null.
    pub body: Value,
}

/// A response.
#[derive(Deserialize)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers except Date and Connection; a list if a header occurred more than once.
    pub headers: BTreeMap<String, Value>,
    /// The body of a response with a length.
    pub body: Option<String>,
    /// The chunks of a chunked response.
    pub chunks: Option<Vec<String>>,
}

/// Parses a collection: one exchange per line.
pub fn read(text: &str) -> Vec<Exchange> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
