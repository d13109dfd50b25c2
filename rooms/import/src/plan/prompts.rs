//! The prompts of a file that the person keeps: which of them are here already, and which are added.

use super::Agreement;
use super::settings::add_newer;
use sash_chat::{Head, Id, SettingKind};
use sash_form::{free_prompt_name, parse_prompt};
use sash_log::{Key, KeyValue, Log, encode_record};
use sash_records::prompts::{MAX_SAVED_PROMPTS, PROMPT, PromptLog, SavedPrompt};

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
    pub(super) fn read<'a, S: KeyValue>(
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
