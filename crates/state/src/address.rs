//! The addresses of the page.

use sash_chat::Id;
use std::fmt;

/// What an address of the page shows. [`fmt::Display`] writes its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// `/`: a new chat, which is not in the log yet.
    NewChat,
    /// `/chats/<id>`: a chat of the log.
    Chat(Id),
    /// `/models`: the page of models, over the chat.
    Models,
}

impl Address {
    /// Parses the path of an address; `None` if it is none of the page's.
    #[must_use]
    pub fn parse(path: &str) -> Option<Self> {
        match path {
            "/" => Some(Self::NewChat),
            "/models" => Some(Self::Models),
            _ => Some(Self::Chat(path.strip_prefix("/chats/")?.parse().ok()?)),
        }
    }

    /// The chat of the address.
    #[must_use]
    pub fn chat(self) -> Option<Id> {
        match self {
            Self::NewChat | Self::Models => None,
            Self::Chat(id) => Some(id),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewChat => f.write_str("/"),
            Self::Models => f.write_str("/models"),
            Self::Chat(id) => write!(f, "/chats/{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_what_it_writes() {
        for address in [
            Address::NewChat,
            Address::Chat(Id(7)),
            Address::Chat(Id(u64::MAX)),
            Address::Models,
        ] {
            assert_eq!(Address::parse(&address.to_string()), Some(address));
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
            "//",
        ] {
            assert_eq!(Address::parse(path), None, "{path}");
        }
    }
}
