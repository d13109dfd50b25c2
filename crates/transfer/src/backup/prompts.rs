//! The prompts that a person keeps and the folders of the list: all of them are one file of a backup.
//!
//! Each record has a number of rewrites, and of two versions of one the higher number is kept, as between two tabs. A
//! browser in step knows which version it had in common with the folder: where both sides changed a record, the text that
//! gives way becomes a prompt of its own ([`take_over_prompts`]).

use super::file::{BackupFile, BackupRecord, UnreadableBackup};
use sash_chat::{Folder, Id};
use sash_form::lines::{self, ExportLine};
use sash_form::{free_prompt_name, parse_folder, parse_prompt};
use sash_log::{FOLDER, Key, KeyValue, Log, StoreError, checksum, encode_record};
use sash_records::KINDS;
use sash_records::prompts::{PROMPT, PromptLog, SavedPrompt};
use std::collections::BTreeMap;

/// The most records of a file that are taken over.
const MAX_RECORDS: usize = 2000;

/// What a file of prompts and folders becomes when a browser writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptsUpdate {
    /// The lines of all records now.
    pub text: String,
    /// Their checksum.
    pub crc: String,
    /// Whether the former file was as Sash wrote it.
    pub is_intact: bool,
    /// The new file; `None` if nothing changed.
    pub file: Option<String>,
}

/// Why a file of prompts and folders is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptsRefusal {
    /// A newer Sash wrote it.
    Newer,
    /// The writer does not know this version of it.
    Changed(u64),
}

/// What was taken over from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenOver {
    /// The keys that were written.
    pub keys: Vec<Key>,
    /// How many texts gave way and became prompts of their own.
    pub copies: usize,
}

/// A prompt or a folder.
#[derive(Clone, Debug, PartialEq)]
enum KeptRecord {
    Prompt(SavedPrompt),
    Folder(Folder),
}

impl KeptRecord {
    /// A record from its line; `None` for a damaged one, and for a line of anything else.
    fn parse(line: &str) -> Option<Self> {
        let ExportLine::Record { key, .. } = lines::parse(line) else {
            return None;
        };
        match Key::parse(key, KINDS)? {
            Key::Record(PROMPT, _) => parse_prompt(line).map(Self::Prompt),
            Key::Record(FOLDER, _) => parse_folder(line).map(Self::Folder),
            _ => None,
        }
    }

    /// All records of the lines, by their keys.
    fn parse_all(text: &str) -> BTreeMap<Key, Self> {
        let records = text.lines().filter_map(Self::parse).take(MAX_RECORDS);
        records.map(|record| (record.key(), record)).collect()
    }

    fn key(&self) -> Key {
        match self {
            Self::Prompt(prompt) => Key::Record(PROMPT, prompt.id),
            Self::Folder(folder) => Key::Record(FOLDER, folder.id),
        }
    }

    fn is_deleted(&self) -> bool {
        match self {
            Self::Prompt(prompt) => prompt.deleted.is_some(),
            Self::Folder(folder) => folder.deleted.is_some(),
        }
    }

    /// The record as it stands in a file: nothing but its id is left of a deleted one.
    fn in_file(&self) -> Self {
        match self {
            Self::Prompt(prompt) if prompt.deleted.is_some() => Self::Prompt(prompt.purged()),
            Self::Folder(folder) if folder.deleted.is_some() => Self::Folder(folder.purged()),
            kept => kept.clone(),
        }
    }

    fn encoded(&self) -> String {
        match self {
            Self::Prompt(prompt) => encode_record(prompt),
            Self::Folder(folder) => encode_record(folder),
        }
    }

    fn line(&self) -> String {
        // The record was just encoded in the form that `line` accepts.
        lines::line(&self.key().to_string(), &self.encoded()).unwrap_or_default()
    }

    /// Of two versions of a record the one that compares higher is kept, whoever compares them.
    fn order(&self) -> (u32, String) {
        let rev = match self {
            Self::Prompt(prompt) => prompt.rev,
            Self::Folder(folder) => folder.rev,
        };
        (rev, self.encoded())
    }

