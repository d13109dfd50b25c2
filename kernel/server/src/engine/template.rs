//! Refusals by a model's own chat template. The runner answers with the position in the template, some of its
//! source and the template's message; only the message is for a person, and its meaning follows from the
//! refused request: templates send the same message for different reasons.

use sash_chat::Role;
use sash_wire::{ChatRequest, Fault};

/// Substrings that identify a refusal by a template.
const REFUSAL_SIGNS: [&str; 5] = [
    "raise_exception",
    "Jinja Exception",
    "roles must alternate",
    "Unable to generate parser for this template",
    "System role not supported",
];

/// Substrings with which the runner's messages about a JSON schema begin.
const SCHEMA_SIGNS: [&str; 3] = [
    "JSON schema error",
    "JSON schema conversion failed",
    "failed to parse grammar",
];

/// The longest message of a template that is passed on, in characters.
const MAX_MESSAGE_CHARS: usize = 300;

/// What is wrong with the JSON schema of a request, if that is what the runner minds: it makes a grammar of schema and
/// template together, so its message begins like one about the template.
pub fn schema_refusal(message: &str) -> Option<String> {
    let at = SCHEMA_SIGNS.iter().find_map(|sign| message.find(sign))?;
    let line = message.get(at..)?.lines().next()?;
    Some(line.chars().take(MAX_MESSAGE_CHARS).collect())
}

/// The template's message, if this is a refusal by one.
pub fn refusal(message: &str) -> Option<String> {
    if !REFUSAL_SIGNS.iter().any(|sign| message.contains(sign)) {
        return None;
    }
    let said = template_message(message)
        // The runner's older form: the message first, then the position and the source.
        .or_else(|| message.split(" at row ").next())
        .unwrap_or(message);
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    Some(
        line.unwrap_or_default()
            .chars()
            .take(MAX_MESSAGE_CHARS)
            .collect(),
    )
}

fn template_message(message: &str) -> Option<&str> {
    let marks = ["Error: Jinja Exception:", "Jinja Exception:"];
    marks
        .iter()
        .find_map(|mark| message.rsplit_once(mark))
        .map(|(_, said)| said)
}

/// The properties of a request that a template may refuse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromptShape {
    /// Whether the first message after the system prompt is not a question.
    begins_with_answer: bool,
    /// Whether there is a system prompt.
    has_system: bool,
    /// Whether questions and answers alternate; tool calls and their results are ignored.
    alternates: bool,
}

impl PromptShape {
    /// The shape of a request.
    #[must_use]
    pub fn of(request: &ChatRequest) -> Self {
        let messages = request.messages();
        let roles = messages.iter().map(|message| message.role);
        let spoken: Vec<Role> = roles
            .clone()
            .filter(|role| matches!(role, Role::User | Role::Assistant))
            .collect();
        Self {
            begins_with_answer: roles.clone().find(|role| *role != Role::System)
                != Some(Role::User),
            has_system: roles.clone().any(|role| role == Role::System),
            alternates: spoken.windows(2).all(|pair| pair[0] != pair[1]),
        }
    }

