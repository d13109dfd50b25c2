//! Where in the directory what is. Names are made of ids, numbers and hashes alone, and what a file is says its path.

use crate::form::{ALL_BROWSERS, CopyId, MAX_COUNT, SHELF};
use sash_chat::{Id, ImageFormat, ImageHash};

/// The file that explains the directory.
pub const README_PATH: &str = "README.txt";
/// The directory of the chats, with one for each.
pub const CHATS: &str = "chats";
/// The directory of the images.
pub const IMAGES: &str = "images";
/// The directory of former copies.
pub const KEPT: &str = "kept";
/// Where files are written before they get their names.
pub const TMP: &str = "tmp";
/// The directory of the former files of an earlier Sash.
pub const VERSIONS: &str = "versions";
/// The directory of the shelves.
pub const SHELVES: &str = "shelf";
/// The shelf of an earlier Sash.
const EARLIER_SHELF: &str = "prompts-and-folders.jsonl";

/// The other files that Sash has in the directory itself, an earlier one too.
const OURS: [&str; 4] = [README_PATH, "key.sha256", "key", "lock"];
/// How the names of images end.
const ENDINGS: [&str; 2] = [".png", ".jpg"];
/// What version control has in a directory.
pub const VERSIONING: [&str; 4] = [".git", ".hg", ".jj", ".svn"];
/// What else may be in a directory that a person takes for empty.
pub const UNNOTICED: [&str; 4] = [".DS_Store", ".gitignore", "desktop.ini", "Thumbs.db"];
/// How the names of files end that somebody was writing who was killed: Sash, and Chromium.
const UNFINISHED: [&str; 2] = [".new", ".crswap"];

/// What has a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// The copy of a browser, or what an earlier Sash wrote of the chat.
    Copy(CopyId),
    /// What a browser deleted of a chat for good.
    Gone(CopyId),
    /// What a copy was before; that of an earlier Sash is of [`ALL_BROWSERS`].
    Former(CopyId),
    /// What a synchronising program put beside the copies of a chat; it is of [`ALL_BROWSERS`].
    Beside(CopyId),
    /// An image.
    Image(ImageHash),
    /// A file that somebody was writing who was killed.
    Unfinished,
    /// A directory of files of a chat.
    Chat,
    /// What nobody needs to be told of.
    Expected,
}

/// What has a path, as its names tell; `None` for what is none of Sash's.
pub fn kind_of(path: &str) -> Option<PathKind> {
    let names: Vec<&str> = path.split('/').collect();
    let is_unfinished = UNFINISHED.iter().any(|end| path.ends_with(end));
    Some(match names[..] {
        _ if is_unfinished => PathKind::Unfinished,
        [EARLIER_SHELF] => PathKind::Copy(CopyId::new(SHELF, ALL_BROWSERS)),
        [CHATS | IMAGES | KEPT | SHELVES | TMP | VERSIONS] => PathKind::Expected,
        [name] if OURS.contains(&name) || UNNOTICED.contains(&name) => PathKind::Expected,
        [name] if name.starts_with('.') => PathKind::Expected,
        [SHELVES, name] => kind_in_chat(SHELF, name)?,
        [CHATS, name] => match name.strip_suffix(".jsonl") {
            Some(chat) => PathKind::Copy(CopyId::new(chat_of(chat)?, ALL_BROWSERS)),
            None => chat_of(name).map(|_| PathKind::Chat)?,
        },
        [CHATS, chat, name] => kind_in_chat(chat_of(chat)?, name)?,
        [VERSIONS, name] if name.ends_with(".jsonl") => {
            PathKind::Former(CopyId::new(SHELF, ALL_BROWSERS))
        }
        [KEPT | VERSIONS, chat] => chat.parse().map(|_: Id| PathKind::Chat).ok()?,
        [KEPT | VERSIONS, chat, name] => {
            let (browser, _) = name.strip_suffix(".jsonl")?.split_once('-')?;
            let browser = browser.parse().unwrap_or(ALL_BROWSERS);
            PathKind::Former(CopyId::new(chat.parse().ok()?, browser))
        }
        [IMAGES, name] => {
            let hash = ENDINGS.iter().find_map(|end| name.strip_suffix(end))?;
            PathKind::Image(hash.parse().ok()?)
        }
        _ => return None,
    })
}

/// The chat of a directory; the id that stands for the shelf is none.
fn chat_of(name: &str) -> Option<Id> {
    name.parse().ok().filter(|chat| *chat != SHELF)
}

fn kind_in_chat(chat: Id, name: &str) -> Option<PathKind> {
    let (browser, ending) = name.rsplit_once('.')?;
    let of = CopyId::new(chat, browser.parse().unwrap_or(ALL_BROWSERS));
    match ending {
        "jsonl" if of.browser == ALL_BROWSERS => Some(PathKind::Beside(of)),
        "jsonl" => Some(PathKind::Copy(of)),
        "gone" if of.browser != ALL_BROWSERS => Some(PathKind::Gone(of)),
        _ => None,
    }
}

/// The directory of the copies of a chat.
pub fn directory_of(chat: Id) -> String {
    match chat {
        SHELF => SHELVES.to_owned(),
        chat => format!("{CHATS}/{chat}"),
    }
}

/// The path of a copy.
pub fn copy_path(of: CopyId) -> String {
    match (of.chat, of.browser) {
        (SHELF, ALL_BROWSERS) => EARLIER_SHELF.to_owned(),
        (chat, ALL_BROWSERS) => format!("{CHATS}/{chat}.jsonl"),
        (chat, browser) => format!("{}/{browser}.jsonl", directory_of(chat)),
    }
}

/// The path of what a browser deleted of a chat for good.
pub fn gone_path(of: CopyId) -> String {
    format!("{}/{}.gone", directory_of(of.chat), of.browser)
}

/// The directories of the former copies of a chat: this Sash's, and an earlier one's.
pub fn former_directories(chat: Id) -> [String; 2] {
    let versions = match chat {
        SHELF => VERSIONS.to_owned(),
        chat => format!("{VERSIONS}/{chat}"),
    };
    [format!("{KEPT}/{chat}"), versions]
}

/// The path of a former copy. One with a higher number is sorted behind it.
pub fn kept_path(of: CopyId, number: u64) -> String {
    format!("{KEPT}/{}/{}-{number:016}.jsonl", of.chat, of.browser)
}

/// The number of a former copy.
pub fn kept_number(path: &str) -> Option<u64> {
    let (_, number) = path.strip_suffix(".jsonl")?.rsplit_once('-')?;
    number.parse().ok().filter(|number| *number < MAX_COUNT)
}

/// The path of an image of a format.
pub fn image_path(hash: ImageHash, format: ImageFormat) -> String {
    let [png, jpeg] = image_paths(hash);
    match format {
        ImageFormat::Png => png,
        ImageFormat::Jpeg => jpeg,
    }
}

/// The paths that an image may have.
pub fn image_paths(hash: ImageHash) -> [String; 2] {
    ENDINGS.map(|ending| format!("{IMAGES}/{hash}{ending}"))
}
