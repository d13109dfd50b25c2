//! The request of a prompt. The endpoint is public, so it parses leniently: missing fields are
//! absent, and a field that cannot change the answer is ignored. A field that would change the
//! answer and cannot be used is rejected by name.

mod check;
mod options;
mod read;

pub(crate) use options::check_option;
pub use options::invalid_option;

use super::{DraftMark, Fault, Upstream};
use sash_chat::{AnswerId, Role};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::apply;

/// The body of `POST /api/v1/response`. Any JSON object is accepted here; [`Self::check`] reports
/// what is wrong with it. A field that is added here is read and written, and refused by its name
/// where its value has another type; `check.rs` has what else must hold of a field, and the
/// sentence of its refusal.
///
/// `remote = "Self"` makes serde derive plain functions instead of trait implementations; the
/// implementations in `read.rs` call these functions, after the fields are checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", default)]
pub struct ChatRequest {
    /// The name of the model. Required.
    #[serde(deserialize_with = "read::or_default")]
    pub model: String,
    /// The prompt, sent last with the role `user`. Required, and must not be only whitespace, unless the
    /// context ends with a tool call and its results, or with an answer to carry on: then the model goes on.
    #[serde(deserialize_with = "read::or_default")]
    pub prompt: String,
    /// The messages before the prompt, oldest first. What is no object among them is left out.
    #[serde(deserialize_with = "read::messages")]
    pub context: Vec<ContextMessage>,
    /// The system prompt, sent first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Ollama's options (`temperature`, `num_ctx`, …), passed through.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "read::options"
    )]
    pub options: Option<Map<String, Value>>,
    /// Thinking: true, false or a level. If absent, the model's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub think: Option<Value>,
    /// The images of the prompt, plain base64.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<String>,
    /// `"json"` or a JSON schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Value>,
    /// The tools that the model may call, in the form of Ollama's and OpenAI's chat requests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Value>,
    /// How long the model stays loaded: seconds or a Go duration string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_alive: Option<Value>,
    /// Whether the demo answers.
    pub upstream: Upstream,
    /// Whether the context ends with the beginning of an answer that the model carries on: then there is no prompt.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub continue_final_message: bool,
    /// The engine that answers, by its name; the first one if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The id under which the server keeps the frames of the answer while its page is gone. Without it the answer ends
    /// with its connection. The engine never gets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_id: Option<AnswerId>,
    /// Whether the prompt is one that the person has not sent. A request for an answer is always sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<DraftMark>,
    /// The first field that cannot be used, reported by [`Self::check`].
    #[serde(skip)]
    pub wrong: Option<InvalidField>,
}

/// A field of a request that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidField {
    field: String,
    reason: String,
}

impl InvalidField {
    fn new(field: &str, reason: &str) -> Self {
        Self {
            field: field.to_owned(),
            reason: reason.to_owned(),
        }
    }
}

/// One message before the prompt, with the parts that the model can see. A part that is missing or
/// has another type gets its default, so that conversations in other clients' formats work.
#[apply(_ => #[serde(deserialize_with = "read::or_default")])]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextMessage {
    /// The author's role.
    #[serde_with(skip_apply)]
    #[serde(deserialize_with = "read::role")]
    pub role: Role,
    /// The text.
    pub content: String,
    /// The images, plain base64.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<String>,
    /// The tool calls of the message, in Ollama's format.
    #[serde_with(skip_apply)]
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "read::array"
    )]
    pub tool_calls: Option<Value>,
    /// The tool's name, for messages of the role `tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// The id of the call, for messages of the role `tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// What the model thought before it called tools. Read only where it goes on after their results.
    #[serde_with(skip_apply)]
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "read::non_empty"
    )]
    pub thinking: Option<String>,
}

