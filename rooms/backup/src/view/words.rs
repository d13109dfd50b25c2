//! The backup in words.

use crate::fault::fault_words;
use crate::form::{ALL_BROWSERS, SHELF, Standing};
use crate::store::{
    Backup, BackupPhase, BackupSettingsStoreFields, BackupState, ChatPlace, ChatProblem,
    KnownBrowser, ProblemReason, RestoreChat,
};
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_stores::{Kernel, amount};
use sash_words::count::{self, grouped};
use sash_words::t;

/// The most names in a sentence.
const MAX_NAMES: usize = 5;

/// A title, or what stands for one.
pub fn titled(title: &str) -> &str {
    match title {
        "" => t!(library.without_text),
        title => title,
    }
}

/// The first of these names, and how many there are besides; `more` are not named.
pub fn some_names(names: &[String], more: usize) -> String {
    let first = names.get(..MAX_NAMES).unwrap_or(names);
    let more = names.len() - first.len() + more;
    let names = first.join(", ");
    match more {
        0 => names,
        more => names + &t!(backup.more_names, number = grouped(more as u64)),
    }
}

/// That so many chats changed hours ago and are not in the backup.
pub fn old_words(backup: Backup, chats: usize) -> String {
    let last = backup.settings.current.backed_up().get_untracked();
    t!(
        backup.last_backup_old,
        date = clock::date(last),
        chats = count::chats(chats)
    )
}

/// Where the backup is, how it stands, and when it was written last.
pub fn status_words(kernel: Kernel, backup: Backup) -> String {
    let has_chats = kernel.chats().list.with(|chats| !chats.is_empty());
    let by_any_tab = Some(backup.settings.current.backed_up().get());
    backup.state.with(|state| {
        let folder = state.device.as_ref();
        let last = match state.phase {
            BackupPhase::OtherTab => state.last.max(by_any_tab.filter(|at| *at > 0)),
            _ => state.last,
        };
        let is_done = state.phase == BackupPhase::Done;
        let now = match &state.phase {
            BackupPhase::Writing if state.waiting > 1 => {
                t!(backup.writing_left, chats = count::chats(state.waiting))
            }
            BackupPhase::OtherTab => t!(backup.other_tab_writes).to_owned(),
            BackupPhase::Failed(_) => t!(backup.not_written).to_owned(),
            // What is in the way of a chat is said below.
            BackupPhase::Done if has_chats && state.problems.is_empty() => {
                t!(backup.all_written).to_owned()
            }
            BackupPhase::Done => String::new(),
            _ if last.is_none() => t!(backup.writing).to_owned(),
            _ => String::new(),
        };
        let sentences = [
            folder.map(|folder| t!(backup.folder_on_device, folder = folder)),
            Some(now).filter(|now| !now.is_empty()),
            // A browser without chats has written nothing that a person would look for.
            last.filter(|_| has_chats || !is_done)
                .map(|at| t!(backup.last_written, date = clock::date(at))),
        ];
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        sentences.join(" ")
    })
}

/// How many chats are not as they are here in the backup, with why if that is the same of all.
pub fn missing_words(state: &BackupState) -> Option<String> {
    let faults = state
        .problems
        .iter()
        .filter_map(|problem| match &problem.reason {
            ProblemReason::Fault(fault) => Some(fault_words(fault)),
            _ => None,
        });
    let faults: Vec<String> = faults.collect();
    let why = faults.first()?;
    let (count, chats) = (faults.len() as u64, count::chats(faults.len()));
    let words = t!(backup.chats_missing, count = count, chats = chats);
    Some(match faults.iter().all(|fault| fault == why) {
        true => format!("{words} {why}"),
        false => words,
    })
}

