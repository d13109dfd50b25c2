use super::{CHAT, COPY, key};
use crate::clock::{FieldClock, Fields};
use crate::form::{
    Copy, CopyId, CopyRecord, MAX_COUNT, MAX_HEADER, MAX_LINE, MAX_TEXT, MAX_TITLE, Standing,
    Unreadable, compose, parse, parse_header,
};
use crate::gone::{Gone, gone_line, parse_gone};
use crate::{BackupFault, BackupKey};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use sash_chat::{Id, ImageHash};
use sash_form::lines::{self, ExportLine};
use sash_log::checksum;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const LINES: &str = "{\"key\":\"sash:c:0000000000000007\",\"crc\":\"0123abcd\",\"data\":{}}\n";

fn record() -> CopyRecord {
    CopyRecord {
        write: 17,
        state: "ab".repeat(16),
        title: "Ein Titel".to_owned(),
        images: vec![ImageHash([0xab; 32])],
        running: vec![Id(5)],
        gone: BTreeMap::from([(Id(0xb2), 80)]),
        fields: Fields::from([("title".to_owned(), clock(3, "0a1b2c3d", 17))]),
        ..CopyRecord::default()
    }
}

fn clock(count: u64, crc: &str, write: u64) -> FieldClock {
    FieldClock {
        count,
        crc: crc.to_owned(),
        write,
        known: 0,
    }
}

fn file() -> String {
    compose(COPY, record(), LINES, 42, 5, &key()).unwrap()
}

fn standing(text: &str) -> Option<Standing> {
    parse(text, COPY, &key()).ok().map(|copy| copy.standing)
}

/// A header of the form that is written, with this record in JSON.
fn header_with(backup: &str) -> String {
    format!(
        "{{\"app\":\"sash\",\"schema\":1,\"exported\":5,\"chats\":1,\"messages\":42,\"backup\":{backup}}}"
    )
}

fn ids() -> impl Strategy<Value = Id> {
    any::<u64>().prop_map(Id)
}

fn counts() -> impl Strategy<Value = BTreeMap<Id, u64>> {
    btree_map(ids(), 0..=MAX_COUNT, 0..5)
}

fn clocks() -> impl Strategy<Value = Fields> {
    let count = || 0..=MAX_COUNT;
    let clock = (count(), "[0-9a-f]{8}|", count(), count());
    let clock = clock.prop_map(|parts| FieldClock::try_from(parts).unwrap());
    btree_map(any::<String>(), clock, 0..5)
}

prop_compose! {
    fn records()(
        write in 0..=MAX_COUNT,
        state in "[0-9a-f]{0,32}",
        title in vec(any::<char>(), 0..=MAX_TITLE),
        images in vec(any::<[u8; 32]>(), 0..4),
        running in vec(ids(), 0..4),
        gone in counts(),
        fields in clocks(),
    ) -> CopyRecord {
        CopyRecord {
            write,
            state,
            title: title.into_iter().collect(),
            images: images.into_iter().map(ImageHash).collect(),
            running,
            gone,
            fields,
            ..CopyRecord::default()
        }
    }
}

/// What of a record is not made anew by `compose`.
fn said(record: &CopyRecord) -> String {
    format!(
        "{} {} {:?} {:?} {:?} {:?} {:?}",
        record.write,
        record.state,
        record.title,
        record.images,
        record.running,
        record.gone,
        record.fields
    )
}

