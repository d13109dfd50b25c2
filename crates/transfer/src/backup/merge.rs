//! Joins two versions of a chat, and removes what was deleted for good.

use sash_chat::{Id, ImageHash, Message, Outcome, Role};
use sash_form::lines::{self, ExportLine};
use sash_log::{FOLDER, Key, MessageTombstone, Tombstone, encode_record};
use sash_records::KINDS;
use sash_records::backup::{MAX_PURGED_MESSAGES, MergeBase};
use std::collections::{BTreeMap, BTreeSet};

/// Two versions of a chat, joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The lines.
    pub rest: String,
    /// How many messages they have.
    pub messages: u64,
    /// Whether the former version says of a message something else than the joined one does.
    pub differs: bool,
}

/// The messages that the lines say were deleted for good.
fn purged(rest: &str) -> BTreeSet<Id> {
    let records = rest.lines().filter_map(|line| match lines::parse(line) {
        ExportLine::Record { key, data, .. } => match Key::parse(key, KINDS)? {
            Key::Removed(_, id) => {
                let tombstone: MessageTombstone = serde_json::from_str(data).ok()?;
                tombstone.purged.then_some(id)
            }
            _ => None,
        },
        _ => None,
    });
    records.collect()
}

/// Joins what a page says of a chat now with the version before it. The newer one counts, but for the messages that
/// only the former one has: they stay. What either of them says was deleted for good is in neither.
///
/// Lines of other chats in the newer version are left out.
#[must_use]
pub fn merge(former: &str, newer: &str, chat: Id) -> Merged {
    let mut gone = purged(former);
    gone.extend(purged(newer));
    let mut merged = Merged::default();
    let mut lines_of: BTreeMap<String, &str> = BTreeMap::new();
    let former_tombstones = purged(former);
    for line in newer.lines() {
        match lines::parse(line) {
            ExportLine::Record { key, .. } => {
                let Some(parsed) = Key::parse(key, KINDS) else {
                    continue;
                };
                let is_ours = parsed.chat().is_none_or(|of| of == chat);
                let keep = match parsed {
                    Key::Message(_, _, id) => !gone.contains(&id),
                    // The tombstone of a purge is final: the former one is added below.
                    Key::Removed(_, id) => !former_tombstones.contains(&id),
                    Key::Head(_)
                    | Key::Tombstone(_)
                    | Key::Record(FOLDER, _)
                    | Key::Segment(..) => true,
                    _ => false,
                };
                if is_ours && keep && lines_of.insert(key.to_owned(), line).is_none() {
                    push(&mut merged, line, parsed);
                }
            }
            ExportLine::Raw { key } if lines_of.insert(key.to_owned(), line).is_none() => {
                push_line(&mut merged, line);
            }
            _ => {}
        }
    }
    for line in former.lines() {
        match lines::parse(line) {
            ExportLine::Record { key, .. } => {
                let parsed = Key::parse(key, KINDS);
                let newer = lines_of.get(key);
                let keep = match parsed {
                    Some(Key::Message(_, _, id)) => {
                        merged.differs |= newer.is_some_and(|newer| is_other(line, newer));
                        !gone.contains(&id)
                    }
                    Some(Key::Removed(_, id)) => former_tombstones.contains(&id),
                    Some(Key::Segment(..)) | None => true,
                    _ => false,
                };
                if keep && newer.is_none() {
                    match parsed {
                        Some(parsed) => push(&mut merged, line, parsed),
                        None => push_line(&mut merged, line),
                    }
                }
            }
            ExportLine::Raw { key } if !lines_of.contains_key(key) => {
                push_line(&mut merged, line);
            }
            _ => {}
        }
    }
    merged
}

fn push(merged: &mut Merged, line: &str, key: Key) {
    merged.messages += u64::from(matches!(key, Key::Message(..)));
    push_line(merged, line);
}

fn push_line(merged: &mut Merged, line: &str) {
    merged.rest.push_str(line);
    merged.rest.push('\n');
}

/// Whether the former line of a message says something that the newer one does not. The first seconds of an answer
/// that is longer by now do not count.
fn is_other(former: &str, newer: &str) -> bool {
    let message = |line| match lines::parse(line) {
        ExportLine::Record { data, .. } => serde_json::from_str::<Message>(data).ok(),
        _ => None,
    };
    former != newer
        && match (message(former), message(newer)) {
            (Some(former), Some(newer)) => {
                former.outcome != Outcome::Interrupted
                    || !newer.content.starts_with(&former.content)
            }
            _ => true,
        }
}

