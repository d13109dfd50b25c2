//! The report of what an import would do, in words.

use crate::plan::{ImportOutcome, ImportPlan, Planned, SettingToConfirm};
use sash_chat::SettingKind;
use sash_records::prompts::MAX_SAVED_PROMPTS;
use sash_stores::amount;
use sash_words::{
    count::{self, grouped},
    t,
};

/// How many chats of a file are listed.
const MAX_LISTED_CHATS: usize = 200;

/// How many files without chats are listed.
const MAX_LISTED_FILES: usize = 20;

/// The plan of an import in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportReport {
    /// The number of chats, and what happens to them.
    pub title: String,
    /// The first chats, each with what happens to it.
    pub chats: Vec<(String, String)>,
    /// The number of further chats, in words.
    pub more: Option<String>,
    /// What the chats would switch on: off unless the person chooses it.
    pub asked: Vec<AgreementRow>,
    /// Notes about the files.
    pub notes: Vec<String>,
    /// The first files that hold no chats, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// The number of further ones, in words.
    pub more_left_out: Option<String>,
    /// The room that the import needs; an error if it is more than is free.
    pub room: Result<String, String>,
    /// Whether there are chats to choose from.
    pub can_choose: bool,
    /// Whether there is anything to import, and room for it.
    pub can_import: bool,
}

/// A setting that the person may switch on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgreementRow {
    /// Which one.
    pub kind: SettingKind,
    /// What it does.
    pub label: &'static str,
    /// In how many chats, and its values.
    pub about: String,
}

impl ImportReport {
    /// Describes a plan, and how many `images` the file brings that are not here yet; `free` is the free room in
    /// characters.
    pub(super) fn new(plan: &ImportPlan, images: usize, free: u64) -> Self {
        let chats = plan.chats.iter().take(MAX_LISTED_CHATS);
        let chats = chats.map(|chat| (chat.title.clone(), about_chat(chat)));
        let more = plan.chats.len().saturating_sub(MAX_LISTED_CHATS);
        let has_new = plan.records() > 0 || images > 0;
        let can_choose = plan.chats.iter().any(Planned::adds_records);
        let room = match (has_new, can_choose) {
            (true, _) => room(plan.needs_at_most(), free),
            (false, true) => Ok(t!(import.no_chat_chosen).to_owned()),
            (false, false) => Ok(t!(import.nothing_to_import).to_owned()),
        };
        let mut notes = plan.notes.sentences();
        if images > 0 {
            notes.push(t!(import.brings_images, images = count::images(images)));
        }
        let folders = plan.new_folders();
        if !folders.is_empty() {
            let names: Vec<String> = folders
                .iter()
                .map(|name| t!(state.quoted, title = name))
                .collect();
            notes.push(t!(
                import.brings_folders,
                count = names.len() as u64,
                names = names.join(", ")
            ));
        }
        let prompts = plan.new_prompts();
        if !prompts.is_empty() {
            notes.push(t!(import.brings_prompts, count = prompts.len() as u64));
        }
        if plan.queued > 0 {
            notes.push(t!(import.brings_queued_prompts, count = plan.queued as u64));
        }
        if plan.left_out_prompts() > 0 {
            notes.push(t!(
                import.prompts_are_left_out,
                count = plan.left_out_prompts() as u64,
                most = MAX_SAVED_PROMPTS
            ));
        }
        let asked = plan.settings.asked(&plan.agreed.models);
        let left_out = plan.left_out.iter().take(MAX_LISTED_FILES).cloned();
        let more_left_out = plan.left_out.len().saturating_sub(MAX_LISTED_FILES);
        Self {
            left_out: left_out.collect(),
            more_left_out: (more_left_out > 0)
                .then(|| t!(import.further_files, count = more_left_out as u64)),
            title: title(plan),
            chats: chats.collect(),
            more: (more > 0).then(|| t!(import.more_chats, chats = count::chats(more))),
            asked: asked.into_iter().map(agreement_row).collect(),
            notes,
            can_choose,
            can_import: has_new && room.is_ok(),
            room,
        }
    }
}

/// The number of messages of a chat, and what happens to it.
pub(super) fn about_chat(chat: &Planned) -> String {
    format!("{} · {}", count::messages(chat.messages), chat.fate)
}

fn agreement_row(asked: SettingToConfirm) -> AgreementRow {
    let mut about = count::chats(asked.chats);
    let values: Vec<String> = asked.values.into_iter().filter(|v| !v.is_empty()).collect();
    if !values.is_empty() {
        about += &format!(": {}", values.join(" · "));
    }
    if asked.has_more {
        about += t!(import.more_sources);
    }
    AgreementRow {
        kind: asked.kind,
        label: match asked.kind {
            SettingKind::Model => t!(import.use_absent_model),
            kind => kind.label(),
        },
        about,
    }
}

fn title(plan: &ImportPlan) -> String {
    let fates = [
        (
            plan.count(|fate| matches!(fate, ImportOutcome::New | ImportOutcome::Copy(_))),
            t!(import.new),
        ),
        (
            plan.count(|fate| matches!(fate, ImportOutcome::More(_))),
            t!(import.with_new_messages),
        ),
        (
            plan.count(|fate| fate == ImportOutcome::Here),
            t!(common.here_already),
        ),
        (
            plan.count(|fate| matches!(fate, ImportOutcome::Skipped(_))),
            t!(import.left_out),
        ),
    ];
    let parts = fates.iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| format!("{} {what}", grouped(*count as u64)));
    let parts: Vec<String> = parts.collect();
    format!("{}: {}", count::chats(plan.chats.len()), parts.join(", "))
}

/// The room that an import needs and the free room; an error if that is too little.
fn room(needs: u64, free: u64) -> Result<String, String> {
    let words = t!(
        import.storage_needed,
        needed = amount(usize::try_from(needs).unwrap_or(usize::MAX)),
        free = amount(usize::try_from(free).unwrap_or(usize::MAX))
    );
    match needs <= free {
        true => Ok(words),
        false => Err(t!(import.too_much_choose_fewer, words = &words)),
    }
}