    /// What the person wrote: a name, and the text under it.
    fn text(&self) -> Option<(&str, &str)> {
        match self {
            Self::Prompt(prompt) => Some((&prompt.name, &prompt.text)),
            Self::Folder(folder) => Some((&folder.name, folder.system()?)),
        }
    }

    /// Deletes a record for good: a tombstone stays.
    fn purge(self, now: u64) -> Self {
        let purged = match self {
            Self::Prompt(prompt) => Self::Prompt(SavedPrompt {
                deleted: Some(now),
                rev: prompt.rev + 1,
                ..prompt
            }),
            Self::Folder(folder) => Self::Folder(Folder {
                deleted: Some(now),
                rev: folder.rev + 1,
                ..folder
            }),
        };
        purged.in_file()
    }
}

/// The lines of all prompts and folders of a log.
#[must_use]
pub fn prompt_lines<S: KeyValue>(log: &mut Log<S>) -> String {
    let prompts = log.all_prompts().into_iter().map(KeptRecord::Prompt);
    let folders = log.all_folders().into_iter().map(KeptRecord::Folder);
    let records: BTreeMap<Key, String> = prompts
        .chain(folders)
        .map(|record| (record.key(), record.in_file().line()))
        .collect();
    records.into_values().collect()
}

/// How many prompts and how many folders the lines have that are not deleted.
#[must_use]
pub fn count_prompts(text: &str) -> (usize, usize) {
    let records = KeptRecord::parse_all(text);
    let kept = records.values().filter(|record| !record.is_deleted());
    let (prompts, folders): (Vec<_>, Vec<_>) =
        kept.partition(|record| matches!(record, KeptRecord::Prompt(_)));
    (prompts.len(), folders.len())
}

/// The checksum of each record of the lines: the base of the next three-way merge.
#[must_use]
pub fn prompt_checksums(text: &str) -> BTreeMap<String, String> {
    let records = KeptRecord::parse_all(text).into_values();
    records
        .map(|record| (record.key().to_string(), checksum(&record.encoded())))
        .collect()
}

/// Joins the records of a browser with those of the file. A `base` that is not the checksum of the file's lines is refused;
/// `None` knows none.
///
/// # Errors
/// [`PromptsRefusal`]; the file stays as it is.
pub fn update_prompts(
    file: Option<&str>,
    newer: &str,
    base: Option<&str>,
    writer: Id,
    now: u64,
) -> Result<PromptsUpdate, PromptsRefusal> {
    let (record, former, is_intact) = match file.map(BackupFile::parse) {
        Some(Err(UnreadableBackup::Newer)) => return Err(PromptsRefusal::Newer),
        Some(Ok(file)) => (file.header.backup, file.rest, file.is_intact),
        Some(Err(UnreadableBackup::NoHeader)) => (BackupRecord::default(), "", false),
        None => (BackupRecord::default(), "", true),
    };
    // Only the person takes over what something else than Sash wrote.
    let kept = if is_intact { former } else { "" };
    if base.is_some_and(|base| is_intact && base != checksum(kept)) {
        return Err(PromptsRefusal::Changed(record.version));
    }
    let mut records = KeptRecord::parse_all(kept);
    for (key, newer) in KeptRecord::parse_all(newer) {
        let newer = newer.in_file();
        let is_kept = |former: &KeptRecord| former.order() >= newer.order();
        if !records.get(&key).is_some_and(is_kept) {
            records.insert(key, newer);
        }
    }
    let text: String = records.values().map(KeptRecord::line).collect();
    let is_same = is_intact && text == former;
    Ok(PromptsUpdate {
        crc: checksum(&text),
        file: (!is_same).then(|| record.next(writer, "", "").file(&text, 0, now)),
        text,
        is_intact,
    })
}

/// The file after everything was deleted for good; `None` if there is nothing in it.
///
/// # Errors
/// [`PromptsRefusal::Newer`].
pub fn purge_prompts(file: &str, writer: Id, now: u64) -> Result<PromptsUpdate, PromptsRefusal> {
    let (record, rest) = match BackupFile::parse(file) {
        Err(UnreadableBackup::Newer) => return Err(PromptsRefusal::Newer),
        Ok(file) => (file.header.backup, file.rest),
        Err(UnreadableBackup::NoHeader) => (BackupRecord::default(), file),
    };
    let records = KeptRecord::parse_all(rest).into_values();
    let text: String = records.map(|record| record.purge(now).line()).collect();
    Ok(PromptsUpdate {
        crc: checksum(&text),
        file: Some(record.next(writer, "", "").file(&text, 0, now)),
        text,
        is_intact: true,
    })
}

