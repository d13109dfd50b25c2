//! Hostile files, and files of unknown formats: refused, or read in bounded time and memory, without changing
//! existing chats.

use super::*;
use std::time::{Duration, Instant};

/// Plans and imports the file; existing records may not change.
fn survives(bytes: Vec<u8>) -> Result<ImportPlan, ImportError> {
    let begun = Instant::now();
    let mut log = log_of(&[simple(1), simple(2)]);
    let before = dump(log.store());
    let result = decode(bytes)
        .and_then(|text| Planner::new(text, NOW))
        .and_then(|planner| planner.run(&mut log));
    assert_eq!(dump(log.store()), before, "a dry run writes nothing");
    if let Ok(plan) = &result {
        applied(&mut log, plan.clone()).unwrap();
        for (key, value) in before {
            assert_eq!(log.store().get(&key), Some(value));
        }
    }
    // A generous bound: an unoptimised build on a busy machine.
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
    result
}

fn refused(bytes: impl Into<Vec<u8>>) -> ImportError {
    survives(bytes.into()).map(|plan| plan.chats).unwrap_err()
}

fn read(text: &str) -> ImportPlan {
    survives(text.as_bytes().to_vec()).unwrap()
}

fn fates(plan: &ImportPlan) -> Vec<ImportOutcome> {
    plan.chats.iter().map(|chat| chat.fate).collect()
}

const GOOD: &str = r#"{"id":"g","messages":[{"role":"user","content":"Good"}]}"#;

#[test]
fn an_empty_file() {
    assert_eq!(refused(""), ImportError::Empty);
    assert_eq!(refused("\u{feff} \n"), ImportError::Empty);
    assert_eq!(refused("[]"), ImportError::Empty);
}

#[test]
fn one_byte_more_than_is_read() {
    let mut file = vec![b' '; MAX_FILE + 1];
    file[0] = b'[';
    assert_eq!(refused(file), ImportError::TooLong(MAX_FILE as u64 + 1));
}

/// A chat that is too long to be read was said to be no export that Sash knows.
#[test]
fn a_chat_of_too_many_parts_is_said_to_be_too_long() {
    let parts = "{},".repeat(200_001);
    let chat = format!("{{\"mapping\":[{parts}{{}}]}}");
    assert_eq!(refused(chat.clone()), ImportError::ChatTooLong);
    assert_eq!(refused(format!("[{chat}]")), ImportError::ChatTooLong);
    assert_eq!(
        refused(format!("[{chat},{chat}]")),
        ImportError::ChatTooLong
    );
    assert_eq!(refused(format!("[[{parts}{{}}]]")), ImportError::Unknown);
    let plan = read(&format!("[{GOOD},{chat}]"));
    assert_eq!(
        fates(&plan),
        [
            ImportOutcome::New,
            ImportOutcome::Skipped(Skip::NoChat(NoChat::TooLarge))
        ]
    );
}

#[test]
fn a_web_page_that_is_no_shared_chat() {
    for page in [
        "<html><body>no</body></html>",
        "\n<!doctype HTML>",
        "\u{feff}<!-- saved -->",
    ] {
        assert_eq!(refused(page), ImportError::WebPage);
    }
    assert_eq!(refused("<p>no</p>"), ImportError::Unknown);
}

#[test]
fn nesting_without_end() {
    for depth in [200, 100_000, 5_000_000] {
        let deep = "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(refused(deep.clone()), ImportError::Unknown);
        let plan = read(&format!("[{GOOD},{deep},{{\"mapping\":{deep}}}]"));
        assert_eq!(plan.count(|fate| fate == ImportOutcome::New), 1);
        assert_eq!(
            plan.count(|fate| matches!(fate, ImportOutcome::Skipped(_))),
            2
        );
        let line =
            format!("{{\"key\":\"sash:c:0000000000000009\",\"crc\":\"00000000\",\"data\":{deep}}}");
        let plan = read(&format!("{}\n{line}\n", line.replace(&deep, "1")));
        assert_eq!(fates(&plan), [ImportOutcome::Skipped(Skip::Empty)]);
    }
    assert_eq!(refused("[".repeat(MAX_FILE)), ImportError::Damaged);
    assert_eq!(refused("{\"a\":".repeat(1_000_000)), ImportError::Damaged);
}

