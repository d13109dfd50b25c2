//! Which part of the program a file belongs to.
//!
//! A folder of `rooms` is a part. The table names the paths of today of what is elsewhere.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The chat itself, in the page: what one reads to change an answer.
pub const KERNEL_PAGE: &str = "kernel, page";
/// The chat itself, in the server.
pub const KERNEL_SERVER: &str = "kernel, server";
/// The composition roots, and what has no part yet.
pub const REST: &str = "the rest";
/// What is around the program.
pub const TOOLS: &str = "tools";

/// The part of a file, by its path from the root of the workspace.
pub fn part_of(file: &str) -> String {
    static PARTS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| paths().collect());
    let room = file
        .strip_prefix("rooms/")
        .and_then(|file| file.split_once('/'));
    if let Some((room, _)) = room {
        return format!("room {room}");
    }
    let mut ends = file.rmatch_indices(['/', '.']);
    let longest = ends.find_map(|(at, _)| PARTS.get(&file[..at]));
    longest.map_or(REST, |part| *part).to_owned()
}

/// The paths of each part, without the ending of a file: a path stands for the file and for the folder of that name.
/// The longest one that fits a file decides.
const ROWS: &[(&str, &str)] = &[
    (KERNEL_PAGE, "kernel"),
    (KERNEL_SERVER, "kernel/server"),
    (
        "libraries",
        "crates crates/transfer/src/import/assets crates/transfer/src/import/chatgpt
        crates/transfer/src/import/chatgpt_canvas crates/transfer/src/import/chatgpt_content
        crates/transfer/src/import/chatgpt_mark crates/transfer/src/import/chatgpt_marks
        crates/transfer/src/import/claude crates/transfer/src/import/foreign crates/transfer/src/import/hollama
        crates/transfer/src/import/librechat crates/transfer/src/import/librechat_text
        crates/transfer/src/import/links crates/transfer/src/import/list_reader
        crates/transfer/src/import/lmstudio crates/transfer/src/import/openwebui
        crates/transfer/src/import/openwebui_added crates/transfer/src/import/openwebui_details
        crates/transfer/src/import/openwebui_former crates/transfer/src/import/openwebui_output
        crates/transfer/src/import/prose crates/transfer/src/import/split crates/transfer/src/import/times",
    ),
    (REST, "src crates/calls/src/lib crates/records/src/lib crates/state"),
    (TOOLS, "xtask fuzz kernel/harness"),
    (
        "room backup",
        "crates/backup crates/records/src/backup crates/state/src/backup crates/state/src/backup_age
        crates/state/src/bring_back crates/transfer/src/backup crates/calls/src/backup src/api/backup
        src/browser/device_folder src/server/backup src/ui/backup",
    ),
    ("room compare", "crates/records/src/compare"),
    (
        "room export",
        "crates/state/src/export_reminder crates/transfer/src/export src/ui/export",
    ),
    (
        "room import",
        "crates/state/src/imports crates/transfer/src/archive crates/transfer/src/import src/ui/import",
    ),
    ("room prompts", "crates/records/src/prompts"),
    ("room queue", "crates/records/src/queue"),
    ("room recall", "crates/search"),
    ("room versions", "crates/records/src/versions"),
];

/// All paths of the table, each with its part.
pub fn paths() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = ROWS.iter();
    rows.flat_map(|(part, paths)| paths.split_whitespace().map(|path| (path, *part)))
}
