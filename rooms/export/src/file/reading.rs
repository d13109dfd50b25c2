//! Exports the shown branch of a chat for reading, as Markdown or plain text.

use sash_chat::{
    Chat, Message, NoText, Outcome, Receipt, Role, Summary, ToolCall, receipt_policy_phrase,
};
// A file has names as they are.
use sash_words::{count, plain_t as t};

/// A form of text for reading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Markdown,
    Text,
}

/// A chat as Markdown. Each message is headed by its speaker and time; its text is unchanged, so Markdown in
/// it stays Markdown. `time` formats milliseconds since 1970.
#[must_use]
pub fn markdown(chat: &Chat, time: &dyn Fn(u64) -> String) -> String {
    readable(chat, time, Form::Markdown)
}

/// A chat as plain text; see [`markdown`].
#[must_use]
pub fn text(chat: &Chat, time: &dyn Fn(u64) -> String) -> String {
    readable(chat, time, Form::Text)
}

fn readable(chat: &Chat, time: &dyn Fn(u64) -> String, form: Form) -> String {
    let title = one_line(&chat.title());
    let mut out = match form {
        Form::Markdown => format!("# {}\n\n", title.trim_start_matches(['#', ' '])),
        Form::Text => format!("{title}\n{}\n", "=".repeat(title.chars().count().min(72))),
    };
    out += &about(chat, time);
    let system = chat
        .head
        .system_prompt()
        .map(|system| system.text.trim_end());
    let system = system.map(|text| (t!(common.system_prompt).to_owned(), text));
    let summary = chat.summary();
    let summary = summary.map(|summary| (summary_title(summary), summary.text.trim()));
    for (title, text) in system.into_iter().chain(summary) {
        out += &match form {
            Form::Markdown => format!("\n## {title}\n\n{text}\n"),
            Form::Text => format!("\n[{title}]\n\n{text}\n"),
        };
    }
    for message in chat.path() {
        let (speaker, time) = (speaker(message), time(message.created));
        out += &match form {
            Form::Markdown => format!("\n---\n\n## {speaker} · {time}\n\n"),
            Form::Text => format!("\n[{speaker}, {time}]\n\n"),
        };
        for (title, text) in asides(message) {
            out += &match form {
                Form::Markdown => {
                    let lines = text.lines().map(|line| format!("> {line}\n"));
                    format!("> *{title}*\n>\n{}\n", lines.collect::<String>())
                }
                Form::Text => {
                    let end = title.to_lowercase();
                    t!(export.end_of, title = &title, text = &text, end = &end)
                }
            };
        }
        let content = message.content.trim_end();
        if !content.is_empty() {
            out += &format!("{content}\n");
        }
        // An unclosed fence would swallow everything after it.
        if form == Form::Markdown
            && let Some(fence) = open_fence(content)
        {
            out += &format!("{fence}\n");
        }
        for note in notes(chat, message) {
            out += &match form {
                Form::Markdown => format!("\n*{note}*\n"),
                Form::Text => format!("\n({note})\n"),
            };
        }
    }
    out
}

/// The line below the title.
fn about(chat: &Chat, time: &dyn Fn(u64) -> String) -> String {
    let messages = chat.path().len();
    let others = chat.messages().count().saturating_sub(messages);
    // The models that answered: the one that is chosen now may have written nothing.
    let mut models: Vec<String> = Vec::new();
    for model in chat.path().iter().filter_map(|m| m.answered_by()) {
        let model = one_line(model);
        if !models.contains(&model) {
            models.push(model);
        }
    }
    let separator = if models.is_empty() { "" } else { " · " };
    let mut out = t!(
        export.begun,
        created = time(chat.head.created),
        separator = &separator,
        list = models.join(", "),
        messages = count::messages(messages)
    );
    if others > 0 {
        out += &t!(export.in_other_versions, others = &others);
    }
    out + "\n"
}

/// What belongs to a message and is not its text, with titles: thinking, and earlier messages that went with it.
pub(super) fn asides(message: &Message) -> impl Iterator<Item = (&'static str, &str)> {
    let recalled = message.recalled.as_ref().map(|block| &*block.text);
    let thinking = Some(message.thinking.trim()).filter(|text| !text.is_empty());
    let recalled = recalled.map(|text| (t!(export.recalled_messages), text));
    recalled
        .into_iter()
        .chain(thinking.map(|text| (t!(common.thinking_label), text)))
}

