//! The ids of the calls in a request. They are ours, whatever an engine gave: the templates of Mistral's models refuse a
//! call without one, and any but nine letters and digits, and a chat may have been begun with another engine.

use sash_wire::ContextMessage;
use serde_json::Value;

/// Numbers the calls of a request. A result belongs to the call that it names by the id that the engine gave, else by the
/// tool's name, else to the first that has none yet.
#[derive(Default)]
pub struct CallIds {
    numbered: usize,
    /// The calls of the last round that have no result yet.
    open: Vec<UnansweredCall>,
}

struct UnansweredCall {
    /// Our number.
    id: String,
    /// The id that the engine gave it.
    given: Option<String>,
    name: String,
}

impl CallIds {
    /// Begins a round of calls; returns their ids.
    pub fn begin(&mut self, given: &[Value]) -> Vec<String> {
        self.open.clear();
        let ids = given.iter().map(|call| {
            self.numbered += 1;
            let id = call_id(self.numbered);
            let text = |path: &str| call.pointer(path).and_then(Value::as_str);
            self.open.push(UnansweredCall {
                id: id.clone(),
                given: text("/id").map(str::to_owned),
                name: text("/function/name").unwrap_or_default().to_owned(),
            });
            id
        });
        ids.collect()
    }

    /// The id of the call that a result answers.
    pub fn answered_by(&mut self, result: &ContextMessage) -> String {
        let by_id = result.tool_call_id.as_ref().and_then(|id| {
            let named = |call: &UnansweredCall| call.given.as_ref() == Some(id);
            self.open.iter().position(named)
        });
        let by_name = || {
            let name = result.tool_name.as_ref()?;
            self.open.iter().position(|call| call.name == *name)
        };
        let first = || (!self.open.is_empty()).then_some(0);
        match by_id.or_else(by_name).or_else(first) {
            Some(at) => self.open.remove(at).id,
            None => call_id(0),
        }
    }
}

/// Nine letters and digits.
fn call_id(number: usize) -> String {
    format!("call{number:05}")
}
