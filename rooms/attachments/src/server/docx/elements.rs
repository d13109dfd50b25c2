//! Elements of the files of a Word document, and their attributes.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};
use std::io::BufRead;

/// Calls back for each element that begins, until the file ends or cannot be read.
pub fn each_element(part: impl BufRead, mut see: impl FnMut(&BytesStart<'_>)) {
    let mut reader = Reader::from_reader(part);
    let mut buffer = Vec::new();
    loop {
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(element) | Event::Empty(element)) => see(&element),
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
        buffer.clear();
    }
}

/// An attribute, by its local name.
pub fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag
        .attributes()
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    let value = unescape(&found.value).map(|value| value.into_owned());
    Some(value.unwrap_or_else(|_| found.value.into_owned()))
}

/// Whether an element that switches something on does: without a value it does.
pub fn is_on(tag: &BytesStart<'_>) -> bool {
    attribute(tag, "val").is_none_or(|value| !matches!(value.as_str(), "0" | "false" | "off"))
}
