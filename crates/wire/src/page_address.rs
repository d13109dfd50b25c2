//! The addresses of the page.

use sash_chat::Id;
use std::fmt;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageAddress {
    /// `/`: a new chat, which is not in the log yet.
    NewChat,
    /// `/chats/<id>`: a chat of the log.
    Chat(Id),
    /// `/models` and so on: a page over the chat.
    Sub(SubPage),
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
        let mut pages = SubPage::ALL.into_iter();
        pages.find(|page| page.path() == path).map(Self::Sub)
    }

    /// The chat of the address.
    #[must_use]
    pub fn chat(self) -> Option<Id> {
        match self {
            Self::NewChat | Self::Sub(_) => None,
            Self::Chat(id) => Some(id),
        }
    }
}

impl fmt::Display for PageAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewChat => f.write_str("/"),
            Self::Sub(page) => f.write_str(page.path()),
            Self::Chat(id) => write!(f, "/chats/{id}"),
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
