//! The files that come with chats and that messages point to: images, texts, recordings.
//!
//! A reader of chats asks for them by what the message says of them. What was not read yet is recorded as wanted; the
//! caller reads it and has the chat read again.

use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What the caller calls an image: two files of the same image have the same key.
pub type ImageKey = [u8; 32];

/// What the caller makes of the files of a message.
#[derive(Clone, Copy, Debug)]
pub struct MessageForm {
    /// The most images of a message.
    pub max_images: usize,
    /// The longest text of a message to which that of a file is added, with it, in bytes.
    pub max_text: usize,
    /// A file, by its name and text, as a part of a message.
    pub file_block: fn(&str, &str) -> String,
}

/// What a file of an export turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asset {
    /// An image.
    Image(ImageKey),
    /// An image that cannot be kept: it is damaged, or too large.
    ImageRefused,
    /// Text.
    Text(String),
    /// Sound or a film.
    Recording,
    /// Anything else, and what cannot be read.
    Other,
}

/// What a message finds when it asks for a file.
pub(super) enum AssetFound<'a> {
    /// No file is of that name.
    Absent,
    /// The file is there and not read yet.
    Wanted,
    /// The file.
    Read(&'a Asset, &'a str),
}

/// The files of an export that are no chats, by the names that messages have for them.
#[derive(Debug)]
pub struct Assets {
    pub(crate) form: MessageForm,
    /// The names, and which file each is; `None` for a name that several files have.
    places: BTreeMap<String, Option<usize>>,
    /// The name of each file that is shown to the person.
    titles: BTreeMap<usize, String>,
    /// Images that were made for a message, by its id.
    generated: BTreeMap<String, Vec<String>>,
    read: BTreeMap<usize, Asset>,
    /// Which of them are texts.
    texts: Vec<usize>,
    wanted: RefCell<BTreeSet<usize>>,
    used: RefCell<BTreeSet<usize>>,
}

impl Assets {
    /// No files. Those of messages take this form.
    #[must_use]
    pub fn new(form: MessageForm) -> Self {
        Self {
            form,
            places: BTreeMap::new(),
            titles: BTreeMap::new(),
            generated: BTreeMap::new(),
            read: BTreeMap::new(),
            texts: Vec::new(),
            wanted: RefCell::default(),
            used: RefCell::default(),
        }
    }

    /// Adds the file `place` by its name in the archive, or on the disk.
    pub fn add(&mut self, place: usize, name: &str) {
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        match chatgpt_id(base) {
            None => _ = self.titles.insert(place, base.to_owned()),
            // `file-AbC-photo.png` was called so before; `file-AbC.dat` has no name.
            Some(id) => {
                let name = base.get(id.len()..).and_then(|rest| rest.strip_prefix('-'));
                let is_made = name.and_then(uuid).is_some();
                if let Some(name) = name.filter(|_| !is_made) {
                    self.titles.insert(place, name.to_owned());
                }
            }
        }
        let mut keys = vec![base.to_lowercase()];
        keys.extend(chatgpt_id(base));
        keys.extend(name.split(['/', '\\']).filter_map(uuid));
        for key in keys {
            let known = self.places.entry(key).or_insert(Some(place));
            if *known != Some(place) {
                *known = None;
            }
        }
    }

    /// Reads a list of what the files were called before they were exported; whether it is one.
    pub fn read_names(&mut self, list: &str) -> bool {
        match serde_json::from_str(list.trim_start_matches('\u{feff}')) {
            Ok(Value::Object(names)) => {
                let is_list = names.values().all(Value::is_string);
                for (file, name) in names.iter().filter(|_| is_list) {
                    let place = self.places.get(&file.to_lowercase()).copied().flatten();
                    if let (Some(place), Some(name)) = (place, name.as_str()) {
                        let base = name.rsplit('/').next().unwrap_or(name);
                        self.titles.insert(place, base.to_owned());
                    }
                }
                is_list
            }
            Ok(Value::Array(files)) => {
                let is_list = !files.is_empty() && files.iter().all(|f| f.get("file_id").is_some());
                for file in files.iter().filter(|_| is_list) {
                    self.read_library_file(file);
                }
                is_list
            }
            _ => false,
        }
    }

    /// Reads an entry of the list of all files of a person of ChatGPT. Images that it made are named only there.
    fn read_library_file(&mut self, file: &Value) {
        let text = |name: &str| file.get(name).and_then(Value::as_str);
        let Some(id) = text("file_id") else {
            return;
        };
        if let (Some(place), Some(name)) = (self.place(&[id]), text("file_name")) {
            self.titles.insert(place, name.to_owned());
        }
        if let (Some(_), Some(message)) = (
            text("image_gen_generation_id"),
            text("origination_message_id"),
        ) {
            let images = self.generated.entry(message.to_owned()).or_default();
            images.push(id.to_owned());
        }
    }

    /// The files that were asked for and are not read, each with its place.
    pub fn take_wanted(&mut self) -> BTreeSet<usize> {
        self.wanted.take()
    }

    /// Records what a file is.
    pub fn insert(&mut self, place: usize, asset: Asset) {
        if matches!(asset, Asset::Text(_)) {
            self.texts.push(place);
        }
        self.read.insert(place, asset);
    }