/// Takes over what the file has and this browser has not. `base` are the checksums of what both had in common last.
///
/// # Errors
/// [`StoreError`]: there is no room for all of it. What was taken over stays.
pub fn take_over_prompts<S: KeyValue>(
    log: &mut Log<S>,
    theirs: &str,
    base: &BTreeMap<String, String>,
    mut new_id: impl FnMut() -> Id,
) -> Result<TakenOver, StoreError> {
    let mut taken = TakenOver::default();
    let mut copies = Vec::new();
    for (key, theirs) in KeptRecord::parse_all(theirs) {
        let ours = match key {
            Key::Record(PROMPT, id) => log.saved_prompt(id).map(KeptRecord::Prompt),
            Key::Record(FOLDER, id) => log.folder(id).map(KeptRecord::Folder),
            _ => None,
        };
        let Some(ours) = ours else {
            if !theirs.is_deleted() {
                write(log, &theirs, &mut taken)?;
            }
            continue;
        };
        let (of_file, theirs_wins) = match ours.in_file() {
            same if same == theirs => continue,
            of_file => {
                let theirs_wins = theirs.order() > of_file.order();
                (of_file, theirs_wins)
            }
        };
        let (winner, loser) = match theirs_wins {
            true => (&theirs, &of_file),
            false => (&of_file, &theirs),
        };
        let base = base.get(&key.to_string());
        let is_base = |record: &KeptRecord| base == Some(&checksum(&record.encoded()));
        // Where only one side has changed, the other is what it was made of; a folder of an earlier day has not changed
        // either.
        if !is_base(&of_file)
            && !is_base(&theirs)
            && let Some((name, text)) = loser.text()
            && !text.trim().is_empty()
            && winner.text().is_none_or(|(_, winning)| winning != text)
        {
            copies.push((name.to_owned(), text.to_owned()));
        }
        if theirs_wins {
            write(log, &merged(ours, theirs), &mut taken)?;
        }
    }
    for (name, text) in copies {
        let all = log.list_prompts();
        // Another browser has made the same copy.
        if all.iter().any(|prompt| prompt.text == text) {
            continue;
        }
        let prompt = SavedPrompt::new(new_id(), &free_prompt_name(&name, &all), &text);
        write(log, &KeptRecord::Prompt(prompt), &mut taken)?;
        taken.copies += 1;
    }
    Ok(taken)
}

/// Their version of a record. One that was deleted there keeps its text here, so that deleting it can be undone.
fn merged(ours: KeptRecord, theirs: KeptRecord) -> KeptRecord {
    match (ours, theirs) {
        (KeptRecord::Prompt(ours), KeptRecord::Prompt(theirs)) if theirs.deleted.is_some() => {
            KeptRecord::Prompt(SavedPrompt {
                deleted: theirs.deleted,
                rev: theirs.rev,
                ..ours
            })
        }
        (KeptRecord::Folder(ours), KeptRecord::Folder(theirs)) if theirs.deleted.is_some() => {
            KeptRecord::Folder(Folder {
                deleted: theirs.deleted,
                rev: theirs.rev,
                ..ours
            })
        }
        (_, theirs) => theirs,
    }
}

fn write<S: KeyValue>(
    log: &mut Log<S>,
    record: &KeptRecord,
    taken: &mut TakenOver,
) -> Result<(), StoreError> {
    match record {
        KeptRecord::Prompt(prompt) => log.save_prompt(prompt)?,
        KeptRecord::Folder(folder) => log.save_folder(folder)?,
    }
    taken.keys.push(record.key());
    Ok(())
}

