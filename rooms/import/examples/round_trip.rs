//! A chat leaves one log as a file and comes into another: the file is printed, planned and imported.
//!
//! `cargo run -p sash-room-import --example round_trip`

use export::{Export, ExportScope};
use sash_chat::{Head, Id, Message, Role};
use sash_log::{KeyValue, Log, MemoryStore};
use sash_room_import::{Import, ImportStep, Planner};
use std::error::Error;

/// 2026-09-21, in milliseconds since 1970.
const NOW: u64 = 1_790_000_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut here = open()?;
    let mut question = Message::new(Id(2), None, 1, Role::User, NOW);
    "How do tides work?".clone_into(&mut question.content);
    here.save_head(&Head::new(Id(1), NOW))
        .and_then(|()| here.save_message(Id(1), &question))
        .map_err(|error| format!("{error:?}"))?;

    let mut export = Export::new(&here, ExportScope::All, NOW);
    let mut file = String::new();
    while let Some(piece) = export.next(&mut here) {
        file.push_str(&piece);
    }
    print!("{file}");

    let mut there = open()?;
    let plan = Planner::new(file, NOW)?.run(&mut there)?;
    for chat in &plan.chats {
        println!("{}: {:?}", chat.title, chat.fate);
    }
    let mut import =
        Import::begin(plan, Vec::new(), &mut there, Id(9)).map_err(|error| error.to_string())?;
    while let ImportStep::More(_) = import.step(&mut there).map_err(|error| error.to_string())? {}
    for key in there.store().keys() {
        println!("{key}");
    }
    Ok(())
}

fn open() -> Result<Log<MemoryStore>, String> {
    Log::open(MemoryStore::default(), Id(99), sash_records::KINDS)
        .map_err(|(_, error)| format!("{error:?}"))
}
