//! The rules of the directory over files in memory.

mod costs;
mod history;
mod hostile;
mod list;
mod purge;
mod put;
mod remove;

use super::{CHAT, key, message};
use crate::BackupKey;
use crate::call::{PurgeRequest, Purged, Put, PutImageRequest, PutRequest};
use crate::clock::Fields;
use crate::directory::{BackupDirectory, HeaderCache};
use crate::form::{CopyHeader, CopyId, Standing, parse};
use crate::memory_files::MemoryFiles;
use crate::{BackupFault, BackupProblem};
use futures::executor::block_on;
use sash_chat::{Head, Id, Image, ImageFormat, ImageHash, Message, Outcome};
use sash_form::lines;
use sash_log::image::{encode_image, hash_image};
use sash_log::{Key, encode_record};
use serde::Serialize;
use std::collections::BTreeMap;

const A: Id = Id(0xa);
const B: Id = Id(0xb);
const FULL: BackupFault = BackupFault::Failed {
    problem: BackupProblem::Full,
};

/// A directory in memory.
struct Place {
    files: MemoryFiles,
    headers: HeaderCache,
    key: BackupKey,
}

impl Place {
    fn new() -> Self {
        Self::of(MemoryFiles::default())
    }

    fn of(files: MemoryFiles) -> Self {
        Self {
            files,
            headers: HeaderCache::default(),
            key: key(),
        }
    }

    /// The same files after a start.
    fn restarted(&self) -> Self {
        Self::of(self.files.restarted())
    }

    fn directory(&self) -> BackupDirectory<'_, MemoryFiles> {
        BackupDirectory::new(&self.files, &self.key, &self.headers)
    }

    /// Hands a chat with these messages over.
    fn put(&self, browser: Id, texts: &[(u64, &str)]) -> Put {
        self.put_lines(browser, chat_lines(texts)).unwrap()
    }

    fn put_lines(&self, browser: Id, lines: String) -> Result<Put, BackupFault> {
        self.pass();
        block_on(self.directory().put(&request(browser, lines)))
    }

    fn try_purge(&self, browser: Id, ids: &[u64], is_whole: bool) -> Result<Purged, BackupFault> {
        self.pass();
        let request = PurgeRequest {
            chat: CHAT,
            browser,
            ids: ids.iter().copied().map(Id).collect(),
            is_whole,
            is_last: true,
        };
        block_on(self.directory().purge(&request))
    }

    fn purge(&self, browser: Id, ids: &[u64], is_whole: bool) {
        let purged = self.try_purge(browser, ids, is_whole).unwrap();
        assert_eq!(purged.unreached, Vec::<String>::new());
    }

    fn put_image(&self, browser: Id, n: u8) -> Result<(), sash_wire::Fault> {
        let bytes = png(n);
        block_on(self.directory().put_image(&PutImageRequest {
            chat: CHAT,
            browser,
            hash: hash_image(&bytes),
            data: encode_image(&bytes),
        }))
    }

    /// Another file has another time.
    fn pass(&self) {
        self.files.time.set(self.files.time.get() + 1000);
    }

    /// A file that something else than Sash writes.
    fn set(&self, path: &str, text: impl Into<Vec<u8>>) {
        self.pass();
        self.files.set(path, text);
    }

    fn text(&self, browser: Id) -> String {
        self.files.text(&path(browser)).unwrap_or_default()
    }

    fn header(&self, browser: Id) -> CopyHeader {
        let text = self.text(browser);
        let of = CopyId {
            chat: CHAT,
            browser,
        };
        let copy = parse(&text, of, &self.key).unwrap();
        assert_eq!(copy.standing, Standing::Sealed);
        copy.header
    }

    fn has(&self, words: &str) -> bool {
        !self.files.having(words.as_bytes()).is_empty()
    }

    fn kept(&self) -> Vec<String> {
        let mut paths = self.files.paths();
        paths.retain(|path| path.starts_with("kept/"));
        paths
    }
}

fn path(browser: Id) -> String {
    format!("chats/{CHAT}/{browser}.jsonl")
}

fn kept_path(browser: Id, number: u64) -> String {
    format!("kept/{CHAT}/{browser}-{number:016}.jsonl")
}

fn line(key: Key, value: &impl Serialize) -> String {
    lines::line(&key.to_string(), &encode_record(value)).unwrap()
}

fn message_line(message: &Message) -> String {
    line(Key::Message(CHAT, message.seq, message.id), message)
}

fn head_line() -> String {
    line(Key::Head(CHAT), &Head::new(CHAT, 5))
}

/// A message whose place is its id.
fn text(id: u64, content: &str) -> Message {
    message(id, id - 1, u32::try_from(id).unwrap(), content)
}

fn interrupted(id: u64, content: &str) -> Message {
    Message {
        outcome: Outcome::Interrupted,
        ..text(id, content)
    }
}

fn chat_lines(texts: &[(u64, &str)]) -> String {
    let messages = texts.iter().map(|(id, content)| text(*id, content));
    head_line() + &messages.map(|it| message_line(&it)).collect::<String>()
}

fn request(browser: Id, lines: String) -> PutRequest {
    PutRequest {
        chat: CHAT,
        browser,
        lines,
        write: 0,
        state: "a state".to_owned(),
        title: "A title".to_owned(),
        running: Vec::new(),
        fields: Fields::new(),
    }
}

/// Enough of a PNG for everything but a decoder.
fn png(n: u8) -> Vec<u8> {
    let mut bytes =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\0\0\0\0".to_vec();
    bytes.extend([b'i', b'm', b'g', n, b'.']);
    bytes
}

fn image(n: u8) -> Image {
    let bytes = png(n);
    Image {
        hash: hash_image(&bytes),
        format: ImageFormat::Png,
        size: bytes.len() as u64,
        width: 1,
        height: 1,
        preview: String::new(),
    }
}

/// A message that shows an image.
fn picture(id: u64, content: &str, n: u8) -> Message {
    Message {
        images: vec![image(n)],
        ..text(id, content)
    }
}

fn hash(n: u8) -> ImageHash {
    image(n).hash
}

/// A file of an earlier Sash.
fn earlier(lines: &str, version: u64, title: &str) -> String {
    let messages = lines.matches("sash:m:").count();
    let crc = sash_log::checksum(lines);
    format!(
        "{{\"app\":\"sash\",\"schema\":1,\"exported\":7,\"chats\":1,\"messages\":{messages},\"backup\":{{\"version\":{version},\"title\":\"{title}\",\"crc\":\"{crc}\"}}}}\n{lines}"
    )
}