/// All that is not, or not only, as it should be, with why and what to do.
pub fn problems_words(state: &BackupState) -> Vec<String> {
    let to_purge = state.to_purge().len();
    let waits = (to_purge > 0).then(|| t!(backup.purge_waits, chats = count::chats(to_purge)));
    let unreached = state.unreached();
    let unreached = (!unreached.is_empty()).then(|| unreached_words(&unreached));
    let chats = state.problems.iter().filter_map(problem_words);
    waits.into_iter().chain(unreached).chain(chats).collect()
}

/// What is wrong with a chat, and what to do. `None` for what is said with the names of the files.
fn problem_words(problem: &ChatProblem) -> Option<String> {
    let title = titled(&problem.title);
    Some(match &problem.reason {
        ProblemReason::Fault(fault) => {
            let why = fault_words(fault);
            t!(backup.not_written_title, title = title, why = why)
        }
        ProblemReason::NoRoom => t!(backup.no_room_title, title = title),
        ProblemReason::Newer => t!(backup.newer_sash_title, title = title),
        ProblemReason::Foreign => t!(backup.outside_title, title = title),
        ProblemReason::ImagesMissing(images) => t!(
            backup.images_missing,
            count = *images as u64,
            title = title,
            images = count::images(*images)
        ),
        ProblemReason::Dropped(messages) => t!(
            backup.messages_dropped,
            count = *messages as u64,
            title = title,
            messages = count::messages(*messages)
        ),
        ProblemReason::Unreached(_) => return None,
    })
}

/// The files of the directory that are none of Sash's.
pub fn other_files_words(state: &BackupState) -> Option<String> {
    let names = some_names(&state.others, state.more_others);
    (!names.is_empty()).then(|| t!(backup.other_files, names = names))
}

/// How much the former versions of chats take.
pub fn former_versions_words(state: &BackupState) -> Option<String> {
    let bytes = usize::try_from(state.kept_bytes).unwrap_or(usize::MAX);
    (bytes > 0).then(|| t!(backup.former_versions, amount = amount(bytes)))
}

/// That files of the backup may still have what was deleted for good.
pub fn unreached_words(files: &[String]) -> String {
    t!(backup.purge_unreached, names = some_names(files, 0))
}

/// The name of a browser that writes the backup.
pub fn name_of(browser: &KnownBrowser) -> String {
    match browser.name.as_str() {
        _ if browser.id == ALL_BROWSERS => t!(backup.browser_of_earlier_sash).to_owned(),
        "" => t!(backup.browser_nameless).to_owned(),
        name => name.to_owned(),
    }
}

/// What a browser has in the backup, and when it wrote last.
pub fn browser_words(browser: &KnownBrowser) -> String {
    let this = browser.is_this.then(|| t!(backup.browser_this).to_owned());
    let size = usize::try_from(browser.bytes).unwrap_or(usize::MAX);
    let about = [
        count::chats(browser.chats),
        amount(size),
        t!(backup.browser_last_wrote, date = clock::date(browser.last)),
    ];
    let parts: Vec<String> = this.into_iter().chain(about).collect();
    parts.join(" · ")
}

/// How much a chat of the backup is, when it was written, and what is special about it.
pub fn restore_words(chat: &RestoreChat) -> String {
    let mut parts = Vec::new();
    if chat.is_newer {
        parts.push(t!(backup.newer_sash).to_owned());
    } else {
        let messages = usize::try_from(chat.messages).unwrap_or(usize::MAX);
        parts.extend((chat.chat != SHELF).then(|| count::messages(messages)));
        parts.push(clock::date(chat.at));
    }
    let standing = match chat.standing {
        Standing::Sealed => None,
        Standing::Unsealed => Some(t!(backup.from_other_installation)),
        Standing::Changed => Some(t!(backup.changed_outside)),
    };
    let place = match chat.place {
        ChatPlace::Absent => None,
        ChatPlace::Here => Some(t!(common.here_already)),
        ChatPlace::InTrash => Some(t!(backup.in_trash_here)),
    };
    parts.extend(standing.into_iter().chain(place).map(str::to_owned));
    parts.join(" · ")
}
