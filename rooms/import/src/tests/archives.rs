//! Imports of archives and of several files at once.

use super::zip::{packed, stored, zip};
use super::{House, reactive};
use crate::{ImportReport, ImportState};
use futures::FutureExt;
use futures::future::{LocalBoxFuture, ready};
use reactive_graph::prelude::*;
use sash_chat::Role;
use sash_harness::{Machine, settle};
use sash_log::image::hash_image;
use sash_stores::PickedFile;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

const FIRST: &str = include_str!("../../tests/data/import/chatgpt-2026/conversations-000.json");
const SECOND: &str = include_str!("../../tests/data/import/chatgpt-2026/conversations-001.json");
const NAMES: &str =
    include_str!("../../tests/data/import/chatgpt-2026/conversation_asset_file_names.json");
const LIBRARY: &str = include_str!("../../tests/data/import/chatgpt-2026/library_files.json");
const USER: &str = include_str!("../../tests/data/import/chatgpt-2026/user.json");
const CLAUDE: &str = include_str!("../../tests/data/import/claude.json");

/// A file in memory.
struct Bytes {
    name: &'static str,
    bytes: Vec<u8>,
    /// The longest range that was read.
    longest: Rc<Cell<u64>>,
    /// How many ranges were read.
    ranges: Rc<Cell<usize>>,
}

impl PickedFile for Bytes {
    fn name(&self) -> String {
        self.name.to_owned()
    }
    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }
    fn read_range(&self, at: Range<u64>) -> LocalBoxFuture<'static, Option<Vec<u8>>> {
        self.longest.set(self.longest.get().max(at.end - at.start));
        self.ranges.set(self.ranges.get() + 1);
        let bytes = self.bytes.get(at.start as usize..at.end as usize);
        ready(bytes.map(<[u8]>::to_vec)).boxed_local()
    }
}

fn file(name: &'static str, bytes: impl Into<Vec<u8>>) -> Rc<dyn PickedFile> {
    Rc::new(Bytes {
        name,
        bytes: bytes.into(),
        longest: Rc::default(),
        ranges: Rc::default(),
    })
}

/// A PNG of one pixel whose data are missing.
fn png(n: u8) -> Vec<u8> {
    let mut bytes =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\0\0\0\0".to_vec();
    bytes.push(n);
    bytes
}

/// ChatGPT's archive of today.
fn chatgpt() -> Vec<u8> {
    zip(&[
        packed("conversations-000.json", FIRST).described_after(),
        packed("conversations-001.json", SECOND).zip64(),
        packed("conversation_asset_file_names.json", NAMES),
        packed("library_files.json", LIBRARY),
        packed("user.json", USER),
        packed("chat.html", "<html></html>"),
        stored("file_00000000a1b261f78c9d.dat", png(1)),
        packed("file-Nn1Oo2Tt3Ee4Ss5Aa6Bb7.dat", "It comes at dusk.\n"),
        stored("file-Pp1Dd2Ff3Gg4Hh5Ii6Jj7.dat", "%PDF-1.7"),
        stored("file_00000000f0c561f78c9d.dat", png(2)),
        packed("earlier.zip", zip(&[packed("conversations.json", SECOND)])),
        packed("__MACOSX/._conversations-000.json", "\0\x05\x16"),
    ])
}

fn report(machine: &Machine, house: House, files: Vec<Rc<dyn PickedFile>>) -> ImportReport {
    house.imports.read(files);
    machine.pass(10_000.0);
    assert_eq!(house.imports.state.get_untracked(), ImportState::Planned);
    house.imports.report(1 << 20).expect("a report")
}

/// How reading these files fails.
fn failure(machine: &Machine, house: House, files: Vec<Rc<dyn PickedFile>>) -> String {
    house.imports.read(files);
    machine.pass(10_000.0);
    match house.imports.state.get_untracked() {
        ImportState::Failed(why) => why,
        other => panic!("{other:?}"),
    }
}

