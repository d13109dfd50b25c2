//! Results, each with the call that it belongs to.

use super::{Id, Message, MessageTree, Role, ToolCall};

/// For each result behind an answer, in their order, the place of its call among `calls`: the call that the result
/// names, else the first of its tool without a result.
#[must_use]
pub fn calls_of_results(calls: &[ToolCall], results: &[&Message]) -> Vec<Option<usize>> {
    let mut is_free = vec![true; calls.len()];
    let places = results.iter().map(|result| {
        let name = result.tool_name.as_deref();
        let mut free = (0..calls.len()).filter(|at| is_free[*at]);
        let place = match &result.tool_call_id {
            Some(id) => free.find(|at| calls[*at].id.as_ref() == Some(id)),
            None => free.find(|at| name.is_none_or(|name| calls[*at].function.name == name)),
        };
        if let Some(at) = place {
            is_free[at] = false;
        }
        place
    });
    places.collect()
}

impl MessageTree {
    /// The call that a result answers; `None` where the answer that made it is gone.
    #[must_use]
    pub fn call_of(&self, result: Id) -> Option<ToolCall> {
        let mut results = vec![self.get(result)?];
        let caller = loop {
            let before = self.get(results.last()?.parent?)?;
            match before.role {
                Role::Tool => results.push(before),
                Role::Assistant => break before,
                Role::System | Role::User => return None,
            }
        };
        results.reverse();
        let (mut calls, _) = caller.first_calls();
        let place = calls_of_results(&calls, &results).pop()??;
        Some(calls.swap_remove(place))
    }

    /// The places of those calls of an answer that have a result among `branch`, the ids of a branch.
    #[must_use]
    pub fn answered_calls(&self, caller: Id, branch: &[Id]) -> Vec<usize> {
        let Some(message) = self.get(caller) else {
            return Vec::new();
        };
        let after = branch.iter().skip_while(|id| **id != caller).skip(1);
        let after = after.map_while(|id| self.get(*id).filter(|m| m.role == Role::Tool));
        let results: Vec<&Message> = after.collect();
        let (calls, _) = message.first_calls();
        let places = calls_of_results(&calls, &results);
        places.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn result(id: u64, parent: u64, name: Option<&str>, call: Option<&str>) -> Message {
        Message {
            tool_name: name.map(str::to_owned),
            tool_call_id: call.map(str::to_owned),
            ..Message::new(
                Id(id),
                Some(Id(parent)),
                u32::try_from(id).unwrap_or_default(),
                Role::Tool,
                0,
            )
        }
    }

    fn tree(calls: serde_json::Value, results: Vec<Message>) -> MessageTree {
        let mut tree = MessageTree::default();
        tree.insert(Message::new(Id(1), None, 1, Role::User, 0));
        tree.insert(Message {
            tool_calls: Some(calls),
            ..Message::new(Id(2), Some(Id(1)), 2, Role::Assistant, 0)
        });
        results.into_iter().for_each(|result| tree.insert(result));
        tree
    }

    #[test]
    fn a_result_names_its_call_or_is_that_of_the_first_call_of_its_tool() {
        let call = |name: &str, id: Option<&str>, a: u64| json!({"id": id, "function": {"name": name, "arguments": {"a": a}}});
        let calls = json!([
            call("f", Some("x"), 1),
            call("g", None, 2),
            call("f", None, 3),
            call("f", Some("y"), 4)
        ]);
        let results = vec![
            result(3, 2, Some("f"), Some("y")),
            result(4, 3, Some("g"), None),
            result(5, 4, Some("f"), None),
            result(6, 5, None, None),
            result(7, 6, Some("h"), None),
        ];
        let tree = tree(calls, results);
        let argument = |id| {
            tree.call_of(Id(id))
                .map(|call| call.function.arguments["a"].clone())
        };
        assert_eq!(argument(3), Some(json!(4)));
        assert_eq!(argument(4), Some(json!(2)));
        assert_eq!(argument(5), Some(json!(1)));
        assert_eq!(argument(6), Some(json!(3)));
        assert_eq!(argument(7), None);
        let branch: Vec<Id> = (1..=4).map(Id).collect();
        assert_eq!(tree.answered_calls(Id(2), &branch), [3, 1]);
        assert_eq!(tree.answered_calls(Id(2), &branch[..2]), [0; 0]);
        assert_eq!(tree.answered_calls(Id(9), &branch), [0; 0]);
    }

    #[test]
    fn a_result_without_its_answer_has_no_call() {
        let mut tree = MessageTree::default();
        tree.insert(result(3, 2, Some("f"), None));
        assert_eq!(tree.call_of(Id(3)), None);
    }
}
