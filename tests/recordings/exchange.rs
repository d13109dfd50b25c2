//! The recorded exchanges.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One exchange.
#[derive(Deserialize)]
pub struct Exchange {
    /// Its name.
    pub name: String,
    /// What was sent.
    pub request: Request,
    /// What came back.
    pub response: Response,
}

/// A request.
#[derive(Deserialize)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The path.
    pub path: String,
    /// Headers that were set on purpose.
    pub headers: BTreeMap<String, String>,
    /// An object to send as JSON, a string to send as it stands, or nothing.
    pub body: Value,
}

/// A response.
#[derive(Deserialize)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers but for Date and Connection; a list where one came more than once.
    pub headers: BTreeMap<String, Value>,
    /// The body of an answer with a length.
    pub body: Option<String>,
    /// The chunks of one without.
    pub chunks: Option<Vec<String>>,
}

/// Reads a collection: one exchange a line.
pub fn read(text: &str) -> Vec<Exchange> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