/// What a summary covers and who wrote it.
pub(super) fn summary_title(summary: &Summary) -> String {
    let covered = count::earlier_messages(summary.count as usize);
    let by = match &summary.model {
        Some(model) if summary.edited => t!(export.edited, model = one_line(model)),
        Some(model) => one_line(model),
        None => return t!(export.summary_by_you, covered = &covered),
    };
    t!(export.summary_by_model, covered = &covered, by = &by)
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

pub(super) fn speaker(message: &Message) -> String {
    match (message.role, message.answered_by(), &message.tool_name) {
        (Role::System, ..) => t!(common.system).to_owned(),
        (Role::User, ..) => t!(common.you).to_owned(),
        (Role::Assistant, Some(model), _) if message.edited.is_some() => {
            one_line(model) + t!(export.edited_by_you)
        }
        (Role::Assistant, Some(model), _) => one_line(model),
        (Role::Assistant, None, _) => t!(export.assistant).to_owned(),
        (Role::Tool, _, Some(name)) => t!(export.tool_name, name = one_line(name)),
        (Role::Tool, _, None) => t!(common.tool).to_owned(),
    }
}

/// The notes below a message: its images, how it ended, where it is not complete, and what the model read.
fn notes(chat: &Chat, message: &Message) -> Vec<String> {
    let calls: Vec<String> = message.calls().iter().map(call).collect();
    let calls = (!calls.is_empty()).then(|| t!(export.called, list = calls.join(", ")));
    let read = message.receipt.as_ref().map(|r| receipt_words(chat, r));
    let images = match message.images.len() {
        0 => None,
        n => Some(format!("{}.", count::images(n))),
    };
    let before = images.into_iter().chain(notes_of_end(message));
    before.chain(calls).chain(read).collect()
}

/// How a message ended, where it is not complete.
pub(super) fn notes_of_end(message: &Message) -> Option<String> {
    match &message.outcome {
        Outcome::Complete => NoText::of(message).map(|no_text| no_text.words().to_owned()),
        Outcome::CutOff => {
            let context = message.receipt.as_ref().and_then(Receipt::filled_context);
            Some(match context {
                Some(context) => t!(export.ended_context_full, context = &context),
                None => t!(export.cut_off_by_length).to_owned(),
            })
        }
        Outcome::Stopped => Some(t!(export.stopped).to_owned()),
        Outcome::Interrupted => Some(t!(export.interrupted).to_owned()),
        Outcome::Failed(why) => Some(t!(export.failed, sentence = one_line(&why.sentence))),
    }
}

/// A tool call in one line.
fn call(call: &ToolCall) -> String {
    let arguments = serde_json::Value::Object(call.function.arguments.clone());
    one_line(&format!("{} {arguments}", call.function.name))
}

/// A receipt in one line.
pub(super) fn receipt_words(chat: &Chat, receipt: &Receipt) -> String {
    let sent = chat.tree.count_messages(&receipt.sent);
    let mut words = t!(
        export.read_messages,
        messages = count::messages(sent),
        sent = receipt_policy_phrase(receipt.policy, sent)
    );
    if chat.head.system_at(receipt.system).is_some() {
        words.push_str(t!(export.read_system_prompt));
    }
    if receipt.summary.is_some() {
        words.push_str(t!(export.read_summary));
    }
    match receipt.recalled.len() {
        0 => {}
        1 => words.push_str(t!(export.read_recall_once)),
        n => words += &t!(export.read_recall_times, n = &n),
    }
    if let Some(think) = receipt.think {
        words += &t!(export.thinking, name = think.words());
    }
    if let Some(format) = &receipt.format {
        words += &t!(export.asked_for, name = format.name());
    }
    words += &match receipt.prompt_tokens.counted {
        Some(tokens) => t!(export.tokens, tokens = &tokens),
        None => t!(
            export.about_tokens,
            estimated = receipt.prompt_tokens.estimated
        ),
    };
    if let Some(context) = receipt.context_length {
        words.push_str(&t!(export.read_context, context = &context));
    }
    if let Some(tokens) = receipt.answer_tokens {
        words.push_str(&t!(export.read_answer_tokens, tokens = &tokens));
    }
    words.push('.');
    words
}

/// The fence of a code block that is not closed.
fn open_fence(content: &str) -> Option<String> {
    let mut open: Option<(char, usize)> = None;
    for line in content.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let line = line.trim_start_matches(' ');
        let Some(mark) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else {
            continue;
        };
        let length = line.chars().take_while(|c| *c == mark).count();
        let rest = &line[length..];
        match open {
            _ if indent > 3 || length < 3 => {}
            None if mark == '~' || !rest.contains('`') => open = Some((mark, length)),
            Some((by, least)) if mark == by && length >= least && rest.trim().is_empty() => {
                open = None;
            }
            _ => {}
        }
    }
    open.map(|(mark, length)| mark.to_string().repeat(length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_chat::{Head, Id, Think, TokenCount};

    fn chat() -> Chat {
        let mut head = Head::new(Id(1), 0);
        head.set_system("Be brief.");
        head.model = Some("chosen-since".into());
        let mut chat = Chat::new(head);
        let say = |id: u64, parent: Option<u64>, role, words: &str| Message {
            content: words.into(),
            ..Message::new(Id(id), parent.map(Id), id as u32, role, 60_000 * id)
        };
        chat.insert(say(1, None, Role::User, "# My heading\n\n  two\nlines"));
        chat.insert(say(2, Some(1), Role::Assistant, "The first answer"));
        chat.insert(Message {
            model: Some("llama3.2".into()),
            thinking: "Hm.\nSo.".into(),
            outcome: Outcome::Stopped,
            receipt: Some(Receipt {
                sent: vec![Id(1)],
                system: Some(0),
                think: Some(Think::Low),
                prompt_tokens: TokenCount {
                    estimated: 10,
                    counted: Some(12),
                },
                context_length: Some(4096),
                answer_tokens: Some(7),
                ..Receipt::default()
            }),
            ..say(3, Some(1), Role::Assistant, "```rust\nfn main() {")
        });
        chat
    }

    #[test]
    fn markdown_has_what_was_said_as_it_was_said() {
        let expected = "# My heading\n\nBegun at 0 · llama3.2 · 2 messages (1 more in other versions)\n\n## System prompt\n\nBe brief.\n\n---\n\n## You · at 60000\n\n# My heading\n\n  two\nlines\n\n---\n\n## llama3.2 · at 180000\n\n> *Thinking*\n>\n> Hm.\n> So.\n\n```rust\nfn main() {\n```\n\n*Stopped.*\n\n*The model read 1 message (rule: the last 3 messages before it) and a system prompt, thinking low, 12 tokens of 4096; the answer has 7.*\n";
        assert_eq!(markdown(&chat(), &|ms| format!("at {ms}")), expected);
    }

    #[test]
    fn files_for_reading_can_leave_the_system_prompt_out() {
        let mut chat = chat();
        super::super::leave_out_systems(&mut chat.head);
        for file in [
            markdown(&chat, &|_| String::new()),
            text(&chat, &|_| String::new()),
        ] {
            assert!(!file.contains("Be brief.") && !file.contains("System prompt"));
            assert!(file.contains("and a system prompt"), "{file}");
        }
    }

    #[test]
    fn plain_text_has_it_too() {
        let plain = text(&chat(), &|ms| format!("at {ms}"));
        assert_eq!(
            plain,
            "# My heading\n============\nBegun at 0 · llama3.2 · 2 messages (1 more in other versions)\n\n[System prompt]\n\nBe brief.\n\n[You, at 60000]\n\n# My heading\n\n  two\nlines\n\n[llama3.2, at 180000]\n\n(Thinking)\nHm.\nSo.\n(End of thinking)\n\n```rust\nfn main() {\n\n(Stopped.)\n\n(The model read 1 message (rule: the last 3 messages before it) and a system prompt, thinking low, 12 tokens of 4096; the answer has 7.)\n"
        );
    }

    #[test]
    fn a_fence_is_closed_only_where_it_is_open() {
        for (content, fence) in [
            ("```\na\n```", None),
            ("````\n```\n", Some("````")),
            ("~~~\n```\n", Some("~~~")),
            ("``` inline ``` text", None),
            ("    ```\n", None),
            ("text", None),
        ] {
            assert_eq!(open_fence(content).as_deref(), fence, "{content}");
        }
    }
}