#[test]
fn what_is_no_json() {
    for text in [
        "hello",
        "null",
        "true",
        "12",
        "\"text\"",
        "{",
        "[",
        "}",
        "{}",
        "[1,2,3]",
        "{\"a\":1}",
        "[null]",
        "[[]]",
        "{'a':1}",
        "\u{0}\u{0}",
        "[,]",
        "[{]}",
        "{\"chat\":{}}",
        "{\"mapping\":[]}",
        "{\"app\":\"other\",\"schema\":1}",
        "{\"hollama-sessions\":\"no\"}",
        "{\"hollama-sessions\":7}",
        "{\"hollama-sessions\":\"[\"}",
    ] {
        let error = refused(text);
        assert!(
            matches!(
                error,
                ImportError::Unknown | ImportError::Damaged | ImportError::Empty
            ),
            "{text}: {error}"
        );
    }
    // The valid chats before and after are read.
    for bad in [
        "nul",
        "{\"a\":01}",
        "\"\\x\"",
        "{\"messages\":[\"\n\"]}",
        "{\"messages\":[{\"content\":1e999}]}",
        "7",
    ] {
        let plan = read(&format!("[{GOOD},{bad}]"));
        assert_eq!(fates(&plan)[0], ImportOutcome::New, "{bad}");
        assert!(
            matches!(fates(&plan)[1], ImportOutcome::Skipped(_)),
            "{bad}"
        );
    }
    let cut = read(&format!(
        "[{GOOD},{{\"id\":\"h\",\"messages\":[{{\"role\":\"us"
    ));
    assert_eq!(
        (fates(&cut), cut.notes.cut_short),
        (vec![ImportOutcome::New], 1)
    );
    // An unterminated string.
    assert_eq!(read(&format!("[{GOOD},\"")).notes.cut_short, 1);
}

#[test]
fn a_mark_of_byte_order_and_text_of_sixteen_bits() {
    let mut log = log_of(&[simple(9)]);
    let file = exported(&mut log, ExportScope::All);
    assert_eq!(
        fates(&read(&format!("\u{feff}{file}"))),
        [ImportOutcome::New]
    );
    assert_eq!(
        fates(&read(&file.replace('\n', "\r\n"))),
        [ImportOutcome::New]
    );
    for text in [file, format!("[{GOOD}]")] {
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(refused(little), ImportError::Utf16);
        assert_eq!(refused(big), ImportError::Utf16);
    }
}