/// The import came to its end and said this; the models of other programs are not here.
fn assert_done(house: House, words: &str) {
    let ImportState::Done(done) = house.imports.state.get_untracked() else {
        panic!("it is not done");
    };
    assert!(done.starts_with(words), "{done}");
}

fn left_out(report: &ImportReport) -> Vec<String> {
    let left_out = report.left_out.iter();
    left_out
        .map(|(name, why)| format!("{name}: {why}"))
        .collect()
}

#[test]
fn an_archive_comes_in_with_its_images_and_texts() {
    reactive(|machine, house| {
        let report = report(machine, house, vec![file("export.zip", chatgpt())]);
        assert_eq!(report.title, "2 chats: 2 new");
        assert_eq!(
            report.notes,
            [
                "2 images are missing; only their names are kept.",
                "1 recording (audio or video) is left out; only its name is kept.",
                "1 attached file is neither an image nor text, or too long; only its name is kept.",
                "1 chat is in the files twice and is counted once.",
                "It contains 2 images.",
            ]
        );
        assert_eq!(
            left_out(&report),
            ["earlier.zip: an archive inside the archive; unpack it and choose it separately",]
        );
        // Nothing is written for that.
        assert!(machine.images.borrow().is_empty());
        house.imports.run();
        machine.pass(10_000.0);
        assert_done(house, "2 chats imported.");
        let mut kept: Vec<_> = machine.images.borrow().keys().copied().collect();
        let mut expected = [hash_image(&png(1)), hash_image(&png(2))];
        kept.sort_unstable();
        expected.sort_unstable();
        assert_eq!(kept, expected);
        let fox = house.storage.with_log(|log| {
            let chats: Vec<_> = log.chat_keys().keys().copied().collect();
            let mut chats = chats.into_iter().filter_map(|chat| log.load(chat));
            chats.find(|chat| chat.title() == "A fox in the garden")
        });
        let fox = fox.flatten().unwrap();
        let question = fox.path()[0];
        assert_eq!(question.role, Role::User);
        assert_eq!(question.images[0].hash, hash_image(&png(1)));
        // A preview of each would fill the storage.
        assert_eq!(question.images[0].preview, "");
        assert!(
            question
                .content
                .starts_with("[File: notes.md]\n```\nIt comes at dusk.\n```")
        );
    });
}

#[test]
fn several_files_are_one_import() {
    reactive(|machine, house| {
        let files = vec![
            file("conversations-000.json", FIRST),
            file("conversations-001.json", SECOND),
            file("claude.json", CLAUDE),
            file("user.json", USER),
            file("file_00000000a1b261f78c9d.dat", png(1)),
            file("holiday.png", png(3)),
            file("half.zip", &chatgpt()[..500]),
        ];
        let report = report(machine, house, files);
        assert_eq!(report.title, "5 chats: 4 new, 1 left out");
        assert!(report.notes.contains(&"It contains 1 image.".to_owned()));
        let left_out = left_out(&report);
        assert_eq!(left_out.len(), 3, "{left_out:?}");
        assert_eq!(
            left_out[0],
            "half.zip: The ZIP file is incomplete or damaged: its directory is missing. Download it again."
        );
        assert!(left_out[1].starts_with("user.json: Sash doesn’t recognise"));
        assert_eq!(left_out[2], "holiday.png: not needed");
        house.imports.run();
        machine.pass(10_000.0);
        assert_done(house, "4 chats imported.");
        assert_eq!(machine.images.borrow().len(), 1);
    });
}

/// They were lost without a word: only chats of lists came with theirs.
#[test]
fn a_chat_alone_comes_in_with_its_images() {
    reactive(|machine, house| {
        let list: Vec<serde_json::Value> = serde_json::from_str(FIRST).unwrap();
        let files = vec![
            file("fox.json", list[0].to_string()),
            file("file_00000000a1b261f78c9d.dat", png(1)),
        ];
        let report = report(machine, house, files);
        assert_eq!(report.title, "1 chat: 1 new");
        assert!(report.notes.contains(&"It contains 1 image.".to_owned()));
        house.imports.run();
        machine.pass(10_000.0);
        assert_done(house, "1 chat imported.");
        assert_eq!(machine.images.borrow().len(), 1);
    });
}