/// The lines without these messages; `None` if none of them is there. A line that cannot be read goes too if it is
/// kept under the key of such a message.
#[must_use]
pub fn without_messages(rest: &str, chat: Id, messages: &BTreeSet<Id>) -> Option<String> {
    let begins = format!("{{\"key\":\"sash:m:{chat}:");
    let quarantined = format!("{{\"key\":\"sash:bad:sash:m:{chat}:");
    let is_kept = |line: &&str| {
        let place = line
            .strip_prefix(&begins)
            .or_else(|| line.strip_prefix(&quarantined));
        let id = place.and_then(|place| place.get(7..23)?.parse().ok());
        id.is_none_or(|id: Id| !messages.contains(&id))
    };
    let mut kept = String::with_capacity(rest.len());
    for line in rest.lines().filter(is_kept) {
        kept.push_str(line);
        kept.push('\n');
    }
    (kept.len() < rest.len() && rest.lines().any(|line| !is_kept(&line))).then_some(kept)
}

/// The lines of a chat of which these messages are deleted for good: a tombstone is left of each. `None` if none of
/// them is there.
#[must_use]
pub fn purge_messages(rest: &str, chat: Id, messages: &BTreeSet<Id>, now: u64) -> Option<String> {
    let left = without_messages(rest, chat, messages);
    let mut tombstones = BTreeMap::new();
    let mut former_tombstones = BTreeSet::new();
    for line in rest.lines() {
        let ExportLine::Record { key, data, .. } = lines::parse(line) else {
            continue;
        };
        match Key::parse(key, KINDS) {
            Some(Key::Message(_, seq, id)) if messages.contains(&id) => {
                if let Ok(message) = serde_json::from_str::<Message>(data) {
                    let message = Message { seq, id, ..message };
                    tombstones.insert(id, MessageTombstone::of(&message, now));
                }
            }
            Some(Key::Removed(_, id)) if messages.contains(&id) => {
                if let Ok(tombstone) = serde_json::from_str(data) {
                    tombstones.insert(id, tombstone);
                }
                former_tombstones.insert(line);
            }
            _ => {}
        }
    }
    if left.is_none() && former_tombstones.is_empty() {
        return None;
    }
    let left = left.as_deref().unwrap_or(rest).lines();
    let left = left.filter(|line| !former_tombstones.contains(line));
    let mut kept: String = left.map(|line| format!("{line}\n")).collect();
    for (id, tombstone) in tombstones {
        let key = Key::Removed(chat, id).to_string();
        let record = encode_record(&MessageTombstone {
            at: now,
            purged: true,
            ..tombstone
        });
        kept += &lines::line(&key, &record).unwrap_or_default();
    }
    Some(kept)
}