#[test]
fn ids_that_come_twice() {
    let chat =
        |text: &str| format!(r#"{{"id":"x","messages":[{{"role":"user","content":"{text}"}}]}}"#);
    let node = |text: &str, parent: &str| {
        format!(
            r#"{{"id":"m","parentId":{parent},"childrenIds":["m","m"],"role":"user","content":"{text}"}}"#
        )
    };
    // The same chat twice counts once, and one with its id and another content, whose messages become a branch.
    let plan = read(&format!("[{0},{0}]", chat("one")));
    assert_eq!(
        (fates(&plan), plan.notes.repeated),
        (vec![ImportOutcome::New], 1)
    );
    let webui = |text: &str| {
        format!(
            r#"{{"id":"x","chat":{{"history":{{"messages":{{"m":{}}}}}}}}}"#,
            node(text, "null")
        )
    };
    let plan = read(&format!(
        "[{},{},{}]",
        webui("one"),
        webui("two"),
        webui("one")
    ));
    assert_eq!(
        fates(&plan),
        [ImportOutcome::New, ImportOutcome::Copy(CopyReason::Twice)]
    );
    // A duplicate key in an object: the last one counts, as in other parsers.
    let twice = format!(
        r#"[{{"chat":{{"history":{{"messages":{{"m":{},"m":{}}}}}}}}}]"#,
        node("one", "null"),
        node("two", "null")
    );
    assert_eq!(read(&twice).chats[0].title, "two");
    // Records of one key that differ: the first one counts.
    let mut other = simple(9);
    other.insert(message(902, 901, 2, "Something else"));
    let file = exported(&mut log_of(&[simple(9)]), ExportScope::All);
    let second = exported(&mut log_of(&[other]), ExportScope::All);
    let plan = read(&(file.clone() + &second));
    assert_eq!(
        (fates(&plan), plan.notes.doubled),
        (vec![ImportOutcome::New], 1)
    );
    assert_eq!(read(&(file.clone() + &file)).notes.doubled, 0);
}

#[test]
fn parents_that_go_in_circles_or_nowhere() {
    let node = |id: &str, parent: &str, text: &str| {
        format!(
            r#""{id}":{{"id":"{id}","parentId":"{parent}","childrenIds":["{id}"],"role":"user","content":"{text}"}}"#
        )
    };
    let nodes = [
        node("a", "c", "A"),
        node("b", "a", "B"),
        node("c", "b", "C"),
        node("d", "d", "D"),
        node("e", "nowhere", "E"),
        node("__proto__", "e", "F"),
        node("constructor", "__proto__", "G"),
    ];
    let file = format!(
        r#"[{{"chat":{{"history":{{"currentId":"c","messages":{{{}}}}}}}}}]"#,
        nodes.join(",")
    );
    let mut log = log_of(&[]);
    let plan = planned(&mut log, &file);
    let id = plan.chats[0].chat;
    assert_eq!(plan.chats[0].messages, 7);
    applied(&mut log, plan).unwrap();
    let chat = log.load(id).unwrap();
    assert_eq!(chat.len(), 7);
    for message in chat.messages() {
        let parent = message.parent.and_then(|parent| chat.get(parent));
        assert!(parent.is_none_or(|parent| parent.seq < message.seq));
    }
    assert_eq!(chat.path().last().unwrap().content, "C");
    // In a file of Sash the cycle is kept, and every walk ends.
    let mut own = simple(9);
    own.insert(message(903, 904, 3, "More"));
    own.insert(message(904, 903, 4, "And more"));
    own.insert(message(905, 777, 5, "From nowhere"));
    let file = exported(&mut log_of(&[own]), ExportScope::All);
    let mut log = log_of(&[]);
    imported(&mut log, &file);
    assert_eq!(log.load(Id(9)).unwrap().path().len(), 5);
    // Merged into an existing chat: reported.
    let mut log = log_of(&[simple(9)]);
    let plan = planned(&mut log, &file);
    assert_eq!(
        (fates(&plan), plan.notes.orphans),
        (vec![ImportOutcome::More(3)], 1)
    );
}

#[test]
fn names_that_mean_something_elsewhere() {
    let file = r#"[{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"id":"__proto__","title":"__proto__",
        "messages":[{"__proto__":null,"role":"__proto__","content":"<script>alert(1)</script>","toString":1}]}]"#;
    let mut log = log_of(&[]);
    assert_eq!(imported(&mut log, file), [ImportOutcome::New]);
    let id = log.chat_list()[0].id;
    let chat = log.load(id).unwrap();
    // Markup is plain text; an unknown role is read as the person's.
    assert_eq!(chat.path()[0].content, "<script>alert(1)</script>");
    assert_eq!(chat.path()[0].role, Role::User);
    assert_eq!(chat.title(), "__proto__");
}

