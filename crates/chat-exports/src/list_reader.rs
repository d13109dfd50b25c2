//! Divides a JSON text that comes in pieces into the items of its list, so that a file of any length is read one chat
//! at a time. An object is read as a list of itself alone.

use super::json::{MAX_OBJECTS, MAX_VALUES};
use std::collections::VecDeque;

/// The longest item, in bytes.
const MAX_ITEM_BYTES: usize = 32 * 1024 * 1024;

/// An item of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListItem {
    /// Its text.
    Text(Vec<u8>),
    /// It is too long, or has too many parts, to be parsed at once.
    TooLarge {
        /// Whether it is an object, as chats are.
        is_object: bool,
    },
}

/// Where the reader is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ListPosition {
    /// Before the opening bracket or brace.
    #[default]
    Start,
    /// After the opening bracket.
    Open,
    /// After a comma.
    Comma,
    /// Within an item.
    Item,
    /// After an item.
    After,
    /// After the closing bracket, or the object.
    Ended,
    /// Behind text that is neither.
    Broken,
}

/// A list that is being read. It finds the items by brackets and quotes alone.
#[derive(Debug, Default)]
pub struct ListReader {
    place: ListPosition,
    /// Whether the text is an object, and no list.
    is_object: bool,
    item: Vec<u8>,
    ready: VecDeque<ListItem>,
    depth: usize,
    in_string: bool,
    escaped: bool,
    objects: usize,
    values: usize,
}

impl ListReader {
    /// Adds the next bytes of the text.
    pub fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match self.place {
                ListPosition::Item => self.push_item(*byte),
                ListPosition::Ended | ListPosition::Broken => return,
                _ if byte.is_ascii_whitespace() => {}
                // A byte order mark.
                ListPosition::Start if matches!(byte, 0xef | 0xbb | 0xbf) => {}
                place => match (byte, place) {
                    (b'[', ListPosition::Start) => self.place = ListPosition::Open,
                    (b'{', ListPosition::Start) => {
                        self.is_object = true;
                        self.place = ListPosition::Item;
                        self.push_item(*byte);
                    }
                    (b']', ListPosition::Open | ListPosition::After) => {
                        self.place = ListPosition::Ended
                    }
                    (b',', ListPosition::After) => self.place = ListPosition::Comma,
                    (b',' | b']' | b'}' | b':', _)
                    | (_, ListPosition::Start | ListPosition::After) => {
                        self.place = ListPosition::Broken;
                    }
                    _ => {
                        self.place = ListPosition::Item;
                        self.push_item(*byte);
                    }
                },
            }
        }
    }

    /// The next item that is complete.
    pub fn pop(&mut self) -> Option<ListItem> {
        self.ready.pop_front()
    }

    /// Whether the list came to its end; one of a file that was cut does not.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.place == ListPosition::Ended
    }

    /// Whether the list ends before its end, or goes wrong within an item that may have been a chat: `is_damaged` is told
    /// what there is of it.
    #[must_use]
    pub fn is_cut(&self, is_damaged: impl FnOnce(&[u8]) -> bool) -> bool {
        match self.place {
            ListPosition::Start | ListPosition::Ended | ListPosition::Broken => false,
            // One that is too long is not kept.
            ListPosition::Item => !self.is_small() || is_damaged(&self.item),
            ListPosition::Open | ListPosition::Comma | ListPosition::After => true,
        }
    }

    fn push_item(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => {
                    self.in_string = false;
                    self.end_item_at(0);
                }
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => {
                self.depth += 1;
                self.objects += 1;
            }
            b'}' | b']' if self.depth == 0 => {
                // A number or a word ends with the list.
                self.end_item();
                self.place = match byte {
                    b']' => ListPosition::Ended,
                    _ => ListPosition::Broken,
                };
                return;
            }
            b'}' | b']' => {
                self.depth -= 1;
                self.keep(byte);
                self.end_item_at(0);
                return;
            }
            b',' if self.depth == 0 => {
                self.end_item();
                self.place = ListPosition::Comma;
                return;
            }
            b',' => self.values += 1,
            _ if self.depth == 0 && byte.is_ascii_whitespace() => {
                self.end_item();
                return;
            }
            _ => {}
        }
        self.keep(byte);
    }

    fn keep(&mut self, byte: u8) {
        if self.is_small() {
            self.item.push(byte);
        }
    }

    fn is_small(&self) -> bool {
        self.item.len() < MAX_ITEM_BYTES && self.objects <= MAX_OBJECTS && self.values <= MAX_VALUES
    }

    fn end_item_at(&mut self, depth: usize) {
        if self.depth == depth {
            self.end_item();
        }
    }

    fn end_item(&mut self) {
        let is_small = self.is_small();
        let item = std::mem::take(&mut self.item);
        self.ready.push_back(match is_small {
            true => ListItem::Text(item),
            false => ListItem::TooLarge {
                is_object: item.first() == Some(&b'{'),
            },
        });
        self.objects = 0;
        self.values = 0;
        self.place = match self.is_object {
            true => ListPosition::Ended,
            false => ListPosition::After,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str, length: usize) -> (Vec<String>, bool) {
        let mut reader = ListReader::default();
        let mut found = Vec::new();
        for piece in text.as_bytes().chunks(length) {
            reader.push(piece);
            while let Some(item) = reader.pop() {
                found.push(match item {
                    ListItem::Text(text) => String::from_utf8(text).unwrap(),
                    ListItem::TooLarge { .. } => "too large".to_owned(),
                });
            }
        }
        (found, reader.is_whole())
    }

    #[test]
    fn a_list_is_divided_wherever_its_text_is_cut() {
        for (text, expected, whole) in [
            ("[]", vec![], true),
            (" [ ] ", vec![], true),
            (
                "[1, \"a]\\\"\" ,{\"b\":[2,{}]} , true]",
                vec!["1", "\"a]\\\"\"", "{\"b\":[2,{}]}", "true"],
                true,
            ),
            (
                "[{\"a\":\"\\\\\"},{}]",
                vec!["{\"a\":\"\\\\\"}", "{}"],
                true,
            ),
            ("\u{feff}[1,2]", vec!["1", "2"], true),
            ("[1,2", vec!["1"], false),
            ("[1 2]", vec!["1"], false),
            ("[1,{\"a\":[", vec!["1"], false),
            ("[,1]", vec![], false),
            ("[1,]", vec!["1"], false),
            ("[\"a", vec![], false),
            (" {} ", vec!["{}"], true),
            ("{\"a\":[1,{}]},7", vec!["{\"a\":[1,{}]}"], true),
            ("{\"a\":[", vec![], false),
            ("7", vec![], false),
            ("", vec![], false),
            ("[{}}]", vec!["{}"], false),
        ] {
            for length in [1, 2, 3, 100] {
                assert_eq!(
                    items(text, length),
                    (
                        expected.iter().map(|item| (*item).to_owned()).collect(),
                        whole
                    ),
                    "{text} in pieces of {length}"
                );
            }
        }
    }

    #[test]
    fn an_item_of_too_many_parts_is_never_collected() {
        let many = format!("[[{}{{}}],7]", "{},".repeat(MAX_OBJECTS));
        assert_eq!(
            items(&many, 1000),
            (vec!["too large".to_owned(), "7".to_owned()], true)
        );
        let deep = format!("[{}{},7]", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(items(&deep, 1000).0[1], "7");
    }
}
