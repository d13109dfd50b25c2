//! An export that is cut off or damaged is told as that, whatever program wrote it and wherever it is cut. It was told as a
//! file that Sash does not know.

use super::*;

/// A file of each program, as one is read.
#[expect(clippy::disallowed_methods, reason = "names of files, once")]
fn files() -> Vec<(&'static str, String)> {
    let shared = exported(&mut log_of(&[simple(1), simple(2)]), ExportScope::All);
    let read = |name: &str| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/import/").to_owned() + name;
        std::fs::read_to_string(path).unwrap()
    };
    let mut files = vec![("sash.jsonl", shared)];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/import");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".json") && !name.contains("store") {
            let text = read(&name);
            files.push((name.leak(), text));
        }
    }
    assert!(files.len() > 5, "{}", files.len());
    files
}

/// How a file is read: as a list item by item, or as a whole.
fn read(bytes: &[u8]) -> Result<ImportPlan, ImportError> {
    let mut log = log_of(&[]);
    let mut planner = Planner::empty(NOW);
    if bytes.trim_ascii_start().starts_with(b"[") {
        plan_list(&mut planner, &mut log, bytes)?;
        return Ok(planner.finish());
    }
    Planner::new(decode(bytes.to_vec())?, NOW)?.run(&mut log)
}

/// What is told of a file: that it is cut off, or how many of its chats come in all the same.
fn is_told(bytes: &[u8]) -> bool {
    match read(bytes) {
        Err(ImportError::Damaged | ImportError::Empty) => true,
        Err(_) => false,
        Ok(plan) => plan.notes != ImportNotes::default() || plan.chats.is_empty(),
    }
}

#[test]
fn an_export_that_is_cut_anywhere_is_told_as_cut() {
    for (name, text) in files() {
        let whole = text.trim_end();
        if read(whole.as_bytes()).is_err() {
            continue;
        }
        let step = (whole.len() / 400).max(1);
        for at in (1..whole.len()).step_by(step).chain(1..40) {
            let cut = whole.as_bytes().get(..at).unwrap();
            assert!(is_told(cut), "{name} cut at {at}: {:?}", read(cut).err());
        }
    }
}

#[test]
fn an_export_that_is_damaged_is_told_as_damaged() {
    for (name, text) in files() {
        if read(text.as_bytes()).is_err() || name == "sash.jsonl" {
            continue;
        }
        // A program's file with a piece that is no JSON in each of its chats.
        let damaged = text.replace("\":", "\"\u{1}:");
        if damaged != text {
            // What is nested without end is read by a reader of its own, which may find messages all the same.
            let read = read(damaged.as_bytes()).map_err(|error| error == ImportError::Damaged);
            assert_ne!(read.err(), Some(false), "{name}");
        }
    }
}

/// It was told as a file that Sash does not know, because only its first value was looked at.
#[test]
fn a_chat_that_damage_closes_too_early_is_told_as_damaged() {
    let damaged = r#"{"title":"Bread"},"mapping":{}}"#;
    assert_eq!(read(damaged.as_bytes()).err(), Some(ImportError::Damaged));
}

#[test]
fn what_is_no_export_is_not_told_as_damaged() {
    for text in [
        "[link](https://example.org) and text",
        "{a: 1}",
        "hello",
        "[1, 2, 3]",
        "{\"a\": 1}",
        "a,b\n1,2\n",
        "[{\"name\": \"x\"}]",
        "{\"hollama-sessions\": \"\"}",
        "{\"a\": 1}\n{\"a\": 2}",
    ] {
        assert_eq!(
            read(text.as_bytes()).err(),
            Some(ImportError::Unknown),
            "{text}"
        );
    }
}

/// A shared page that is cut before its records was told as a page that Sash did not make.
#[test]
fn a_page_of_sash_that_is_cut_is_told_as_cut() {
    let page = "<!doctype html>\n<html><head><meta name=\"generator\" content=\"Sash\">\n<title>A";
    assert_eq!(read(page.as_bytes()).err(), Some(ImportError::Damaged));
    let other = "<!doctype html>\n<html><head><title>A</title></head></html>";
    assert_eq!(read(other.as_bytes()).err(), Some(ImportError::WebPage));
}
