//! The prompts of a file that the person keeps: which of them are here already, and which are added.

use super::Agreement;
use super::folders::MAX_UNKNOWN;
use super::settings::add_newer;
use crate::lines::{self, ExportLine};
use sash_chat::{Head, Id, SettingKind};
use sash_log::{Key, Log, Store, encode_record, is_checksum};
use sash_records::KINDS;
use sash_records::prompts::{MAX_PROMPT_NAME, MAX_SAVED_PROMPTS, PROMPT, PromptLog, SavedPrompt};

/// The longest record, in bytes: a text of the greatest length, with what this version does not know.
const MAX_RECORD: usize = 8 * MAX_UNKNOWN;
/// The most prompts of a file that are read.
const MAX_READ: usize = 1000;

/// The prompts of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct PlannedPrompts {
    /// Those that are added.
    created: Vec<SavedPrompt>,
    /// How many are left out, because there may be no more.
    left_out: usize,
}

impl PlannedPrompts {
    /// Reads the prompts from their lines. Returns how many lines are damaged.
    pub(super) fn read<'a, S: Store>(
        &mut self,
        lines: impl Iterator<Item = &'a str>,
        log: &mut Log<S>,
    ) -> usize {
        let mut damaged = 0;
        let mut all = log.list_prompts();
        for (at, line) in lines.enumerate() {
            if at >= MAX_READ {
                self.left_out += 1;
                continue;
            }
            let Some(mut prompt) = parse_prompt(line) else {
                damaged += 1;
                continue;
            };
            let is_same = |known: &SavedPrompt| {
                known.id == prompt.id || known.is_named(&prompt.name) && known.text == prompt.text
            };
            if prompt.deleted.is_some() || all.iter().any(is_same) {
                continue;
            }
            if all.len() >= MAX_SAVED_PROMPTS {
                self.left_out += 1;
                continue;
            }
            prompt.name = free_prompt_name(&prompt.name, &all);
            // A prompt that was deleted here still has its record.
            let taken = |id: Id| {
                log.store()
                    .get(&Key::Record(PROMPT, id).to_string())
                    .is_some()
                    || all.iter().any(|known| known.id == id)
            };
            let free = (0..).map(|n| Id(prompt.id.0.wrapping_add(n)));
            prompt.id = free.into_iter().find(|id| !taken(*id)).unwrap_or(prompt.id);
            all.push(prompt.clone());
            self.created.push(prompt);
        }
        damaged
    }

    /// The names of the prompts that are added.
    pub(super) fn created(&self) -> impl Iterator<Item = &str> {
        self.created.iter().map(|prompt| prompt.name.as_str())
    }

    /// How many are left out, because there may be no more.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    /// The keys of their records.
    pub(super) fn keys(&self) -> impl Iterator<Item = Key> {
        self.created
            .iter()
            .map(|prompt| Key::Record(PROMPT, prompt.id))
    }

    /// Their records, without what was not agreed to.
    pub(super) fn records(&self, agreed: &Agreement) -> impl Iterator<Item = (Key, String)> {
        let knows_newer = agreed.kinds.contains(&SettingKind::Newer);
        self.created.iter().map(move |prompt| {
            let mut prompt = prompt.clone();
            // A prompt is only text until the person uses it; the compiler asks the same of a new field.
            let SavedPrompt {
                id: _,
                name: _,
                text: _,
                deleted: _,
                rev: _,
                unknown,
            } = &mut prompt;
            if !knows_newer {
                unknown.clear();
            }
            (Key::Record(PROMPT, prompt.id), encode_record(&prompt))
        })
    }

    /// What they would switch on, as heads.
    pub(super) fn acting_heads(&self) -> impl Iterator<Item = Head> {
        let newer = self
            .created
            .iter()
            .filter(|prompt| !prompt.unknown.is_empty());
        newer.map(|prompt| {
            let mut head = Head::new(prompt.id, 0);
            add_newer(&mut head, &prompt.unknown);
            head
        })
    }
}

/// The name, with a number if another prompt has it.
pub(crate) fn free_prompt_name(name: &str, all: &[SavedPrompt]) -> String {
    let is_free = |name: &str| !all.iter().any(|known| known.is_named(name));
    let short: String = name.chars().take(MAX_PROMPT_NAME - 4).collect();
    let numbered = (2..=all.len() + 2).map(|n| format!("{short} {n}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}

/// A prompt from its line, within bounds; `None` for a damaged one. Of a deleted one the text may be missing.
pub(crate) fn parse_prompt(line: &str) -> Option<SavedPrompt> {
    let ExportLine::Record { key, crc, data } = lines::parse(line) else {
        return None;
    };
    let Some(Key::Record(PROMPT, id)) = Key::parse(key, KINDS) else {
        return None;
    };
    let is_small = data.len() <= MAX_RECORD && is_checksum(crc, data);
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