/// The lines of the records that are not deleted, for an import.
#[must_use]
pub fn kept_prompt_lines(text: &str) -> String {
    let records = KeptRecord::parse_all(text);
    let kept = records.values().filter(|record| !record.is_deleted());
    kept.map(KeptRecord::line).collect()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::tests::log_of;
    use sash_log::MemoryStore;

    fn log(prompts: &[SavedPrompt]) -> Log<MemoryStore> {
        let mut log = log_of(&[]);
        for prompt in prompts {
            log.save_prompt(prompt).unwrap();
        }
        log
    }

    fn prompt(id: u64, rev: u32, text: &str) -> SavedPrompt {
        SavedPrompt {
            rev,
            ..SavedPrompt::new(Id(id), "Mail", text)
        }
    }

    fn file(former: Option<&str>, log: &mut Log<MemoryStore>) -> PromptsUpdate {
        update_prompts(former, &prompt_lines(log), None, Id(1), 5).unwrap()
    }

    fn texts(log: &mut Log<MemoryStore>) -> Vec<(String, String)> {
        let prompts = log.list_prompts().into_iter();
        prompts.map(|prompt| (prompt.name, prompt.text)).collect()
    }

    #[test]
    fn records_of_two_browsers_stand_beside_each_other_and_the_one_that_was_rewritten_counts() {
        let first = file(None, &mut log(&[prompt(1, 0, "One"), prompt(2, 3, "Two")]));
        let former = first.file.as_deref();
        let mut other = log(&[prompt(2, 4, "Two, again"), prompt(3, 0, "Three")]);
        other.save_folder(&Folder::new(Id(4), "Work", 1)).unwrap();
        let second = file(former, &mut other);
        let expected = ["One", "Two, again", "Three"];
        assert!(expected.iter().all(|text| second.text.contains(text)));
        assert!(!second.text.contains("\"Two\""));
        assert_eq!(count_prompts(&second.text), (3, 1));
        // Who writes what is there already changes nothing.
        let again = update_prompts(second.file.as_deref(), &first.text, None, Id(1), 6).unwrap();
        assert_eq!((again.file, again.text), (None, second.text));
    }

    #[test]
    fn of_a_deleted_record_no_text_is_left() {
        let mut log = log(&[prompt(1, 0, "Secret")]);
        let first = file(None, &mut log);
        log.save_prompt(&SavedPrompt {
            deleted: Some(9),
            ..prompt(1, 1, "Secret")
        })
        .unwrap();
        let mut folder = Folder::new(Id(4), "Hidden", 1);
        folder.system = Some("Secret".to_owned());
        folder.deleted = Some(9);
        log.save_folder(&folder).unwrap();
        let second = file(first.file.as_deref(), &mut log);
        assert!(!second.text.contains("Secret") && !second.text.contains("Hidden"));
        assert_eq!(second.text.lines().count(), 2);
        assert_eq!(kept_prompt_lines(&second.text), "");
        let purged = purge_prompts(first.file.as_deref().unwrap(), Id(1), 9).unwrap();
        assert!(!purged.text.contains("Secret") && purged.text.contains("\"deleted\":9"));
        // A browser that was away has it still, and does not write it again.
        let mut away = super::tests::log(&[prompt(1, 0, "Secret")]);
        assert!(
            !file(purged.file.as_deref(), &mut away)
                .text
                .contains("Secret")
        );
    }

    #[test]
    fn a_file_of_a_newer_sash_stays_and_what_was_changed_from_outside_does_not_count() {
        let mut here = log(&[prompt(1, 0, "One")]);
        let first = file(None, &mut here).file.unwrap();
        let newer = first.replace("\"schema\":1", "\"schema\":2");
        let refused = update_prompts(Some(&newer), "", None, Id(1), 5);
        assert_eq!(refused, Err(PromptsRefusal::Newer));
        let changed = first.replace("One", "Other");
        let update = file(Some(&changed), &mut here);
        assert!(!update.is_intact && update.text.contains("One") && update.file.is_some());
        let refused = update_prompts(Some(&first), "", Some("00000000"), Id(1), 5);
        assert_eq!(refused, Err(PromptsRefusal::Changed(1)));
        for nonsense in [
            "",
            "x\n{}\n",
            "{\"key\":\"sash:p:1\",\"crc\":\"00000000\",\"data\":{}}\n",
        ] {
            assert_eq!(file(Some(nonsense), &mut log(&[])).text, "");
        }
    }

    #[test]
    fn a_text_that_gives_way_becomes_a_prompt_of_its_own() {
        let common = prompt(1, 3, "Common");
        let base = prompt_checksums(&prompt_lines(&mut log(std::slice::from_ref(&common))));
        for (our_rev, ours, their_rev, theirs, expected) in [
            // Changed on one side.
            (3, "Common", 4, "Theirs", vec!["Theirs"]),
            (4, "Ours", 3, "Common", vec!["Ours"]),
            // On both.
            (4, "Ours", 5, "Theirs", vec!["Theirs", "Ours"]),
            (5, "Ours", 4, "Theirs", vec!["Ours", "Theirs"]),
            (4, "Same", 5, "Same", vec!["Same"]),
        ] {
            let theirs = prompt_lines(&mut log(&[prompt(1, their_rev, theirs)]));
            let mut log = log(&[prompt(1, our_rev, ours)]);
            let taken = take_over_prompts(&mut log, &theirs, &base, || Id(50)).unwrap();
            let names = ["Mail", "Mail 2"];
            let expected: Vec<_> = names
                .iter()
                .zip(&expected)
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect();
            assert_eq!(texts(&mut log), expected);
            assert_eq!(taken.copies, expected.len() - 1);
        }
        // As often on both sides.
        let theirs = prompt_lines(&mut log(&[prompt(1, 4, "Theirs")]));
        let mut here = log(&[prompt(1, 4, "Ours")]);
        take_over_prompts(&mut here, &theirs, &base, || Id(50)).unwrap();
        assert_eq!(texts(&mut here).len(), 2);
        // A folder of an earlier day.
        let ours = prompt_lines(&mut log(&[prompt(1, 5, "Later")]));
        let mut here = log(&[prompt(1, 5, "Later")]);
        let earlier = prompt_lines(&mut log(&[prompt(1, 3, "Common")]));
        take_over_prompts(&mut here, &earlier, &prompt_checksums(&ours), || Id(50)).unwrap();
        assert_eq!(texts(&mut here).len(), 1);
    }

    #[test]
    fn what_was_deleted_there_is_deleted_here_and_keeps_its_text_for_undo() {
        let common = prompt(1, 3, "Common");
        let base = prompt_checksums(&prompt_lines(&mut log(std::slice::from_ref(&common))));
        let deleted = SavedPrompt {
            deleted: Some(9),
            ..prompt(1, 4, "Common")
        };
        let theirs = prompt_lines(&mut log(&[deleted]));
        let mut here = log(&[common]);
        take_over_prompts(&mut here, &theirs, &base, || Id(50)).unwrap();
        assert_eq!(texts(&mut here), []);
        assert_eq!(here.saved_prompt(Id(1)).unwrap().text, "Common");
        // Both say the same now.
        assert_eq!(prompt_lines(&mut here), theirs);
        let taken = take_over_prompts(&mut here, &theirs, &base, || Id(50)).unwrap();
        assert_eq!(taken, TakenOver::default());
        // What was never here does not come to be deleted.
        let mut empty = log(&[]);
        take_over_prompts(&mut empty, &theirs, &base, || Id(50)).unwrap();
        assert_eq!(empty.saved_prompt(Id(1)), None);
    }

    #[test]
    fn the_system_prompt_of_a_folder_that_gives_way_becomes_a_prompt() {
        let folder = |rev, system: &str| Folder {
            rev,
            system: Some(system.to_owned()),
            ..Folder::new(Id(4), "Work", 1)
        };
        let lines = |folder: &Folder| {
            let mut log = log(&[]);
            log.save_folder(folder).unwrap();
            prompt_lines(&mut log)
        };
        let base = prompt_checksums(&lines(&folder(1, "Common")));
        let mut here = log(&[]);
        here.save_folder(&folder(2, "Ours")).unwrap();
        let theirs = lines(&folder(3, "Theirs"));
        let taken = take_over_prompts(&mut here, &theirs, &base, || Id(50)).unwrap();
        assert_eq!(here.folder(Id(4)).unwrap().system(), Some("Theirs"));
        assert_eq!(texts(&mut here), [("Work".to_owned(), "Ours".to_owned())]);
        assert_eq!(
            taken.keys,
            [Key::Record(FOLDER, Id(4)), Key::Record(PROMPT, Id(50))]
        );
    }
}
