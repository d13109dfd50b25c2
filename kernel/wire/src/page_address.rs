//! The addresses of the page.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sash_chat::Id;
use std::fmt;

/// What is written otherwise in an address: all but letters, digits and the signs that are common in names.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b':');

/// A page that there is over the chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubPath {
    /// Its name, with which its path begins.
    pub name: &'static str,
    /// Whether it has parts with addresses of their own.
    pub has_parts: bool,
}

/// A page that is shown over the chat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SubPage {
    /// Its name.
    pub name: &'static str,
    /// The name of the part that is shown; `None` for the whole page.
    pub part: Option<String>,
}

impl SubPage {
    /// The whole page of that name.
    #[must_use]
    pub const fn whole(name: &'static str) -> Self {
        Self { name, part: None }
    }
}

/// What an address of the page shows. [`fmt::Display`] writes its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageAddress {
    /// `/`: a new chat, which is not in the log yet.
    NewChat,
    /// `/chats/<id>`: a chat of the log.
    Chat(Id),
    /// `/<name>`: a page over the chat; `/<name>/<part>`: a part of it.
    Sub(SubPage),
}

impl PageAddress {
    /// Parses the path of an address, where there are these pages; `None` if it is none of the page's.
    #[must_use]
    pub fn parse(path: &str, pages: &[SubPath]) -> Option<Self> {
        let path = path.strip_prefix('/')?;
        if path.is_empty() {
            return Some(Self::NewChat);
        }
        if let Some(id) = path.strip_prefix("chats/") {
            return Some(Self::Chat(id.parse().ok()?));
        }
        let (name, part) = match path.split_once('/') {
            Some((name, part)) => (name, Some(part)),
            None => (path, None),
        };
        let page = pages.iter().find(|page| page.name == name)?;
        let part = match part {
            Some(part) if page.has_parts && !part.is_empty() => {
                Some(percent_decode_str(part).decode_utf8().ok()?.into_owned())
            }
            Some(_) => return None,
            None => None,
        };
        let name = page.name;
        Some(Self::Sub(SubPage { name, part }))
    }

    /// The chat of the address.
    #[must_use]
    pub fn chat(&self) -> Option<Id> {
        match self {
            Self::NewChat | Self::Sub(_) => None,
            Self::Chat(id) => Some(*id),
        }
    }
}

impl fmt::Display for PageAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewChat => f.write_str("/"),
            Self::Chat(id) => write!(f, "/chats/{id}"),
            Self::Sub(SubPage { name, part: None }) => write!(f, "/{name}"),
            Self::Sub(SubPage {
                name,
                part: Some(part),
            }) => write!(f, "/{name}/{}", utf8_percent_encode(part, ENCODED)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGES: [SubPath; 2] = [
        SubPath {
            name: "settings",
            has_parts: false,
        },
        SubPath {
            name: "models",
            has_parts: true,
        },
    ];

    #[test]
    fn an_address_reads_what_it_writes() {
        let part = |part: &str| {
            PageAddress::Sub(SubPage {
                name: "models",
                part: Some(part.to_owned()),
            })
        };
        for address in [
            PageAddress::NewChat,
            PageAddress::Chat(Id(7)),
            PageAddress::Chat(Id(u64::MAX)),
            PageAddress::Sub(SubPage::whole("settings")),
            PageAddress::Sub(SubPage::whole("models")),
            part("hf.co/user/model:Q4_K_M"),
            part("größe 100 %?#@box"),
        ] {
            assert_eq!(
                PageAddress::parse(&address.to_string(), &PAGES),
                Some(address)
            );
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
            "/models/%ff",
            "/setting",
            "/settings/",
            "/settings/1",
            "/numbers",
            "//",
        ] {
            assert_eq!(PageAddress::parse(path, &PAGES), None, "{path}");
        }
    }
}
