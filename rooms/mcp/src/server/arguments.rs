//! The arguments of the tools. Their documentation is what a client shows its model. A field that is none of a tool's is
//! refused: a misspelt `chat_id` would begin a new chat without a word.

use super::results::without_formats;
use super::tool_error::ToolError;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// The arguments of `ask_question`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskArguments {
    /// The question.
    pub question: String,
    /// The chat to go on with, as an earlier answer or list_chats names it. Without it a new chat begins.
    #[serde(default)]
    pub chat_id: Option<String>,
    /// The name of an installed model, such as llama3.2. Without it the model of the chat answers, in a new chat the engine's first, which for Ollama is the one changed last.
    #[serde(default)]
    pub model: Option<String>,
    /// The engine that has the model, by its name in the configuration of Sash. Without it the first engine.
    #[serde(default)]
    pub engine: Option<String>,
    /// The system prompt of the chat from this question on; an empty text removes it. It goes along besides the five exchanges.
    #[serde(default)]
    pub system: Option<String>,
}

/// The arguments of `list_chats`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = without_formats)]
pub struct ListArguments {
    /// At most so many chats, the ones answered last.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 1000))]
    limit: u16,
}

fn default_limit() -> u16 {
    50
}

impl ListArguments {
    /// The number of chats to list.
    ///
    /// # Errors
    /// [`ToolError::InvalidLimit`] outside of what the schema says.
    pub fn limit(&self) -> Result<usize, ToolError> {
        match self.limit {
            1..=1000 => Ok(self.limit.into()),
            _ => Err(ToolError::InvalidLimit),
        }
    }
}

/// The arguments of `get_chat`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = without_formats)]
pub struct PageArguments {
    /// The chat, as ask_question and list_chats name it.
    pub chat_id: String,
    /// Where to go on: the 'next' of the page before. Without it the first page is returned.
    #[serde(default)]
    pub from: u32,
}

/// The arguments of `clear_chat`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatArguments {
    /// The chat, as ask_question and list_chats name it.
    pub chat_id: String,
}

/// The arguments of `clear_inactive_chats`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClearInactiveArguments {
    /// The chats without an answer for so many hours are deleted; with 0 all of them.
    #[serde(default = "default_hours")]
    #[schemars(range(min = 0))]
    pub hours: f64,
}

fn default_hours() -> f64 {
    1.0
}

impl ClearInactiveArguments {
    /// The hours in milliseconds.
    ///
    /// # Errors
    /// [`ToolError::InvalidHours`] below 0.
    pub fn milliseconds(&self) -> Result<u64, ToolError> {
        const MS_PER_HOUR: f64 = 60.0 * 60.0 * 1000.0;
        if self.hours.is_nan() || self.hours < 0.0 {
            return Err(ToolError::InvalidHours);
        }
        // The conversion stops at the largest number.
        Ok((self.hours * MS_PER_HOUR) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_what_the_schema_says() {
        for (limit, listed) in [(0, None), (1, Some(1)), (1000, Some(1000)), (1001, None)] {
            assert_eq!(ListArguments { limit }.limit().ok(), listed);
        }
    }

    #[test]
    fn hours_are_numbers_from_nought_up() {
        let ms = |hours| ClearInactiveArguments { hours }.milliseconds();
        assert_eq!(ms(0.0), Ok(0));
        assert_eq!(ms(1.5), Ok(5_400_000));
        assert_eq!(ms(1e300), Ok(u64::MAX));
        for wrong in [-0.1, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(ms(wrong), Err(ToolError::InvalidHours));
        }
    }
}
