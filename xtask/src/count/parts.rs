//! Which part of the program a file belongs to.
//!
//! The table names the paths of today; when a part gets a folder of its own its rows become one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// A part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The chat itself, in the page: what one reads to change an answer.
    KernelPage,
    /// The chat itself, in the server.
    KernelServer,
    /// What knows no feature.
    Library,
    /// A feature.
    Room(&'static str),
    /// The composition roots, and what has no part yet.
    Rest,
    /// What is around the program.
    Tools,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KernelPage => f.write_str("kernel, page"),
            Self::KernelServer => f.write_str("kernel, server"),
            Self::Library => f.write_str("libraries"),
            Self::Room(name) => write!(f, "room {name}"),
            Self::Rest => f.write_str("the rest"),
            Self::Tools => f.write_str("tools"),
        }
    }
}

impl Part {
    /// The part of a file, by its path from the root of the workspace.
    pub fn of(file: &str) -> Self {
        static PARTS: LazyLock<BTreeMap<&str, Part>> = LazyLock::new(|| paths().collect());
        let mut ends = file.rmatch_indices(['/', '.']);
        let longest = ends.find_map(|(at, _)| PARTS.get(&file[..at]));
        longest.copied().unwrap_or(Self::Rest)
    }

    /// Whether a file of this part may name what a file of another part defines.
    pub fn may_use(self, other: Self) -> bool {
        match (self, other) {
            (Self::Rest | Self::Tools, _) => true,
            (own, Self::Room(_)) => own == other,
            _ => true,
        }
    }
}

/// The paths of each part, without the ending of a file: a path stands for the file and for the folder of that name.
/// The longest one that fits a file decides.
const ROWS: &[(Part, &str)] = &[
    (Part::KernelPage, "kernel"),
    (Part::KernelServer, "kernel/server"),
    (Part::Library, "crates"),
    (Part::Rest, "src crates/calls/src/lib crates/records/src/lib crates/state rooms"),
    (Part::Tools, "xtask fuzz kernel/harness"),
    (Part::Room("alerts"), "rooms/alerts"),
    (Part::Room("appearance"), "rooms/appearance"),
    (Part::Room("attachments"), "rooms/attachments"),
    (
        Part::Room("backup"),
        "crates/backup crates/records/src/backup crates/state/src/backup crates/state/src/backup_age
        crates/state/src/bring_back crates/transfer crates/calls/src/backup src/api/backup
        src/browser/device_folder src/server/backup src/ui/backup",
    ),
    (
        Part::Room("compare"),
        "crates/records/src/compare rooms/compare",
    ),
    (Part::Room("counts"), "rooms/counts"),
    (Part::Room("demo"), "src/server/demo_upstream"),
    (Part::Room("export"), "rooms/export"),
    (Part::Room("highlight"), "rooms/highlight"),
    (Part::Room("import"), "rooms/import"),
    (Part::Room("linger"), "rooms/linger"),
    (Part::Room("links"), "rooms/links"),
    (Part::Room("list"), "rooms/list"),
    (Part::Room("mcp"), "rooms/mcp"),
    (Part::Room("models"), "rooms/models"),
    (Part::Room("numbers"), "rooms/numbers"),
    (Part::Room("palette"), "rooms/palette"),
    (Part::Room("parameters"), "rooms/parameters"),
    (Part::Room("phone"), "rooms/phone"),
    (
        Part::Room("prompts"),
        "crates/records/src/prompts rooms/prompts",
    ),
    (
        Part::Room("queue"),
        "crates/records/src/queue rooms/queue",
    ),
    (Part::Room("read-ahead"), "rooms/read-ahead"),
    (
        Part::Room("recall"),
        "crates/search rooms/recall",
    ),
    (
        Part::Room("speech"),
        "rooms/speech",
    ),
    (Part::Room("storage"), "rooms/storage"),
    (Part::Room("summaries"), "rooms/summaries"),
    (Part::Room("titles"), "rooms/titles"),
    (Part::Room("tools"), "rooms/tools"),
    (Part::Room("versions"), "crates/records/src/versions rooms/versions"),
];

/// All paths of the table.
pub fn paths() -> impl Iterator<Item = (&'static str, Part)> {
    let rows = ROWS.iter();
    rows.flat_map(|(part, paths)| paths.split_whitespace().map(|path| (path, *part)))
}