    /// The meaning of a template's refusal for a request of this shape; any other fault is unchanged.
    #[must_use]
    pub fn explain(self, fault: Fault) -> Fault {
        let Fault::TemplateRefused { reason } = fault else {
            return fault;
        };
        let lower = reason.to_lowercase();
        // Most messages about the order of roles also mention "the optional system message".
        let of_order = lower.contains("alternate");
        let of_system = lower.contains("system") && !of_order;
        // A template without support for system prompts treats the system prompt as the first turn.
        let system_in_the_way = of_order && self.alternates && !self.begins_with_answer;
        if self.has_system && (of_system || system_in_the_way) {
            Fault::NoSystemPrompt { reason }
        } else if self.begins_with_answer && !of_system {
            Fault::QuestionFirst { reason }
        } else {
            Fault::TemplateRefused { reason }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const ALTERNATE: &str = "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.";
    const GEMMA: &str = "Conversation roles must alternate user/assistant/user/assistant/...";

    fn page(said: &str) -> String {
        format!(
            "\n------------\nWhile executing CallExpression at line 47, column 32 in source:\n...== 0) %}}↵            {{{{- raise_exception('After the optional system message, con...\n                                           ^\nError: Jinja Exception: {said}"
        )
    }

    #[test]
    fn of_a_page_of_jinja_the_sentence_is_left() {
        let parser =
            "Unable to generate parser for this template. Automatic parser generation failed: ";
        for message in [
            page(ALTERNATE),
            format!("{parser}{}", page(ALTERNATE)),
            ALTERNATE.to_owned(),
            format!("{ALTERNATE} at row 19, column 27:\n    {{%- if (message['role']\n ^"),
            format!("llama-server chat error: {}", page(ALTERNATE)),
        ] {
            assert_eq!(refusal(&message).as_deref(), Some(ALTERNATE), "{message}");
        }
        assert_eq!(
            refusal("System role not supported").as_deref(),
            Some("System role not supported")
        );
        let long = refusal(&page(&"x".repeat(5_000))).unwrap();
        assert_eq!(long.len(), MAX_MESSAGE_CHARS);
    }

    /// In the words of `llama-server` b11434.
    #[test]
    fn a_refused_schema_is_not_put_down_to_the_template() {
        let message = "Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #: unrecognized type foo";
        let said = "JSON schema error at #: unrecognized type foo";
        assert_eq!(schema_refusal(message).as_deref(), Some(said));
        assert_eq!(schema_refusal(&page(ALTERNATE)), None);
    }

    #[test]
    fn what_is_no_refusal_of_a_template_is_none() {
        for message in [
            "boom",
            "",
            "unexpected EOF",
            "option \"num_ctx\" must be of type integer",
        ] {
            assert_eq!(refusal(message), None, "{message}");
        }
    }

    fn code(request: Value, said: &str) -> String {
        let request: ChatRequest = serde_json::from_value(request).unwrap();
        let reason = refusal(said).unwrap();
        let fault = PromptShape::of(&request).explain(Fault::TemplateRefused { reason });
        assert_eq!(fault.status(), 400);
        fault.code().to_owned()
    }

    #[test]
    fn the_request_tells_what_the_template_minds() {
        let (a, q) = (
            json!({"role":"assistant","content":"a"}),
            json!({"role":"user","content":"q"}),
        );
        let ask = |context: &[&Value], system: Option<&str>| json!({"model":"m","prompt":"p","context":context,"system":system});
        let unable = "Unable to generate parser for this template.";
        for (request, said, expected) in [
            (ask(&[&a, &q, &a], None), ALTERNATE, "question_first"),
            (ask(&[&a, &q, &a], None), GEMMA, "question_first"),
            (ask(&[&a, &q, &a], None), unable, "question_first"),
            (ask(&[&a, &q, &a], Some("s")), ALTERNATE, "question_first"),
            (
                ask(&[&a, &q, &a], Some("s")),
                "System role not supported",
                "no_system_prompt",
            ),
            (
                ask(&[], Some("s")),
                "System role not supported",
                "no_system_prompt",
            ),
            // An old template that treats the system prompt as a misplaced turn.
            (ask(&[&q, &a], Some("s")), GEMMA, "no_system_prompt"),
            (ask(&[&q, &q], None), ALTERNATE, "template_refused"),
            (ask(&[&q, &q], Some("s")), ALTERNATE, "template_refused"),
            (
                ask(&[&q, &a], None),
                "Jinja Exception: Only user and assistant roles are supported!",
                "template_refused",
            ),
        ] {
            assert_eq!(code(request.clone(), said), expected, "{request} {said}");
        }
    }

    #[test]
    fn other_faults_stay_what_they_are() {
        let shape = PromptShape {
            begins_with_answer: true,
            ..PromptShape::default()
        };
        assert_eq!(shape.explain(Fault::OllamaBusy), Fault::OllamaBusy);
    }
}