#[test]
fn a_million_tiny_chats() {
    let list = |one: &str| format!("[{}{one}]", format!("{one},").repeat(999_999));
    assert_eq!(refused(list("{}")), ImportError::TooManyChats);
    assert_eq!(refused(list("1")), ImportError::TooManyChats);
    assert_eq!(
        refused(list(r#"{"messages":[]}"#)),
        ImportError::TooManyChats
    );
    let mut lines = String::from("{\"app\":\"sash\",\"schema\":1}\n");
    for n in 0..300_000 {
        lines += &format!("{{\"key\":\"sash:c:{n:016x}\",\"crc\":\"00000000\",\"data\":1}}\n");
    }
    assert_eq!(refused(lines), ImportError::TooManyChats);
    let mut lines = String::from("{\"app\":\"sash\",\"schema\":1}\n");
    for n in 0..300_000 {
        let key = sash_log::Key::Message(Id(1), 1, Id(n));
        lines += &format!("{{\"key\":\"{key}\",\"crc\":\"00000000\",\"data\":1}}\n");
    }
    assert_eq!(refused(lines), ImportError::TooManyMessages);
}

#[test]
fn a_chat_of_many_messages_is_merged_in_time() {
    // Each message is the child of another one of the file: a linear search for each parent would take hours.
    let chat = |count: u32| -> String {
        let node = |n: u32| {
            format!(
                r#""{n}":{{"parentId":"{}","role":"user","content":"{n}"}}"#,
                n.wrapping_sub(1)
            )
        };
        let nodes: Vec<String> = (0..count).map(node).collect();
        let nodes = nodes.join(",");
        format!(r#"{{"id":"many","chat":{{"history":{{"messages":{{{nodes}}}}}}}}}"#)
    };
    let nodes = |count: u32| format!("[{}]", chat(count));
    let mut log = log_of(&[]);
    assert_eq!(imported(&mut log, &nodes(3)), [ImportOutcome::New]);
    let begun = Instant::now();
    let plan = planned(&mut log, &nodes(100_000));
    assert_eq!(fates(&plan), [ImportOutcome::More(99_997)]);
    assert!(begun.elapsed() < Duration::from_secs(60));
    let three = format!("[{0},{0},{0}]", chat(70_000));
    let error = Planner::new(three, NOW).and_then(|planner| planner.run(&mut log));
    assert_eq!(
        error.map(|plan| plan.needs),
        Err(ImportError::TooManyMessages)
    );
}

#[test]
fn one_chat_of_millions_of_parts_is_not_read_into_memory() {
    // Each part would take some hundred bytes in memory: gigabytes for a file of 32 MB.
    let parts = format!("[{}{{\"a\":1}}]", "{\"a\":1},".repeat(3_000_000));
    assert_eq!(
        fates(&read(&format!("[{GOOD},{{\"messages\":{parts}}}]"))),
        [
            ImportOutcome::New,
            ImportOutcome::Skipped(Skip::NoChat(NoChat::TooLarge))
        ]
    );
    let numbers = format!("[{}1]", "1,".repeat(12_000_000));
    assert_eq!(
        fates(&read(&format!("[{GOOD},{{\"messages\":{numbers}}}]"))),
        [
            ImportOutcome::New,
            ImportOutcome::Skipped(Skip::NoChat(NoChat::TooLarge))
        ]
    );
    let line =
        format!("{{\"key\":\"sash:c:0000000000000009\",\"crc\":\"00000000\",\"data\":{parts}}}");
    assert_eq!(read(&line).notes.damaged, 1);
}

/// It was divided at once: each value took dozens of bytes in memory, hundreds of megabytes for a file of 32.
#[test]
fn a_list_of_millions_of_values_in_a_text_is_divided_in_pieces() {
    let list = format!("[{}0]", "0,".repeat(2_000_000));
    for file in [format!("{{\"hollama-sessions\":{list}}}"), list] {
        let mut log = log_of(&[]);
        let mut planner = Planner::new(file, NOW).unwrap();
        let step = planner.step(&mut log).unwrap();
        let PlanStep::Read { percent, .. } = step else {
            panic!("{step:?}");
        };
        assert!(percent.is_some_and(|percent| percent < 10), "{percent:?}");
        assert_eq!(
            plan_pieces(&mut planner, &mut log),
            Err(ImportError::TooManyChats)
        );
    }
}

#[test]
fn what_is_too_long_or_too_large_is_brought_within_bounds() {
    let long = "x".repeat(3 << 20);
    let file = format!(
        r#"[{{"id":"l","title":"{}","model":"{}","updatedAt":"9999-12-31T23:59:59Z","messages":[
            {{"role":"user","content":"{long}"}},{{"role":"ASSISTANT","content":"after"}},{{"role":"user","content":"\u0000nought"}}]}}]"#,
        "t".repeat(10_000),
        "m".repeat(10_000)
    );
    let mut log = log_of(&[]);
    let plan = planned(&mut log, &file);
    assert_eq!(plan.notes.too_long, 1);
    let id = plan.chats[0].chat;
    applied(&mut log, plan).unwrap();
    let chat = log.load(id).unwrap();
    assert_eq!(chat.title().len(), 500);
    assert_eq!(chat.head.model.as_ref().unwrap().len(), 200);
    let day = 24 * 60 * 60 * 1000;
    assert_eq!(chat.head.created, NOW + day);
    let texts: Vec<&str> = chat.path().iter().map(|m| m.content.as_str()).collect();
    assert_eq!(texts, ["after", "\u{0}nought"]);
    assert!(chat.messages().all(|m| m.created == NOW + day));
    // The same for a file of Sash.
    let mut own = simple(9);
    own.head.created = u64::MAX;
    own.insert(Message {
        created: u64::MAX,
        ..message(903, 902, 3, "From the future")
    });
    own.insert(message(904, 903, 4, &long));
    own.insert(message(905, 903, 2_100_000_000, "Out of order"));
    let file = exported(&mut log_of(&[own]), ExportScope::All);
    let mut log = log_of(&[]);
    let plan = planned(&mut log, &file);
    assert_eq!(plan.notes.too_long, 1);
    applied(&mut log, plan).unwrap();
    let chat = log.load(Id(9)).unwrap();
    assert_eq!(chat.head.created, NOW + day);
    assert_eq!(
        (chat.len(), chat.get(Id(903)).unwrap().created),
        (3, NOW + day)
    );
}

