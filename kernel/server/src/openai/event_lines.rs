//! Puts the lines of server-sent events together. An event whose data is one whole object, as every server writes it, is
//! there with that line; any other waits for the blank line that ends it.

use super::refusal::is_failure_word;
use crate::engine::reader::{MAX_VALUES, ReplyShape};
use sash_wire::MAX_LINE;

/// What a line brings.
#[derive(Debug, PartialEq, Eq)]
pub enum EventPart<'a> {
    /// Nothing of an answer, or not all of an event yet.
    Nothing,
    /// The end of the stream.
    Done,
    /// The data of an event that is to be one object; of an object that is not whole [`EventLines::hold`] waits for more.
    Object(&'a [u8], EventName),
    /// An object outside of events.
    Bare(&'a [u8]),
    /// An object that came in several lines.
    Joined(Vec<u8>, EventName),
    /// The words of an error.
    Error(Vec<u8>),
    /// Data of which the rest is missing.
    Broken(Vec<u8>),
}

/// What the field `event` says of the data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventName {
    /// Nothing that matters.
    #[default]
    Other,
    /// They are an error.
    Error,
    /// They are something that the server has a word of its own for.
    Named,
    /// They keep the connection open.
    Ping,
}

/// The lines of the event that is not whole yet.
#[derive(Debug, Default)]
pub struct EventLines {
    begun: bool,
    name: EventName,
    /// Data that is no object, or the beginning of one.
    held: Vec<u8>,
    /// The shape of the object that has begun.
    shape: Option<ReplyShape>,
    /// Whether that object is outside of events.
    is_bare: bool,
}

impl EventLines {
    /// Adds a line. Blank lines, comments and unknown fields bring nothing.
    pub fn push<'a>(&mut self, line: &'a [u8]) -> EventPart<'a> {
        let line = match std::mem::replace(&mut self.begun, true) {
            true => line,
            false => line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line),
        };
        let (data, name) = (field(line, "data"), field(line, "event"));
        if self.is_bare {
            return match data.or(name) {
                Some(_) => EventPart::Broken(self.take()),
                None => self.push_held(line),
            };
        }
        if line.trim_ascii().is_empty() {
            return self.end_event();
        }
        if let Some(name) = name {
            self.name = EventName::read(name);
            return EventPart::Nothing;
        }
        if let Some(data) = data {
            return self.push_data(data);
        }
        // Older versions of `llama-server` write an error as a field of its own, and some gateways as bare JSON.
        match field(line, "error") {
            Some(error) => EventPart::Error(error.to_vec()),
            None if line.trim_ascii_start().starts_with(b"{") => EventPart::Bare(line),
            None => EventPart::Nothing,
        }
    }

    fn push_data<'a>(&mut self, data: &'a [u8]) -> EventPart<'a> {
        let plain = data.trim_ascii();
        let is_done = matches!(plain, b"[DONE]" | b"\"[DONE]\"");
        match (&self.shape, plain.first()) {
            (Some(_), _) if is_done => EventPart::Broken(self.take()),
            (Some(_), _) => self.push_held(data),
            (None, _) if is_done => EventPart::Done,
            (None, Some(b'{' | b'[')) => {
                let name = self.name;
                // Words before it are no part of an object.
                self.take();
                EventPart::Object(data, name)
            }
            (None, _) => {
                if !self.held.is_empty() {
                    self.held.push(b'\n');
                }
                self.held.extend_from_slice(plain);
                match self.held.len() > MAX_LINE {
                    true => EventPart::Broken(self.take()),
                    false => EventPart::Nothing,
                }
            }
        }
    }

    /// Waits for the rest of an object that has begun.
    pub fn hold(&mut self, begun: &[u8], name: EventName, is_bare: bool) {
        let mut shape = ReplyShape::new(MAX_VALUES);
        // What is over the limits is refused when it is read.
        if shape.push(begun).is_ok() {
            self.shape = Some(shape);
            self.is_bare = is_bare;
            self.name = name;
            self.held = begun.to_vec();
        }
    }

    fn push_held(&mut self, more: &[u8]) -> EventPart<'static> {
        self.held.push(b'\n');
        self.held.extend_from_slice(more);
        let Some(shape) = &mut self.shape else {
            return EventPart::Nothing;
        };
        let pushed = shape.push(more);
        if pushed.is_err() || shape.is_whole() {
            let name = self.name;
            return EventPart::Joined(self.take(), name);
        }
        match self.held.len() > MAX_LINE {
            true => EventPart::Broken(self.take()),
            false => EventPart::Nothing,
        }
    }

    /// Ends the event, as its blank line does, or the end of the stream.
    pub fn end_event(&mut self) -> EventPart<'static> {
        let (has_object, name) = (self.shape.is_some(), self.name);
        let held = self.take();
        self.name = EventName::Other;
        match (has_object, name) {
            (true, _) => EventPart::Broken(held),
            (false, EventName::Error) => EventPart::Error(held),
            (false, _) => EventPart::Nothing,
        }
    }

    fn take(&mut self) -> Vec<u8> {
        self.shape = None;
        self.is_bare = false;
        std::mem::take(&mut self.held)
    }
}

impl EventName {
    fn read(name: &[u8]) -> Self {
        let name = name.trim_ascii().to_ascii_lowercase();
        match name.as_slice() {
            b"error" => Self::Error,
            b"ping" | b"keepalive" | b"keep-alive" | b"heartbeat" => Self::Ping,
            b"" | b"message" => Self::Other,
            name if is_failure_word(&String::from_utf8_lossy(name)) => Self::Other,
            _ => Self::Named,
        }
    }
}

/// The value of a field, without the one blank that may stand before it. A field without a colon is empty.
fn field<'a>(line: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(name.as_bytes())?;
    match rest.split_first() {
        None => Some(rest),
        Some((b':', value)) => Some(value.strip_prefix(b" ").unwrap_or(value)),
        Some(_) => None,
    }
}
