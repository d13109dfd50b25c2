//! The table of the measurements.

use std::fmt;

/// One line of the table.
pub struct BenchRow {
    /// What was measured.
    pub what: String,
    /// The value, with its unit.
    pub value: String,
    /// The budget; empty if there is none.
    pub budget: String,
    /// Whether the gate holds; `None` if the row is not a gate.
    pub verdict: Option<bool>,
}

impl BenchRow {
    /// A row that is only reported.
    pub fn reported(what: impl Into<String>, value: String, budget: &str) -> Self {
        Self {
            what: what.into(),
            value,
            budget: budget.to_owned(),
            verdict: None,
        }
    }

    /// A row that must hold.
    pub fn gate(what: impl Into<String>, value: String, budget: &str, holds: bool) -> Self {
        Self {
            verdict: Some(holds),
            ..Self::reported(what, value, budget)
        }
    }
}

impl fmt::Display for BenchRow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let verdict = match self.verdict {
            Some(true) => "holds",
            Some(false) => "FAILED",
            None => "",
        };
        let line = format!(
            "{:<52} {:<42} {:<34} {verdict}",
            self.what, self.value, self.budget
        );
        f.write_str(line.trim_end())
    }
}
