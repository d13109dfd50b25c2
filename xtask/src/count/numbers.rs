//! The numbers, and where they come from.

use super::parts::Part;
use crate::modules::{Crate, Measures, crates, is_server_half, read, rust_files};
use crate::{Result, place};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most lines of a file that has one purpose.
const MAX_FILE_LINES: usize = 400;
/// Where the program is.
const FOLDERS: [&str; 6] = ["crates", "fuzz", "kernel", "rooms", "src", "xtask"];
/// Where views are, besides the folder `view` of each room.
const VIEWS: [&str; 5] = [
    "crates/markdown-view/",
    "crates/ui-kit/",
    "crates/virtual-list/",
    "kernel/view/",
    "src/ui/",
];
/// Where stores are, besides views and the server's half of each room.
const STORES: [&str; 3] = ["crates/state/", "kernel/stores/", "rooms/"];
/// The page in memory, for tests.
const HARNESS: &str = "kernel/harness/";

/// A part of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, from the root of the workspace.
    pub file: String,
    /// How much of the number is here.
    pub amount: usize,
    /// What is counted here, if it has a name.
    pub what: String,
}

/// What is counted of the program.
pub struct Numbers {
    /// The lines by part.
    pub lines: BTreeMap<Part, usize>,
    /// The numbers that only fall, by name.
    pub falling: Vec<(&'static str, Vec<Place>)>,
}

/// Counts.
pub fn numbers() -> Result<Numbers> {
    let root = place::root();
    let crates = crates()?;
    let mut files = BTreeMap::new();
    for part in crates.iter() {
        for (file, measures) in part.graph.measures() {
            files.insert(relative(file, &root), measures.clone());
        }
    }
    let folders = FOLDERS.iter().map(|folder| root.join(folder));
    for folder in folders.filter(|folder| folder.is_dir()) {
        for file in rust_files(&folder)? {
            let name = relative(&file, &root);
            if !is_counted(&name) || files.contains_key(&name) {
                continue;
            }
            files.insert(name, measures_of(&read(&file)?)?);
        }
    }
    files.retain(|name, _| is_counted(name));
    let mut lines = BTreeMap::new();
    for (file, measures) in &files {
        *lines.entry(Part::of(file)).or_default() += measures.lines;
    }
    let mut falling: Vec<(&str, Vec<Place>)> = COUNTED.map(|name| (name, Vec::new())).into();
    for (file, measures) in &files {
        for ((_, all), own) in falling.iter_mut().zip(places(file, measures)) {
            all.extend(own);
        }
    }
    falling.extend(uses(&crates, &root));
    Ok(Numbers { lines, falling })
}

/// What is counted in a file that has this text.
pub fn measures_of(text: &str) -> Result<Measures> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    Ok(Measures::of(&file, text))
}

/// The numbers that are counted in each file by itself.
const COUNTED: [&str; 8] = [
    "lines of the program",
    "lines of the kernel, page",
    "lines of the kernel, server",
    "functions over 80 lines",
    "files over 400 lines",
    "&'static in stores",
    "untracked reads in views",
    "effects in views that write signals",
];

/// How much of a number is in a file; `None` for a number that is not counted in each file by itself.
pub fn amount(name: &str, file: &str, measures: &Measures) -> Option<usize> {
    let at = COUNTED.iter().position(|counted| *counted == name)?;
    let is_program = is_counted(file);
    let places = places(file, measures);
    let amounts = places[at]
        .iter()
        .filter(|_| is_program)
        .map(|place| place.amount);
    Some(amounts.sum())
}

/// What a file adds to each of [`COUNTED`].
fn places(file: &str, measures: &Measures) -> [Vec<Place>; COUNTED.len()] {
    let some = |amount: usize, what: String| {
        let place = Place {
            file: file.to_owned(),
            amount,
            what,
        };
        (amount > 0).then_some(place)
    };
    let all = |amount: usize| Vec::from_iter(some(amount, String::new()));
    let only = |is: bool, amount: usize| all(if is { amount } else { 0 });
    let is_in = |folders: &[&str]| folders.iter().any(|folder| file.starts_with(folder));
    let part = Part::of(file);
    let functions = measures.long_functions.iter();
    let is_view = is_in(&VIEWS) || file.starts_with("rooms/") && file.contains("/view/");
    let effects = measures.writing_effects.iter().filter(|_| is_view);
    let is_store = is_in(&STORES) && !is_view && !is_server_half(file);
    let is_long = measures.lines > MAX_FILE_LINES;
    [
        only(part != Part::Tools, measures.lines),
        only(part == Part::KernelPage, measures.lines),
        only(part == Part::KernelServer, measures.lines),
        functions
            .filter_map(|(name, lines)| some(1, format!("{name}, {lines} lines")))
            .collect(),
        Vec::from_iter(some(
            usize::from(is_long),
            format!("{} lines", measures.lines),
        )),
        only(is_store, measures.static_references),
        only(is_view, measures.untracked),
        effects
            .filter_map(|line| some(1, format!("line {line}")))
            .collect(),
    ]
}

/// What a part names of a room that it may not know, once for each file and name.
fn uses(crates: &[Crate], root: &Path) -> [(&'static str, Vec<Place>); 2] {
    let mut found = BTreeSet::new();
    for part in crates {
        let graph = &part.graph;
        for ((from, to), names) in &part.uses.names {
            for name in names {
                found.insert((graph.file(from), graph.file(to), name.clone()));
            }
        }
        for (from, path) in &part.uses.outside {
            let [first, rest @ ..] = path.as_slice() else {
                continue;
            };
            let other = crates.iter().find(|other| other.name == *first);
            let to = other.and_then(|other| other.graph.definition(rest));
            let name = path.last().cloned().unwrap_or_default();
            found.insert((graph.file(from), to, name));
        }
    }
    let mut numbers = [
        ("uses of rooms by the kernel and libraries", Vec::new()),
        ("uses of rooms by other rooms", Vec::new()),
    ];
    for (from, to, name) in found {
        let (Some(from), Some(to)) = (from, to) else {
            continue;
        };
        let (file, to) = (relative(from, root), relative(to, root));
        let (part, other) = (Part::of(&file), Part::of(&to));
        if !part.may_use(other) {
            let what = format!("{name} of {to} ({part} -> {other})");
            let is_room = matches!(part, Part::Room(_));
            numbers[usize::from(is_room)].1.push(Place {
                file,
                amount: 1,
                what,
            });
        }
    }
    numbers
}

/// Whether the lines of a file are those of the program.
fn is_counted(file: &str) -> bool {
    let is_test = |part: &str| {
        let stem = part.strip_suffix(".rs").unwrap_or(part);
        matches!(stem, "tests" | "benches") || stem.ends_with("_tests")
    };
    !file.starts_with(HARNESS) && !file.split('/').any(is_test)
}

/// A path from the root of the workspace.
fn relative(file: &Path, root: &Path) -> String {
    let file = file.strip_prefix(root).unwrap_or(file);
    file.to_string_lossy().replace('\\', "/")
}