#[test]
fn a_damaged_file_of_an_archive_costs_itself_alone() {
    reactive(|machine, house| {
        let archive = zip(&[
            packed("conversations-000.json", FIRST).encrypted(),
            packed("conversations-001.json", SECOND).crc(1),
            packed("conversations-002.json", vec![b' '; 1 << 20]).announced(1_900_000_000),
            packed("empty.json", ""),
            packed("other.json", "[]").method(14),
        ]);
        let report = report(machine, house, vec![file("export.zip", archive)]);
        assert_eq!(report.title, "2 chats: 2 new");
        assert_eq!(
            left_out(&report),
            [
                "conversations-001.json: damaged; the chats before the damage are imported",
                "conversations-000.json: encrypted",
                "conversations-002.json: unpacks to far more than chats do",
                "other.json: compressed in a way that Sash does not read",
            ]
        );
    });
}

/// In the middle of the first chat it was told as a file that Sash does not know.
#[test]
fn an_archive_that_is_cut_anywhere_or_holds_a_cut_file_is_told_as_that() {
    reactive(|machine, house| {
        let archive = chatgpt();
        for at in (1..archive.len() - 1).step_by(97).chain([1, 2, 3, 4, 20]) {
            let why = failure(machine, house, vec![file("a.zip", &archive[..at])]);
            assert!(why.contains("damaged"), "{at}: {why}");
        }
        for at in [1, 2, 20, 60, 200] {
            let archive = zip(&[packed("conversations.json", &FIRST[..at])]);
            let why = failure(machine, house, vec![file("a.zip", archive)]);
            assert!(why.contains("cut off or damaged"), "{at}: {why}");
        }
    });
}