/// The lines that say which messages were deleted for good, and no others.
#[must_use]
pub fn purges(rest: &str) -> String {
    let gone = purged(rest);
    let lines = rest.lines().filter(|line| match lines::parse(line) {
        ExportLine::Record { key, .. } => {
            matches!(Key::parse(key, KINDS), Some(Key::Removed(_, id)) if gone.contains(&id))
        }
        _ => false,
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// The messages of the lines.
#[must_use]
pub fn message_ids(rest: &str) -> Vec<Id> {
    messages(rest).map(|(_, id)| id).collect()
}

/// Number and id of each message of the lines.
fn messages(rest: &str) -> impl Iterator<Item = (u32, Id)> {
    rest.lines().filter_map(|line| match lines::parse(line) {
        ExportLine::Record { key, .. } => match Key::parse(key, KINDS)? {
            Key::Message(_, seq, id) => Some((seq, id)),
            _ => None,
        },
        _ => None,
    })
}

/// Whether the lines of a chat that was deleted for good here have messages that were not deleted: somebody went on with it
/// who did not know that.
#[must_use]
pub fn goes_on_after_purge(rest: &str, base: &MergeBase) -> bool {
    let known: BTreeSet<Id> = base.purged_messages.iter().copied().collect();
    let is_whole = known.len() < MAX_PURGED_MESSAGES;
    let is_new = |(seq, id): (u32, Id)| !known.contains(&id) && (is_whole || seq > base.seq);
    messages(rest).any(is_new)
}

/// How many messages the lines have.
#[must_use]
pub fn count_messages(rest: &str) -> u64 {
    message_ids(rest).len() as u64
}

/// The lines of a chat that was deleted for good: its tombstone and those of its messages, so that every browser knows
/// which of its messages that concerns. `known` are messages that the lines may lack.
#[must_use]
pub fn purge_chat(rest: &str, chat: Id, known: &[Id], now: u64) -> String {
    let ids = rest.lines().filter_map(|line| match lines::parse(line) {
        ExportLine::Record { key, .. } => match Key::parse(key, KINDS)? {
            Key::Message(_, _, id) | Key::Removed(_, id) => Some(id),
            _ => None,
        },
        _ => None,
    });
    let ids: BTreeSet<Id> = ids.collect();
    let purged = purge_messages(rest, chat, &ids, now);
    let mut lines = tombstone(chat, now) + &purges(purged.as_deref().unwrap_or(rest));
    for id in known.iter().filter(|id| !ids.contains(id)) {
        let mut tombstone = MessageTombstone::of(&Message::new(*id, None, 0, Role::User, 0), now);
        tombstone.purged = true;
        let key = Key::Removed(chat, *id).to_string();
        lines += &lines::line(&key, &encode_record(&tombstone)).unwrap_or_default();
    }
    lines
}

fn tombstone(chat: Id, now: u64) -> String {
    let key = Key::Tombstone(chat).to_string();
    let record = encode_record(&Tombstone {
        at: now,
        purged: true,
    });
    // The record was just encoded in the form that `line` accepts.
    lines::line(&key, &record).unwrap_or_default()
}

/// All that looks like the hash of an image in a text, so that an image that any file may need stays.
#[must_use]
pub fn image_hashes(text: &str) -> BTreeSet<ImageHash> {
    let digits = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let runs = text.split(|c| !digits(c));
    runs.filter_map(|run| run.parse().ok()).collect()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::tests::{exported, log_of, simple};
    use export::ExportScope;
    use sash_chat::Chat;

    /// The keys of the lines.
    fn keys(rest: &str) -> Vec<String> {
        let keys = rest.lines().filter_map(|line| match lines::parse(line) {
            ExportLine::Record { key, .. } => Some(key.to_owned()),
            _ => None,
        });
        keys.collect()
    }

    fn rest(chat: Chat) -> String {
        let id = chat.head.id;
        let mut log = log_of(&[chat]);
        let file = exported(&mut log, ExportScope::One(id));
        file.split_once('\n').unwrap().1.to_owned()
    }

    fn removed(chat: Id, message: Id, purged: bool) -> String {
        let tombstone = MessageTombstone {
            at: 1,
            purged,
            parent: None,
            seq: 1,
            role: sash_chat::Role::User,
        };
        let key = Key::Removed(chat, message).to_string();
        lines::line(&key, &encode_record(&tombstone)).unwrap()
    }

    #[test]
    fn a_message_that_the_newer_version_lacks_stays() {
        let whole = rest(simple(1));
        let messages = whole.lines().filter(|line| line.contains("sash:m:"));
        let messages = messages.count() as u64;
        let half: String = whole
            .lines()
            .take(2)
            .map(|line| format!("{line}\n"))
            .collect();
        for (former, newer) in [(&whole, &half), (&half, &whole), (&whole, &whole)] {
            let merged = merge(former, newer, Id(1));
            assert_eq!((merged.messages, merged.differs), (messages, false));
            let mut found = keys(&merged.rest);
            let mut expected = keys(&whole);
            found.sort();
            expected.sort();
            assert_eq!(found, expected);
        }
        // Nothing was in the browser any more.
        assert_eq!(merge(&whole, "", Id(1)).messages, messages);
    }

    #[test]
    fn what_was_deleted_for_good_comes_back_from_nowhere() {
        let whole = rest(simple(1));
        let gone = Id(101);
        let tombstone = removed(Id(1), gone, true);
        let purged = merge(&whole, &tombstone, Id(1)).rest;
        let again = merge(
            &purged,
            &(whole.clone() + &removed(Id(1), gone, false)),
            Id(1),
        )
        .rest;
        for text in [purged, again] {
            assert!(!text.contains(&format!("-{gone}\"")), "{text}");
            assert!(text.contains(&tombstone), "{text}");
            assert_eq!(text.matches(&format!("sash:x:{}:{gone}", Id(1))).count(), 1);
        }
    }

    #[test]
    fn what_is_restored_from_the_trash_has_no_tombstone_any_more() {
        let whole = rest(simple(1));
        let former = whole.clone() + &removed(Id(1), Id(101), false);
        assert!(!merge(&former, &whole, Id(1)).rest.contains("sash:x:"));
    }

    #[test]
    fn another_text_under_the_same_key_is_known_and_a_longer_answer_is_none() {
        let mut chat = simple(1);
        let former = rest(chat.clone());
        let mut message = chat.get(Id(102)).cloned().unwrap();
        message.content += " And more.";
        chat.insert(message.clone());
        assert!(merge(&former, &rest(chat.clone()), Id(1)).differs);
        message.outcome = Outcome::Interrupted;
        message.content = "Wo".to_owned();
        let mut begun = simple(1);
        begun.insert(message.clone());
        message.content = "World, and more.".to_owned();
        message.outcome = Outcome::Complete;
        chat.insert(message);
        assert!(!merge(&rest(begun), &rest(chat), Id(1)).differs);
    }

    #[test]
    fn lines_of_other_chats_and_nonsense_do_not_come_in() {
        let other = rest(simple(2));
        assert_eq!(merge("", &other, Id(1)).rest, "");
        assert_eq!(
            merge(
                "",
                "x\n{}\n[]\n{\"key\":\"../../x\",\"crc\":\"0123abcd\",\"data\":1}\n",
                Id(1)
            )
            .rest,
            ""
        );
        // What the former version has and this Sash does not know stays.
        let unknown = "{\"key\":\"sash:new:1\",\"crc\":\"0123abcd\",\"data\":1}\n";
        assert_eq!(merge(unknown, "", Id(1)).rest, unknown);
    }

    #[test]
    fn messages_are_taken_out_of_an_older_version() {
        let whole = rest(simple(1));
        let gone = BTreeSet::from([Id(101)]);
        let left = without_messages(&whole, Id(1), &gone).unwrap();
        assert!(whole.contains("-0000000000000065\"") && !left.contains("-0000000000000065\""));
        assert_eq!(left.lines().count() + 1, whole.lines().count());
        assert_eq!(without_messages(&left, Id(1), &gone), None);
        assert_eq!(without_messages(&whole, Id(2), &gone), None);
        // Half a line goes too.
        let half = "{\"key\":\"sash:m:0000000000000001:000001-0000000000000065\",\"crc";
        assert_eq!(without_messages(half, Id(1), &gone), Some(String::new()));
    }

    #[test]
    fn of_a_message_that_is_purged_its_place_is_left() {
        let whole = rest(simple(1)) + &removed(Id(1), Id(102), false);
        let gone = BTreeSet::from([Id(101), Id(102)]);
        let left = purge_messages(&whole, Id(1), &gone, 7).unwrap();
        assert!(
            !left.contains("sash:m:") && !left.contains("answer\""),
            "{left}"
        );
        assert_eq!(purged(&left), gone);
        assert_eq!(left.matches("sash:x:").count(), 2);
        assert_eq!(purges(&left).lines().count(), 2);
        assert_eq!((count_messages(&whole), count_messages(&left)), (2, 0));
        assert_eq!(
            purge_messages(&left, Id(1), &BTreeSet::from([Id(9)]), 7),
            None
        );
    }

    #[test]
    fn of_a_chat_that_is_purged_the_ids_are_left() {
        let left = purge_chat(&rest(simple(1)), Id(1), &[Id(102), Id(103)], 7);
        assert_eq!(purged(&left), BTreeSet::from([Id(101), Id(102), Id(103)]));
        assert_eq!(left.lines().count(), 4, "{left}");
        assert!(
            left.starts_with("{\"key\":\"sash:x:0000000000000001\""),
            "{left}"
        );
        assert_eq!(purge_chat("", Id(1), &[], 7).lines().count(), 1);
    }

    #[test]
    fn every_hash_in_a_text_is_found() {
        let hash = "0123456789abcdef".repeat(4);
        let text = format!("\"{hash}\" x{hash} {hash}0");
        assert_eq!(image_hashes(&text).len(), 1);
    }
}