impl ChatRequest {
    /// Checks that the request can be sent.
    ///
    /// # Errors
    /// [`Fault::MissingField`] if the model is missing or the prompt is only whitespace, and
    /// [`Fault::InvalidField`] for the first field that cannot be used.
    pub fn check(&self) -> Result<(), Fault> {
        let missing = |field: &str| {
            Err(Fault::MissingField {
                field: field.to_owned(),
            })
        };
        if self.prompt.trim().is_empty() && !self.continues() {
            return missing("prompt");
        }
        if self.model.trim().is_empty() {
            return missing("model");
        }
        if self.continue_final_message && !self.continues() {
            return Err(Fault::InvalidField {
                field: "continue_final_message".to_owned(),
                reason: "the context must end with an answer, and the prompt must be empty"
                    .to_owned(),
            });
        }
        match &self.wrong {
            Some(InvalidField { field, reason }) => Err(Fault::InvalidField {
                field: field.clone(),
                reason: reason.clone(),
            }),
            None => Ok(()),
        }
    }

    /// Whether an image goes along, with the prompt or in the context.
    #[must_use]
    pub fn has_images(&self) -> bool {
        let mut context = self.context.iter();
        !self.images.is_empty() || context.any(|message| !message.images.is_empty())
    }

    /// Whether the model goes on after the result of a tool, or carries on an answer: there is no prompt.
    #[must_use]
    pub fn continues(&self) -> bool {
        let mut before = self.context.iter().rev();
        if self.continue_final_message {
            let carried = before.next().is_some_and(|last| {
                last.role == Role::Assistant
                    && last.tool_calls.is_none()
                    && !last.content.trim().is_empty()
            });
            return carried && self.prompt.is_empty() && self.images.is_empty();
        }
        let has_result = before.next().is_some_and(|m| m.role == Role::Tool);
        let caller = before.find(|message| message.role != Role::Tool);
        let has_call = caller.is_some_and(|m| m.tool_calls.is_some());
        has_result && has_call && self.prompt.is_empty() && self.images.is_empty()
    }

    /// The number of messages sent to the model: system prompt, context and prompt.
    #[must_use]
    pub fn count(&self) -> usize {
        let system = self.system.iter().filter(|s| !s.is_empty()).count();
        system + self.context.len() + usize::from(!self.continues())
    }