#[test]
fn a_wrong_checksum_is_told_and_its_record_left_out() {
    let file =
        exported(&mut log_of(&[simple(9)]), ExportScope::All).replace("An answer", "A forgery");
    let plan = read(&file);
    assert_eq!(
        (fates(&plan), plan.notes.damaged),
        (vec![ImportOutcome::New], 1)
    );
    assert_eq!(plan.chats[0].messages, 1);
    assert_eq!(
        plan.notes.sentences(),
        ["1 record is damaged and left out."]
    );
    // Missing lines are reported.
    let short: String = file
        .lines()
        .take(3)
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(read(&short).notes.missing, 1);
}

#[test]
fn a_file_of_a_newer_sash() {
    let file = exported(&mut log_of(&[simple(9)]), ExportScope::All);
    assert_eq!(
        refused(file.replace("\"schema\":1", "\"schema\":2")),
        ImportError::Newer
    );
    let raw = format!("{file}{{\"key\":\"sash:bad:sash:c:0000000000000007\",\"raw\":\"2|zz\"}}\n");
    assert_eq!(read(&raw).notes.aside, 1);
}

#[test]
fn settings_and_what_else_is_no_chat_is_not_taken_over() {
    let record = |key: &str, data: &str| {
        let record =
            sash_log::encode_record(&serde_json::from_str::<serde_json::Value>(data).unwrap());
        lines::line(key, &record).unwrap()
    };
    let mut file = exported(&mut log_of(&[simple(9)]), ExportScope::All);
    file += &record("sash:set", r#"{"model":"evil"}"#);
    file += &record(
        "sash:in:0000000000000005",
        r#"{"keys":["sash:c:0000000000000001"]}"#,
    );
    file += &record("sash:z", "1");
    file += &record("sash:theme", "1");
    let mut log = log_of(&[simple(1)]);
    let plan = planned(&mut log, &file);
    assert_eq!(plan.records(), 3);
    applied(&mut log, plan).unwrap();
    let keys = log.store().keys();
    assert!(
        keys.iter().all(|key| key.starts_with("sash:c:")
            || key.starts_with("sash:m:")
            || key == "sash:meta")
    );
}

#[test]
fn what_leads_to_no_store_of_ours_is_no_key() {
    for key in [
        "../../x",
        "sash:m:0000000000000009:000001-",
        "sash:c:\\u0000",
        "theme",
        "sash:bad:x",
        "",
    ] {
        let line = format!("{{\"key\":\"{key}\",\"crc\":\"00000000\",\"data\":1}}\n");
        let plan = read(&format!("{{\"app\":\"sash\",\"schema\":1}}\n{line}"));
        assert_eq!(plan.records(), 0, "{key}");
    }
}
