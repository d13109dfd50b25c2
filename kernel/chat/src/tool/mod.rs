//! Tools: functions that a model may call. A chat has those that the person switched on, each built into Sash or
//! described by the person, who then answers its calls by hand.

mod builtin;
mod call;
mod own;

pub use builtin::BuiltinTool;
pub use call::{MAX_CALLS, ToolCall, ToolFunction, visible_name};
pub use own::{OwnTool, is_tool_name};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How the result of a built-in tool begins that could not do what it was called for.
pub const TOOL_ERROR: &str = "Error:";

/// A tool of a chat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Tool {
    /// One that is built into Sash; kept as its name.
    Builtin(BuiltinTool),
    /// One that the person described.
    Own(OwnTool),
}

impl Tool {
    /// The name by which the model calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Builtin(tool) => tool.name(),
            Self::Own(tool) => &tool.name,
        }
    }

    /// Its definition, as the field `tools` of Ollama's and of OpenAI's chat requests has it.
    #[must_use]
    pub fn definition(&self) -> Value {
        let (description, parameters) = match self {
            Self::Builtin(tool) => (tool.description(), tool.parameters()),
            Self::Own(tool) => (tool.description.as_str(), tool.parameters()),
        };
        json!({
            "type": "function",
            "function": {
                "name": self.name(),
                "description": description,
                "parameters": parameters,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_of_sash_is_kept_as_its_name_and_a_persons_as_it_was_described() {
        let kept = r#"["current_time",{"name":"stock","description":"Pieces in stock","parameters":{"type":"object"}},{"name":"ping","description":""}]"#;
        let tools: Vec<Tool> = serde_json::from_str(kept).unwrap();
        assert_eq!(serde_json::to_string(&tools).unwrap(), kept);
        let names: Vec<_> = tools.iter().map(Tool::name).collect();
        assert_eq!(names, ["current_time", "stock", "ping"]);
    }

    #[test]
    fn a_definition_has_the_form_of_the_chat_apis() {
        let tool = Tool::Own(OwnTool {
            name: "ping".into(),
            description: "Pings.".into(),
            parameters: None,
        });
        assert_eq!(
            tool.definition(),
            json!({"type":"function","function":{"name":"ping","description":"Pings.",
                "parameters":{"type":"object","properties":{}}}})
        );
        for tool in BuiltinTool::ALL {
            let definition = Tool::Builtin(tool).definition();
            assert!(is_tool_name(tool.name()));
            assert_eq!(definition["function"]["parameters"]["type"], "object");
        }
    }
}
