//! Chat templates: how a model's prompt is rendered, and which conversations are refused. Templates of models
//! that are not from Ollama's library are rendered by the runner, and some raise an exception; the runner
//! answers with a page of Jinja, as JSON within the string of the error.

use super::call::CallMessage;
use super::decode::RequestRefusal;
use hyper::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The template of a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Template {
    /// `ChatML`.
    #[default]
    ChatMl,
    /// `ChatML` whose answer begins with thinking.
    Thinking,
    /// The same, with a level of thinking in it.
    ThinkingLevels,
    /// `ChatML` that opens the thinking without Ollama knowing: the tag that closes it is in the answer's text.
    OpenThinking,
    /// Refuses a conversation that begins with an answer, while the runner builds a parser from the template.
    QuestionFirst,
    /// Refuses conversations in which questions and answers do not alternate, with or without a system
    /// prompt, as Mistral Small 3.2 and Ministral 3 do.
    Alternating,
    /// Refuses the same, and any system prompt, as Gemma 2 does.
    NoSystem,
}

/// The error messages of two Mistral templates; the third is Gemma's.
const MISTRAL: &str = "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.";
const NEMO: &str = "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...";
const GEMMA: &str = "Conversation roles must alternate user/assistant/user/assistant/...";
const GEMMA_SYSTEM: &str = "System role not supported";

impl Template {
    /// Why the template refuses these messages, if it does.
    pub(super) fn refusal(self, messages: &[CallMessage]) -> Option<RequestRefusal> {
        let has_system = messages.first().is_some_and(|m| m.role == "system");
        // Tool calls and their results do not count as turns.
        let turns = messages.iter().skip(usize::from(has_system));
        let is_question = turns
            .clone()
            .filter(|message| message.role != "tool" && !message.calls)
            .map(|message| message.role == "user");
        let refuses = match self {
            Self::ChatMl | Self::Thinking | Self::ThinkingLevels | Self::OpenThinking => false,
            Self::QuestionFirst => turns.clone().next().is_some_and(|m| m.role != "user"),
            Self::Alternating => is_question
                .enumerate()
                .any(|(i, asks)| asks != (i % 2 == 0)),
            Self::NoSystem => {
                if has_system {
                    return Some(jinja(GEMMA_SYSTEM));
                }
                is_question
                    .enumerate()
                    .any(|(i, asks)| asks != (i % 2 == 0))
            }
        };
        refuses.then(|| self.refused())
    }

    /// The error for a conversation whose roles the template refuses.
    pub(super) fn refused(self) -> RequestRefusal {
        match self {
            Self::QuestionFirst => {
                let text = format!(
                    "Unable to generate parser for this template. Automatic parser generation failed: {}",
                    page(NEMO)
                );
                nested(StatusCode::BAD_REQUEST, &text, "invalid_request_error")
            }
            Self::NoSystem => jinja(GEMMA),
            _ => jinja(MISTRAL),
        }
    }
}

fn jinja(said: &str) -> RequestRefusal {
    nested(
        StatusCode::INTERNAL_SERVER_ERROR,
        &page(said),
        "server_error",
    )
}

/// The runner's report of an exception: the position, some of the template's source, and the message.
fn page(said: &str) -> String {
    let begin: String = said.chars().take(44).collect();
    format!(
        "\n------------\nWhile executing CallExpression at line 47, column 32 in source:\n...== 0) %}}↵            {{{{- raise_exception('{begin}...\n                                           ^\nError: Jinja Exception: {said}"
    )
}

fn nested(status: StatusCode, message: &str, kind: &str) -> RequestRefusal {
    let message = json!(message);
    let code = status.as_u16();
    let text = format!(r#"{{"error":{{"code":{code},"message":{message},"type":"{kind}"}}}}"#);
    RequestRefusal::new(status, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(template: Template, roles: &[&str]) -> bool {
        let message = |role: &&str| match *role {
            "call" => CallMessage {
                calls: true,
                ..CallMessage::of("assistant", String::new())
            },
            role => CallMessage::of(role, "x".to_owned()),
        };
        let messages: Vec<CallMessage> = roles.iter().map(message).collect();
        template.refusal(&messages).is_some()
    }

    #[test]
    fn each_template_refuses_what_its_name_says() {
        use Template::{Alternating, ChatMl, NoSystem, QuestionFirst, Thinking};
        let (s, q, a) = ("system", "user", "assistant");
        for (roles, by) in [
            (&[q][..], &[][..]),
            (&[q, a, q], &[]),
            (&[q, "call", "tool", a, q], &[]),
            (
                &["call", "tool", a, q],
                &[QuestionFirst, Alternating, NoSystem],
            ),
            (&[s, q], &[NoSystem]),
            (&[s, q, a, q], &[NoSystem]),
            (&[a, q], &[QuestionFirst, Alternating, NoSystem]),
            (&[s, a, q], &[QuestionFirst, Alternating, NoSystem]),
            (&[q, q], &[Alternating, NoSystem]),
            (&[q, a, a, q], &[Alternating, NoSystem]),
        ] {
            for template in [ChatMl, Thinking, QuestionFirst, Alternating, NoSystem] {
                let expected = by.contains(&template);
                assert_eq!(refuses(template, roles), expected, "{template:?} {roles:?}");
            }
        }
    }

    #[test]
    fn the_error_is_json_within_a_string() {
        for template in [
            Template::QuestionFirst,
            Template::Alternating,
            Template::NoSystem,
        ] {
            let refusal = template.refused();
            let inner: serde_json::Value = serde_json::from_str(&refusal.text).unwrap();
            assert_eq!(inner["error"]["code"], refusal.status.as_u16());
            let message = inner["error"]["message"].as_str().unwrap();
            assert!(message.contains("raise_exception"), "{message}");
        }
    }
}
