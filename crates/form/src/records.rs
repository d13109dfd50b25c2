//! Reads the folders and prompts of a file, and of the backup, within bounds.

use super::lines::{self, ExportLine};
use super::{MAX_MESSAGE, MAX_NAME, MAX_TITLE, MAX_UNKNOWN};
use sash_chat::Folder;
use sash_log::{FOLDER, Key, is_checksum};
use sash_records::KINDS;
use sash_records::prompts::{MAX_PROMPT_NAME, PROMPT, SavedPrompt};

/// The longest record of a prompt, in bytes: a text of the greatest length, with what this version does not know.
const MAX_PROMPT_RECORD: usize = 8 * MAX_UNKNOWN;

/// A folder from its line, within bounds; `None` for a damaged one. Of a deleted one the name may be missing.
#[must_use]
pub fn parse_folder(line: &str) -> Option<Folder> {
    let ExportLine::Record { key, crc, data } = lines::parse(line) else {
        return None;
    };
    let Some(Key::Record(FOLDER, id)) = Key::parse(key, KINDS) else {
        return None;
    };
    let is_small = data.len() <= MAX_MESSAGE && is_checksum(crc, data);
    let folder: Folder = is_small.then(|| serde_json::from_str(data).ok())??;
    let name: String = folder.name.trim().chars().take(MAX_TITLE).collect();
    let is_short = |text: &Option<String>| {
        text.as_ref()
            .is_none_or(|text| text.chars().count() <= MAX_NAME)
    };
    let has_model = is_short(&folder.model) && is_short(&folder.engine);
    let unknown = serde_json::to_string(&folder.unknown).unwrap_or_default();
    let mut folder = Folder {
        id,
        name,
        rev: folder.rev.min(1 << 30),
        ..folder
    };
    if !has_model {
        folder.set_model(None);
    }
    if unknown.len() > MAX_UNKNOWN {
        folder.unknown.clear();
    }
    Some(folder).filter(|folder| folder.deleted.is_some() || !folder.name.is_empty())
}

/// The name, with a number if another prompt has it.
#[must_use]
pub fn free_prompt_name(name: &str, all: &[SavedPrompt]) -> String {
    let is_free = |name: &str| !all.iter().any(|known| known.is_named(name));
    let short: String = name.chars().take(MAX_PROMPT_NAME - 4).collect();
    let numbered = (2..=all.len() + 2).map(|n| format!("{short} {n}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}

/// A prompt from its line, within bounds; `None` for a damaged one. Of a deleted one the text may be missing.
#[must_use]
pub fn parse_prompt(line: &str) -> Option<SavedPrompt> {
    let ExportLine::Record { key, crc, data } = lines::parse(line) else {
        return None;
    };
    let Some(Key::Record(PROMPT, id)) = Key::parse(key, KINDS) else {
        return None;
    };
    let is_small = data.len() <= MAX_PROMPT_RECORD && is_checksum(crc, data);
    let prompt: SavedPrompt = is_small.then(|| serde_json::from_str(data).ok())??;
    let unknown = serde_json::to_string(&prompt.unknown).unwrap_or_default();
    let name = prompt.name.trim().chars().take(MAX_PROMPT_NAME);
    let mut prompt = SavedPrompt {
        id,
        name: name.collect(),
        rev: prompt.rev.min(1 << 30),
        ..prompt
    };
    if unknown.len() > MAX_UNKNOWN {
        prompt.unknown.clear();
    }
    Some(prompt).filter(|prompt| prompt.deleted.is_some() || prompt.refusal().is_none())
}
