//! The numbers, and where they come from.

use super::parts::{KERNEL_PAGE, KERNEL_SERVER, TOOLS, part_of};
use crate::Result;
use crate::modules::{Measures, sources};
use std::collections::BTreeMap;

/// The most lines of a file that has one purpose.
const MAX_FILE_LINES: usize = 400;
/// Where views are, besides the folder `view` of each room.
const VIEWS: [&str; 5] = [
    "crates/markdown-view/",
    "crates/ui-kit/",
    "crates/virtual-list/",
    "kernel/view/",
    "src/app.rs",
];
/// The page in memory, for tests.
const HARNESS: &str = "kernel/harness/";

/// A part of a number.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file, from the root of the workspace.
    pub file: String,
    /// How much of the number is here.
    pub amount: usize,
    /// What is counted here, if it has a name.
    pub what: String,
}

/// What is counted of the program.
#[derive(Default)]
pub struct Numbers {
    /// The lines by part.
    pub lines: BTreeMap<String, usize>,
    /// The numbers that only fall, by name.
    pub falling: BTreeMap<&'static str, Vec<Place>>,
}

/// Counts.
pub fn numbers() -> Result<Numbers> {
    let sources = sources()?;
    let mut numbers = Numbers::default();
    for (file, source) in sources.iter().filter(|(file, _)| is_counted(file)) {
        add(&mut numbers, file, &source.measures);
    }
    Ok(numbers)
}

/// Adds what is counted in a file.
pub fn add(numbers: &mut Numbers, file: &str, measures: &Measures) {
    let part = part_of(file);
    let is_room_view = file.starts_with("rooms/") && file.contains("/view/");
    let is_view = is_room_view || VIEWS.iter().any(|folder| file.starts_with(folder));
    let mut add = |name, is_counted: bool, amount: usize, what: String| {
        let places = numbers.falling.entry(name).or_default();
        places.extend((is_counted && amount > 0).then(|| Place {
            file: file.to_owned(),
            amount,
            what,
        }));
    };
    let lines = measures.lines;
    let unnamed = String::new;
    add("lines of the program", part != TOOLS, lines, unnamed());
    add(
        "lines of the kernel, page",
        part == KERNEL_PAGE,
        lines,
        unnamed(),
    );
    add(
        "lines of the kernel, server",
        part == KERNEL_SERVER,
        lines,
        unnamed(),
    );
    for (name, lines) in &measures.long_functions {
        add(
            "functions over 80 lines",
            true,
            1,
            format!("{name}, {lines} lines"),
        );
    }
    add(
        "files over 400 lines",
        lines > MAX_FILE_LINES,
        1,
        format!("{lines} lines"),
    );
    add(
        "untracked reads in views",
        is_view,
        measures.untracked,
        unnamed(),
    );
    for line in &measures.writing_effects {
        add(
            "effects in views that write signals",
            is_view,
            1,
            format!("line {line}"),
        );
    }
    *numbers.lines.entry(part).or_default() += lines;
}

/// Whether the lines of a file are those of the program.
pub fn is_counted(file: &str) -> bool {
    let is_test = |part: &str| {
        let stem = part.strip_suffix(".rs").unwrap_or(part);
        matches!(stem, "tests" | "benches") || stem.ends_with("_tests")
    };
    !file.starts_with(HARNESS) && !file.split('/').any(is_test)
}
