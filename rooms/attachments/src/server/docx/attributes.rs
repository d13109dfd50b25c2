//! Attributes of the elements of a Word document.

use quick_xml::escape::unescape;
use quick_xml::events::BytesStart;

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