    /// Forgets the texts that were read: a chat has its own copy.
    pub fn forget_texts(&mut self) {
        // Not by a walk over all that was read: this is done for each chat.
        for place in self.texts.drain(..) {
            self.read.remove(&place);
        }
    }

    /// Whether a message asked for a file.
    #[must_use]
    pub fn is_used(&self, place: usize) -> bool {
        self.used.borrow().contains(&place)
    }

    /// The ids of images that were made for a message.
    pub(super) fn generated_for(&self, message: &str) -> &[String] {
        self.generated.get(message).map_or(&[], Vec::as_slice)
    }

    /// A file by what a message says of it: ids and names, the surest first.
    pub(super) fn find(&self, names: &[&str]) -> AssetFound<'_> {
        let Some(place) = self.place(names) else {
            return AssetFound::Absent;
        };
        self.used.borrow_mut().insert(place);
        let title = self.titles.get(&place).map_or("", String::as_str);
        match self.read.get(&place) {
            Some(asset) => AssetFound::Read(asset, title),
            None => {
                self.wanted.borrow_mut().insert(place);
                AssetFound::Wanted
            }
        }
    }

    fn place(&self, names: &[&str]) -> Option<usize> {
        let mut keys = names.iter().flat_map(|name| {
            chatgpt_id(name)
                .or_else(|| uuid(name))
                .into_iter()
                .chain([name.to_lowercase()])
        });
        keys.find_map(|key| self.places.get(&key).copied().flatten())
    }
}

/// The id of a file of ChatGPT in a name or an address, in one form: `file-service://file-AbC`, `sediment://file_0a1`,
/// `file-AbC-photo.png` and `file_0a1.dat` are written with either mark.
fn chatgpt_id(name: &str) -> Option<String> {
    let at = name
        .match_indices("file")
        .map(|(at, found)| at + found.len())
        .find(|at| {
            name.get(*at..)
                .is_some_and(|rest| rest.starts_with(['-', '_']) && !rest.starts_with("-service:"))
        })?;
    let rest = name.get(at + 1..)?;
    let length = rest
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(rest.len());
    // A file that a person named “file-a.txt” has no id.
    (length >= 16).then(|| format!("file-{}", &rest[..length]))
}

/// The UUID that a name begins with.
fn uuid(name: &str) -> Option<String> {
    let begun = name.get(..36)?;
    let is_uuid = begun.bytes().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    is_uuid.then(|| begun.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No files.
    fn no_assets() -> Assets {
        Assets::new(MessageForm {
            max_images: 4,
            max_text: 1_000,
            file_block: |name, text| format!("[{name}]\n{text}"),
        })
    }

    #[test]
    fn a_file_is_found_by_each_form_of_its_name() {
        let mut assets = no_assets();
        assets.add(0, "file-Ab1Cd2Ef3Gh4Ij5K-photo.png");
        assets.add(1, "file_00000000aaaa61f7.dat");
        assets.add(2, "dalle-generations/file-Zz1Zz2Zz3Zz4Zz5Z-7a.webp");
        assets.add(3, "files/1f0c9d4e-0000-4000-8000-123456789abc/Notes.txt");
        assets.add(4, "../../../etc/passwd");
        assets.add(5, "a/twice.txt");
        assets.add(6, "b/twice.txt");
        for (names, place) in [
            (vec!["file-service://file-Ab1Cd2Ef3Gh4Ij5K"], Some(0)),
            (vec!["sediment://file_00000000aaaa61f7"], Some(1)),
            (
                vec!["sediment://0a1b#file_00000000aaaa61f7#p_4.jpg"],
                Some(1),
            ),
            (vec!["file-service://file-Zz1Zz2Zz3Zz4Zz5Z"], Some(2)),
            (vec!["1F0C9D4E-0000-4000-8000-123456789ABC"], Some(3)),
            (vec!["unknown", "notes.txt"], Some(3)),
            (vec!["passwd"], Some(4)),
            (vec!["../../../etc/passwd"], None),
            (vec!["twice.txt"], None),
            (vec!["file-a.txt"], None),
            (vec!["", "file-service://"], None),
        ] {
            assert_eq!(assets.place(&names), place, "{names:?}");
        }
        assert_eq!(assets.titles[&0], "photo.png");
        assert_eq!(assets.titles.get(&1), None);
    }

    #[test]
    fn the_names_of_files_without_names_come_from_the_lists() {
        let mut assets = no_assets();
        assets.add(0, "file-Ab1Cd2Ef3Gh4Ij5K.dat");
        assets.add(1, "file_00000000aaaa61f7.dat");
        assert!(
            assets.read_names(r#"{"file-Ab1Cd2Ef3Gh4Ij5K.dat":"Holiday.jpg","file-none.dat":"x"}"#)
        );
        assert!(assets.read_names(
            r#"[{"file_id":"file_00000000aaaa61f7","file_name":"Fox.png","image_gen_generation_id":"g","origination_message_id":"m-1"},{"file_id":7}]"#
        ));
        assert_eq!(assets.titles[&0], "Holiday.jpg");
        assert_eq!(assets.titles[&1], "Fox.png");
        assert_eq!(assets.generated_for("m-1"), ["file_00000000aaaa61f7"]);
        for other in ["", "{", "[]", "7", r#"{"a":1}"#, r#"[{"id":1}]"#] {
            assert!(!assets.read_names(other), "{other}");
        }
    }
}