proptest! {
    #[test]
    fn any_record_is_read_as_it_was_composed(
        record in records(), lines in any::<String>(), messages in 0..1_000_000_usize, now in 0..=MAX_COUNT,
    ) {
        let text = compose(COPY, record.clone(), &lines, messages, now, &key()).unwrap();
        let copy = parse(&text, COPY, &key()).unwrap();
        prop_assert_eq!(copy.standing, Standing::Sealed);
        prop_assert_eq!(copy.lines, &lines);
        prop_assert_eq!((copy.header.messages, copy.header.exported), (messages as u64, now));
        prop_assert_eq!(said(&copy.header.backup), said(&record));
        // An import reads it, too.
        let first = text.lines().next().unwrap();
        let is_header = matches!(lines::parse(first), ExportLine::Header { schema: 1, .. });
        prop_assert!(is_header, "{}", first);
    }

    #[test]
    fn a_copy_with_any_byte_changed_is_not_sealed(at in any::<prop::sample::Index>(), change in 1..=255_u8) {
        let mut bytes = file().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= change;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        prop_assert_ne!(standing(&text), Some(Standing::Sealed));
        // Nor is one of which the end is missing.
        prop_assert_ne!(standing(&file()[..at]), Some(Standing::Sealed));
    }

    /// Whatever a header says, nothing that counts on from it wraps, and nothing that is shown of it is long.
    #[test]
    fn what_a_header_says_is_bounded(numbers in vec(any::<u64>(), 5), texts in vec(any::<String>(), 2)) {
        let texts: Vec<String> = texts.iter().map(|text| json!(text.repeat(100)).to_string()).collect();
        let ([a, b, c, d, e], [title, state]) = (&numbers[..], &texts[..]) else { unreachable!() };
        let line = format!(
            "{{\"app\":\"sash\",\"schema\":1,\"exported\":{a},\"messages\":{b},\"backup\":{{\"write\":{c},\
             \"title\":{title},\"state\":{state},\"gone\":{{\"0000000000000001\":{d}}},\
             \"fields\":{{\"title\":[{},\"\",0,0]}}}}}}",
            e.min(&MAX_COUNT),
        );
        let (header, standing) = parse_header(&line, COPY, &key()).unwrap();
        prop_assert_eq!(standing, Standing::Unsealed);
        prop_assert!(header.backup.write <= MAX_COUNT);
        prop_assert!(header.backup.title.chars().count() <= MAX_TITLE && header.backup.state.len() <= 64);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), first in 0..file().len()) {
        for text in [text.clone(), format!("{text}\n{LINES}"), file().get(..first).unwrap_or_default().to_owned() + &text] {
            prop_assert_ne!(standing(&text), Some(Standing::Sealed));
            prop_assert_eq!(parse_gone(&text, COPY, &key()), Gone::default());
        }
    }
}

/// A header of which a part is nothing that Sash writes is none.
#[test]
fn a_header_with_a_wrong_value_is_none() {
    for wrong in [
        "\"write\":-1",
        "\"write\":18446744073709551616",
        "\"write\":1e300",
        "\"write\":\"7\"",
        "\"title\":null",
        "\"images\":[7]",
        "\"running\":[\"x\"]",
        "\"gone\":{\"x\":1}",
        "\"fields\":{\"title\":[9007199254740993,\"\",0,0]}",
        "\"fields\":{\"title\":[1,\"123456789\",0,0]}",
        "\"write\":1,\"write\":2",
    ] {
        let line = header_with(&format!("{{{wrong}}}"));
        let read = parse_header(&line, COPY, &key());
        assert_eq!(read, Err(Unreadable::NoHeader), "{wrong}");
    }
}

/// Whoever can write the directory and has no key: a synchronising program, another user, a copied disk. On the old form each
/// of these files was taken over by a browser in step, settings that act included.
#[test]
fn a_file_without_the_right_seal_does_not_count_as_sealed() {
    assert_eq!(standing(&file()), Some(Standing::Sealed));
    let other = BackupKey("fedcba9876543210".repeat(4));
    let forged = compose(COPY, record(), LINES, 42, 5, &other).unwrap();
    assert_eq!(standing(&forged), Some(Standing::Unsealed));
    let none = BackupKey::default();
    let unsealed = compose(COPY, record(), LINES, 42, 5, &none).unwrap();
    assert_eq!(standing(&unsealed), Some(Standing::Unsealed));
    // Without a key nothing is sealed, by whomever.
    let copy = parse(&unsealed, COPY, &none).unwrap();
    assert_eq!(copy.standing, Standing::Unsealed);
    // A right copy under the name of another chat, or as that of another browser.
    for of in [
        CopyId {
            chat: Id(8),
            ..COPY
        },
        CopyId {
            browser: Id(0xb2),
            ..COPY
        },
        CopyId {
            chat: COPY.browser,
            browser: COPY.chat,
        },
    ] {
        let copy = parse(&file(), of, &key()).map(|copy| copy.standing);
        assert_eq!(copy, Ok(Standing::Unsealed), "{of:?}");
    }
    // A right header before other lines.
    let lines = LINES.replace("{}", "[]");
    let header = file().split_once('\n').unwrap().0.to_owned();
    assert_eq!(
        standing(&format!("{header}\n{lines}")),
        Some(Standing::Changed)
    );
    assert_eq!(standing(&header), Some(Standing::Changed));
}