#[test]
fn what_holds_no_chats_is_refused_in_words() {
    reactive(|machine, house| {
        for (files, words) in [
            (
                vec![file("a.zip", &chatgpt()[..1_000])],
                "The ZIP file is incomplete",
            ),
            (
                vec![file("a.zip", zip(&[packed("user.json", USER)]))],
                "Sash found no chats in what you chose. user.json: Sash doesn’t recognise",
            ),
            (
                vec![file("a.zip", zip(&[]))],
                "Sash found no chats in what you chose.",
            ),
            (
                vec![file("a.png", png(1)), file("b.png", png(2))],
                "Sash found no chats in what you chose.",
            ),
            (vec![file("a.json", "")], "The file is empty."),
            (vec![file("a.json", "[")], "The file is cut off or damaged."),
            (
                vec![file("a.gz", &b"\x1f\x8b\x08"[..])],
                "The file is an archive that Sash does not read.",
            ),
            (
                vec![file("a.json", &b"[\0]\0"[..])],
                "The file is UTF-16 text.",
            ),
            (
                vec![file("a.zip", zip(&[packed("a.json", FIRST).encrypted()]))],
                "The ZIP file is encrypted. Unpack it with its password",
            ),
            (
                vec![file("a.z01", &b"PK\x07\x08PK\x03\x04\x14\0"[..])],
                "The ZIP file is one part of several.",
            ),
            (
                vec![file(
                    "chat.html",
                    "<!DOCTYPE html><script>var jsonData = [];</script>",
                )],
                "The file is a web page (HTML) that Sash did not make.",
            ),
            (
                vec![file("chat.html", format!("<html>{}", "x".repeat(33 << 20)))],
                "The file is a web page (HTML) that Sash did not make.",
            ),
            (
                vec![file("a.7z", &b"7z\xbc\xaf\x27\x1c\0\x04\0\0"[..])],
                "The file is an archive that Sash does not read. Unpack the 7z file",
            ),
            (
                vec![file(
                    "all.jsonl",
                    format!("{{\"app\":\"sash\"}}\n{}", "x".repeat(40 << 20)),
                )],
                "The file has 40 MB. At most 32 MB are read at once.",
            ),
            (
                vec![file(
                    "a.json",
                    utf16(&format!("\u{feff}[{}]", "7,".repeat(9 << 20))),
                )],
                "The file is UTF-16 text.",
            ),
            (
                vec![file(
                    "a.json",
                    format!("[{{\"mapping\":{{\"a\":\"{}\"}}}}]", "x".repeat(33 << 20)),
                )],
                "The chats in this file are too long",
            ),
        ] {
            let why = failure(machine, house, files);
            assert!(why.starts_with(words), "{why}");
        }
        assert!(machine.images.borrow().is_empty());
    });
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// A list with a byte order mark was said to be no export, and an archive with something before it to be damaged text.
#[test]
fn a_mark_or_a_program_before_an_export_is_no_hindrance() {
    reactive(|machine, house| {
        let marked = format!("\u{feff}{FIRST}");
        let program = [b"MZ\x90\0 unpacks itself".to_vec(), chatgpt()].concat();
        let script = [
            b"#!/bin/sh\nexit\n".to_vec(),
            zip(&[packed("conversations.json", FIRST).zip64()]),
        ]
        .concat();
        for (name, bytes, title) in [
            (
                "conversations.json",
                marked.clone().into_bytes(),
                "1 chat: 1 new",
            ),
            ("conversations.exe", program, "2 chats: 2 new"),
            ("conversations.run", script, "1 chat: 1 new"),
            (
                "export.zip",
                zip(&[packed("conversations.json", marked)]),
                "1 chat: 1 new",
            ),
        ] {
            let report = report(machine, house, vec![file(name, bytes)]);
            assert_eq!(report.title, title, "{name}");
        }
    });
}

/// Each file of an archive was read with two ranges and a pause of its own: of 65,535 files that took minutes.
#[test]
fn thousands_of_small_files_are_read_in_few_ranges() {
    reactive(|machine, house| {
        let mut files = vec![packed("conversations.json", FIRST)];
        files.extend((0..10_000).map(|n| stored(&format!("log/{n}.json"), "[]")));
        let archive = zip(&files);
        let length = archive.len();
        let ranges = Rc::new(Cell::new(0));
        let picked: Rc<dyn PickedFile> = Rc::new(Bytes {
            name: "export.zip",
            bytes: archive,
            longest: Rc::default(),
            ranges: ranges.clone(),
        });
        let report = report(machine, house, vec![picked]);
        assert_eq!(report.title, "1 chat: 1 new");
        // What is not needed is not mentioned.
        assert!(report.left_out.is_empty());
        assert!(
            ranges.get() <= 2 * length / (256 * 1024) + 10,
            "{}",
            ranges.get()
        );
    });
}

#[test]
fn an_archive_is_never_read_as_a_whole() {
    reactive(|machine, house| {
        let large: Vec<u8> = (0..2_000_000_u32).flat_map(u32::to_le_bytes).collect();
        let archive = zip(&[
            packed("conversations-000.json", FIRST),
            stored("file-Vv1Ii2Dd3Ee4Oo5Aa6Bb7.dat", large),
        ]);
        let longest = Rc::new(Cell::new(0));
        let picked: Rc<dyn PickedFile> = Rc::new(Bytes {
            name: "export.zip",
            bytes: archive,
            longest: longest.clone(),
            ranges: Rc::default(),
        });
        report(machine, house, vec![picked]);
        assert!(longest.get() <= 256 * 1024, "{}", longest.get());
    });
}

#[test]
fn a_choice_that_is_given_up_while_it_is_read_does_not_come_back() {
    reactive(|machine, house| {
        house.imports.read(vec![file("export.zip", chatgpt())]);
        settle();
        house.imports.stop();
        machine.pass(10_000.0);
        assert_eq!(house.imports.state.get_untracked(), ImportState::Idle);
        assert_eq!(house.imports.report(1 << 20), None);
    });
}
