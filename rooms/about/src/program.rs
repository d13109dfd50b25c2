//! The program that serves the page, as it crosses and as it is printed.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The name under which a server tells which program it is.
pub const PROGRAM: &str = "program";

/// A Sash that runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The beginning of the hash of the commit that it was built from; a development build has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The day of that commit in UTC: `2026-01-31`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The file that the page runs from, if it is loaded now; absent where the program has no page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// As `rustc --version` prints it: `0.1.0 (1a2b3c4d5 2026-01-31)`, without what is not known.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let build = [&self.commit, &self.date].into_iter().flatten();
        let build: Vec<_> = build.map(String::as_str).collect();
        match build.is_empty() {
            true => f.write_str(&self.version),
            false => write!(f, "{} ({})", self.version, build.join(" ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(commit: Option<&str>, date: Option<&str>) -> String {
        let program = Program {
            version: "0.1.0".to_owned(),
            commit: commit.map(str::to_owned),
            date: date.map(str::to_owned),
            page: None,
        };
        program.to_string()
    }

    #[test]
    fn a_version_is_printed_with_what_is_known_of_its_commit() {
        let (commit, date) = (Some("1a2b3c4d5"), Some("2026-01-31"));
        assert_eq!(printed(commit, date), "0.1.0 (1a2b3c4d5 2026-01-31)");
        assert_eq!(printed(commit, None), "0.1.0 (1a2b3c4d5)");
        assert_eq!(printed(None, date), "0.1.0 (2026-01-31)");
        assert_eq!(printed(None, None), "0.1.0");
    }
}
