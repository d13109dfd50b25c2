//! The addresses of the page.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sash_chat::Id;
use std::fmt;

/// What the address of a model's details begins with.
const MODEL: &str = "/models/";
/// What is written otherwise in an address: all but letters, digits and the signs that are common in names of models.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b':');

/// A page that is shown over the chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubPage {
    /// The models of Ollama.
    Models,
    /// The settings.
    Settings,
    /// What the answers of the log cost.
    Numbers,
}

impl SubPage {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Models, Self::Settings, Self::Numbers];

    /// The path of its address.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Models => "/models",
            Self::Settings => "/settings",
            Self::Numbers => "/numbers",
        }
    }
}

/// What an address of the page shows. [`fmt::Display`] writes its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageAddress {
    /// `/`: a new chat, which is not in the log yet.
    NewChat,
    /// `/chats/<id>`: a chat of the log.
    Chat(Id),
    /// `/models` and so on: a page over the chat.
    Sub(SubPage),
    /// `/models/<key>`: the details of a model, by its key.
    Model(String),
}

impl PageAddress {
    /// Parses the path of an address; `None` if it is none of the page's.
    #[must_use]
    pub fn parse(path: &str) -> Option<Self> {
        if path == "/" {
            return Some(Self::NewChat);
        }
        if let Some(id) = path.strip_prefix("/chats/") {
            return Some(Self::Chat(id.parse().ok()?));
        }
        if let Some(key) = path.strip_prefix(MODEL) {
            let key = percent_decode_str(key).decode_utf8().ok()?;
            return (!key.is_empty()).then(|| Self::Model(key.into_owned()));
        }
        let mut pages = SubPage::ALL.into_iter();
        pages.find(|page| page.path() == path).map(Self::Sub)
    }

    /// The chat of the address.
    #[must_use]
    pub fn chat(&self) -> Option<Id> {
        match self {
            Self::NewChat | Self::Sub(_) | Self::Model(_) => None,
            Self::Chat(id) => Some(*id),
        }
    }
}

impl fmt::Display for PageAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewChat => f.write_str("/"),
            Self::Sub(page) => f.write_str(page.path()),
            Self::Chat(id) => write!(f, "/chats/{id}"),
            Self::Model(key) => write!(f, "{MODEL}{}", utf8_percent_encode(key, ENCODED)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_what_it_writes() {
        let pages = SubPage::ALL.map(PageAddress::Sub);
        let others = [
            PageAddress::NewChat,
            PageAddress::Chat(Id(7)),
            PageAddress::Chat(Id(u64::MAX)),
            PageAddress::Model("hf.co/user/model:Q4_K_M".to_owned()),
            PageAddress::Model("größe 100 %?#@box".to_owned()),
        ];
        for address in pages.into_iter().chain(others) {
            assert_eq!(PageAddress::parse(&address.to_string()), Some(address));
        }
    }

    #[test]
    fn other_paths_are_no_address() {
        for path in [
            "",
            "/chats",
            "/chats/",
            "/chats/a1",
            "/chats/1/2",
            "/models/",
            "/setting",
            "//",
        ] {
            assert_eq!(PageAddress::parse(path), None, "{path}");
        }
    }
}