    /// The messages in the order of sending: system prompt, context, prompt.
    #[must_use]
    pub fn messages(&self) -> Vec<ContextMessage> {
        let system = self
            .system
            .iter()
            .filter(|s| !s.is_empty())
            .map(|content| ContextMessage {
                role: Role::System,
                content: content.clone(),
                ..ContextMessage::default()
            });
        let prompt = ContextMessage {
            role: Role::User,
            content: self.prompt.clone(),
            images: self.images.clone(),
            ..ContextMessage::default()
        };
        system
            .chain(self.context.iter().cloned())
            .chain(Some(prompt).filter(|_| !self.continues()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> ChatRequest {
        serde_json::from_value(body).unwrap()
    }

    fn seen(body: Value) -> Vec<(String, String)> {
        let request = read(body);
        let messages = request.messages();
        assert_eq!(request.count(), messages.len());
        messages
            .into_iter()
            .map(|m| (m.role.as_str().to_owned(), m.content))
            .collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected
            .iter()
            .map(|(r, c)| ((*r).to_owned(), (*c).to_owned()))
            .collect()
    }

    #[test]
    fn a_missing_context_is_an_empty_one() {
        assert_eq!(
            seen(json!({"model":"m","prompt":"p"})),
            pairs(&[("user", "p")])
        );
    }

    #[test]
    fn a_context_of_the_wrong_type_is_an_empty_one() {
        for wrong in [
            json!(null),
            json!("x"),
            json!(3),
            json!({"role":"user"}),
            json!(true),
        ] {
            assert_eq!(
                seen(json!({"model":"m","prompt":"p","context":wrong})),
                pairs(&[("user", "p")])
            );
        }
    }

    #[test]
    fn a_context_message_without_role_is_user() {
        assert_eq!(
            seen(
                json!({"model":"m","prompt":"p","context":[{"content":"a"},{"role":7,"content":"b"}]})
            ),
            pairs(&[("user", "a"), ("user", "b"), ("user", "p")])
        );
    }

    #[test]
    fn a_context_message_without_content_is_empty_text() {
        assert_eq!(
            seen(
                json!({"model":"m","prompt":"p","context":[{"role":"assistant"},{"role":"user","content":[1]}]})
            ),
            pairs(&[("assistant", ""), ("user", ""), ("user", "p")])
        );
    }

    #[test]
    fn context_entries_that_are_no_objects_are_dropped() {
        assert_eq!(
            seen(json!({"model":"m","prompt":"p","context":[1,"x",null,[],{"content":"a"}]})),
            pairs(&[("user", "a"), ("user", "p")])
        );
    }

    #[test]
    fn fields_of_ours_in_context_are_ignored() {
        let request = read(json!({"model":"m","prompt":"p","context":[
            {"role":"assistant","content":"a","id":"1","created":5,"thinking":"secret","usage":{"x":1}}]}));
        assert_eq!(
            serde_json::to_value(request.messages()).unwrap(),
            json!([{"role":"assistant","content":"a"},{"role":"user","content":"p"}])
        );
    }

    #[test]
    fn roles_are_the_four_and_any_other_is_user() {
        assert_eq!(
            seen(json!({"model":"m","prompt":"p","context":[
                {"role":"system","content":"1"},{"role":"user","content":"2"},{"role":"assistant","content":"3"},
                {"role":"tool","content":"4"},{"role":"banana","content":"5"},{"role":"SYSTEM","content":"6"}]})),
            pairs(&[
                ("system", "1"),
                ("user", "2"),
                ("assistant", "3"),
                ("tool", "4"),
                ("user", "5"),
                ("system", "6"),
                ("user", "p")
            ])
        );
    }

    #[test]
    fn the_system_prompt_goes_first_and_the_prompt_last() {
        assert_eq!(
            seen(
                json!({"model":"m","prompt":" p ","system":"s","context":[{"role":"assistant","content":"a"}]})
            ),
            pairs(&[("system", "s"), ("assistant", "a"), ("user", " p ")])
        );
    }

    #[test]
    fn a_missing_or_blank_prompt_is_refused_first() {
        for body in [
            json!({}),
            json!({"model":"m"}),
            json!({"model":"m","prompt":" \n\t"}),
            json!({"model":"m","prompt":5}),
            json!({"prompt":null}),
        ] {
            assert_eq!(
                read(body).check(),
                Err(Fault::MissingField {
                    field: "prompt".into()
                })
            );
        }
    }

    #[test]
    fn a_missing_model_is_refused() {
        for body in [
            json!({"prompt":"p"}),
            json!({"prompt":"p","model":""}),
            json!({"prompt":"p","model":[]}),
        ] {
            assert_eq!(
                read(body).check(),
                Err(Fault::MissingField {
                    field: "model".into()
                })
            );
        }
        assert_eq!(read(json!({"prompt":"p","model":"m"})).check(), Ok(()));
    }

    #[test]
    fn a_model_goes_on_after_the_result_of_a_tool_without_a_prompt() {
        let tool = json!({"type":"function","function":{"name":"f"}});
        let call = json!({"role":"assistant","content":"","thinking":"Hm.","tool_calls":[{"function":{"name":"f"}}]});
        let result = json!({"role":"tool","tool_name":"f","tool_call_id":"c1","content":"1"});
        let old = json!({"role":"assistant","content":"b","thinking":"Old."});
        let context = json!([{"content":"a"}, old, {"content":"c"}, call, result]);
        let body = |prompt: Value, tools: Value, context: &Value| {
            read(json!({"model":"m","prompt":prompt,"tools":tools,"context":context}))
        };
        let request = body(json!(null), json!([tool]), &context);
        assert_eq!(request.check(), Ok(()));
        let messages = request.messages();
        assert_eq!((messages.len(), request.count()), (5, 5));
        assert_eq!(messages[4].tool_call_id.as_deref(), Some("c1"));
        let thoughts: Vec<_> = messages.iter().map(|m| m.thinking.as_deref()).collect();
        assert_eq!(thoughts, [None, None, None, Some("Hm."), None]);
        let with_prompt = body(json!("p"), json!([tool]), &context);
        assert_eq!(with_prompt.count(), 6);
        assert!(with_prompt.context.iter().all(|m| m.thinking.is_none()));
        for refused in [
            body(json!(" "), json!([tool]), &context),
            body(
                json!(null),
                json!([tool]),
                &json!([{"role":"tool","content":"1"}]),
            ),
            body(json!(null), json!([tool]), &json!([{"content":"a"}])),
        ] {
            let missing = Fault::MissingField {
                field: "prompt".into(),
            };
            assert_eq!(refused.check(), Err(missing));
        }
    }
}