/// Of the old form: a version at its end made the next one 0.
#[test]
fn a_file_of_the_earlier_form_is_a_copy_of_all_browsers_and_never_sealed() {
    let crc = checksum(LINES);
    let header = |version: &str, crc: &str| {
        header_with(&format!(
            "{{\"version\":{version},\"writer\":\"00000000000000b1\",\"title\":\"Old\",\"crc\":\"{crc}\",\"writers\":{{}}}}"
        ))
    };
    let text = format!("{}\n{LINES}", header("7", &crc));
    let Copy {
        header: read,
        lines,
        standing,
    } = parse(&text, COPY, &key()).unwrap();
    assert_eq!(
        (lines, standing, read.messages),
        (LINES, Standing::Unsealed, 42)
    );
    assert_eq!((read.backup.write, read.backup.title.as_str()), (7, "Old"));
    assert_eq!(read.backup.fields, Fields::new());
    let text = format!("{}\n{LINES}", header("7", "00000000"));
    let changed = parse(&text, COPY, &key()).unwrap();
    assert_eq!(changed.standing, Standing::Changed);
    let text = format!("{}\n{LINES}", header("18446744073709551615", &crc));
    let write = parse(&text, COPY, &key()).unwrap().header.backup.write;
    assert_eq!(write, MAX_COUNT);
    // An export is a file that says nothing of its lines.
    let export = format!(
        "{{\"app\":\"sash\",\"schema\":1,\"exported\":5,\"chats\":1,\"messages\":2}}\n{LINES}"
    );
    let copy = parse(&export, COPY, &key()).unwrap();
    assert_eq!(
        (copy.standing, copy.header.messages),
        (Standing::Changed, 2)
    );
}

#[test]
fn what_a_newer_sash_wrote_or_what_is_no_copy_is_not_read() {
    for (text, why) in [
        (
            header_with("{}").replace("\"schema\":1", "\"schema\":2"),
            Unreadable::Newer,
        ),
        (
            header_with("{}").replace("sash", "other"),
            Unreadable::NoHeader,
        ),
        (String::new(), Unreadable::NoHeader),
        (LINES.to_owned(), Unreadable::NoHeader),
        ("{\"app\":\"sash\",\"sch".to_owned(), Unreadable::NoHeader),
        (
            format!("{} ", header_with("{}")).repeat(2),
            Unreadable::NoHeader,
        ),
    ] {
        assert_eq!(parse(&text, COPY, &key()), Err(why), "{text}");
    }
}

/// A file of 100 MB, or with a line of that length, is refused before it is written.
#[test]
fn what_no_sash_would_read_again_is_not_composed() {
    let composed = |lines: &str, record| compose(COPY, record, lines, 1, 5, &key()).map(|_| ());
    let long = "x".repeat(MAX_LINE - 1) + "\n";
    assert_eq!(composed(&long, record()), Ok(()));
    assert_eq!(
        composed(&long.replace('\n', "xx\n"), record()),
        Err(BackupFault::TooLong)
    );
    assert_eq!(
        composed(&long.repeat(MAX_TEXT / MAX_LINE), record()),
        Err(BackupFault::TooLong)
    );
    let removed = (0..100_000).map(|n| (format!("removed/{}", Id(n)), clock(1, "b326b506", 1)));
    let record = CopyRecord {
        fields: removed.collect(),
        ..record()
    };
    assert_eq!(composed(LINES, record), Err(BackupFault::TooLong));
}

