//! The tools that are built into Sash. None of them changes anything.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A tool that is built into Sash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuiltinTool {
    /// Tells date and time by the person's clock.
    CurrentTime,
    /// Evaluates an expression.
    Calculate,
    /// Reads a part of a file that stands in a question of the chat.
    ReadFile,
}

impl BuiltinTool {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::CurrentTime, Self::Calculate, Self::ReadFile];

    /// The tool of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// The name by which the model calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CurrentTime => "current_time",
            Self::Calculate => "calculate",
            Self::ReadFile => "read_file",
        }
    }

    /// What it does, for the model.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::CurrentTime => {
                "Returns the user's current local date, weekday, time and UTC offset."
            }
            Self::Calculate => {
                "Evaluates an arithmetic expression exactly, with units, for example \"1234 * 5678\", \
                 \"sqrt(2) to 10 dp\" or \"5 miles to km\". Returns the result."
            }
            Self::ReadFile => {
                "Reads lines of a text file that the user attached to this chat, also when the file is no longer in \
                 the conversation. Returns the lines with their numbers and how many the file has. An unknown name \
                 returns the names of all files."
            }
        }
    }

    /// The schema of its arguments.
    pub(super) fn parameters(self) -> Value {
        let (properties, required) = match self {
            Self::CurrentTime => (json!({}), json!([])),
            Self::Calculate => (
                json!({"expression": {"type": "string", "description": "The expression"}}),
                json!(["expression"]),
            ),
            Self::ReadFile => (
                json!({
                    "name": {"type": "string", "description": "The name of the file"},
                    "first_line": {"type": "integer", "description": "The first line to read, from 1"},
                    "lines": {"type": "integer", "description": "How many lines to read, at most 200"},
                }),
                json!(["name"]),
            ),
        };
        json!({"type": "object", "properties": properties, "required": required})
    }
}
