//! The part of the program to which a file belongs.
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
    ("libraries", "crates"),
    (REST, "src crates/records/src/lib"),
    (TOOLS, "xtask fuzz kernel/harness"),
    ("room backup", "crates/records/src/backup"),
    ("room compare", "crates/records/src/compare"),
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