#[test]
fn a_long_title_is_cut_and_a_long_header_is_read() {
    let removed = (0..40_000).map(|n| (format!("removed/{}", Id(n)), clock(1, "b326b506", 1)));
    let whole = CopyRecord {
        title: "é".repeat(5000),
        fields: removed.collect(),
        ..record()
    };
    let text = compose(COPY, whole, LINES, 42, 5, &key()).unwrap();
    let copy = parse(&text, COPY, &key()).unwrap();
    assert_eq!(copy.standing, Standing::Sealed);
    assert_eq!(copy.header.backup.title, "é".repeat(MAX_TITLE));
    assert_eq!(copy.header.backup.fields.len(), 40_000);
    let first = text.lines().next().unwrap();
    assert!(matches!(
        lines::parse(first),
        ExportLine::Header { messages: 42, .. }
    ));
}

/// The time grows with the length alone: what grew with its square would take hours for these.
#[test]
fn the_most_hostile_header_takes_little_time() {
    let most = MAX_HEADER - 200;
    let many = |one: &dyn Fn(usize) -> String, bytes: usize| {
        let all: Vec<String> = (0..most / bytes).map(one).collect();
        all.join(",")
    };
    let entry = |n: usize| format!("\"{}\":{n}", Id(n as u64));
    for backup in [
        "[".repeat(most),
        format!("{{\"images\":[{}]}}", many(&|_| "7".to_owned(), 2)),
        format!("{{\"fields\":{{{}}}}}", many(&entry, 30)),
        format!("{{\"gone\":{{{}}}}}", many(&entry, 30)),
        format!("{{\"gone\":{{{}}}}}", many(&|_| "\"x\":1".to_owned(), 6)),
        format!("{{{}}}", many(&entry, 30)),
        format!("{{\"title\":\"{}\"}}", "\\u0001".repeat(most / 6)),
    ] {
        let line = header_with(&backup);
        let begun = Instant::now();
        let read = parse_header(&line, COPY, &key());
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{:?}",
            begun.elapsed()
        );
        assert!(!matches!(read, Ok((_, Standing::Sealed))));
    }
    let long = header_with(&format!("\"{}\"", "x".repeat(MAX_HEADER)));
    assert_eq!(parse_header(&long, COPY, &key()), Err(Unreadable::NoHeader));
}

/// Forged tombstones destroyed messages and a chat for good.
#[test]
fn a_gone_line_without_the_right_seal_says_nothing() {
    let text = gone_line(COPY, Some(Id(101)), &key()) + &gone_line(COPY, None, &key());
    let whole = Gone {
        chat: true,
        ids: BTreeSet::from([Id(101)]),
    };
    assert_eq!(parse_gone(&text, COPY, &key()), whole);
    let other = BackupKey("fedcba9876543210".repeat(4));
    let elsewhere = CopyId {
        chat: Id(8),
        ..COPY
    };
    let seal = key().seal("anything");
    for forged in [
        gone_line(COPY, Some(Id(101)), &other),
        gone_line(COPY, Some(Id(101)), &BackupKey::default()),
        gone_line(elsewhere, Some(Id(101)), &key()),
        gone_line(COPY, Some(Id(101)), &key()).replace("065", "066"),
        gone_line(COPY, Some(Id(101)), &key())
            .replace("\"id\":\"0000000000000065\"", "\"chat\":true"),
        format!("{{\"chat\":true,\"seal\":\"{seal}\"}}\n"),
        "{\"chat\":true,\"seal\":\"\"}\n".to_owned(),
        "{\"chat\":true}\n".to_owned(),
        "{".repeat(100_000),
    ] {
        assert_eq!(
            parse_gone(&forged, COPY, &key()),
            Gone::default(),
            "{}",
            &forged[..40]
        );
        // It costs itself and none of the others.
        assert_eq!(
            parse_gone(&format!("{forged}\n{text}"), COPY, &key()),
            whole
        );
    }
    let mut all = parse_gone(&gone_line(COPY, Some(Id(5)), &key()), COPY, &key());
    all.extend(whole);
    assert_eq!((all.chat, all.ids.len()), (true, 2));
}

/// RFC 4231, test case 2.
#[test]
fn the_seal_is_hmac_sha_256() {
    let seal = BackupKey("Jefe".to_owned()).seal("what do ya want for nothing?");
    assert_eq!(
        seal,
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    );
    assert_eq!(format!("{:?}", key()), "BackupKey(…)");
    assert!(!file().contains(&key().0) && file().contains(&CHAT.to_string()));
}
