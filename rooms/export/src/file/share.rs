//! A chat, or a branch of one, as one HTML file, which opens anywhere and can be imported again. It has no script,
//! loads nothing, and its data are the records of the messages that it shows, no others.

use super::line;
use super::reading::{asides, notes_of_end, receipt_words, speaker, summary_title};
use super::shared_content::{Share, settings_text, shared_head};
use sash_chat::{Chat, Head, Id, Image, ImageHash, Message, QuestionPart, Role, question_parts};
use sash_form::{DATA_END, DATA_START, lines};
use sash_log::Key;
use sash_markdown::{CodeColors, escape, html, visible};
// A file has names as they are.
use sash_words::{count, plain_t as t};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What the file may do: nothing but show itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The page of a chat, in the order of its parts. The lines of images ([`image_line`](sash_form::image_line))
/// stand between records and end.
#[derive(Clone, Debug)]
pub struct SharedPage {
    /// The page itself, and its records.
    pub start: String,
    /// The images of its messages.
    pub images: BTreeSet<ImageHash>,
    /// What closes the file.
    pub end: String,
}

/// A chat as a page. `time` formats milliseconds since 1970; `now` is in these.
#[must_use]
pub fn shared_page(
    chat: &Chat,
    share: Share,
    now: u64,
    time: &dyn Fn(u64) -> String,
    colors: CodeColors<'_>,
) -> SharedPage {
    let title = escape(&visible(&chat.title()));
    let branch_length = chat.path().len();
    let mut messages = share.messages(chat);
    let head = shared_head(
        chat,
        &messages.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
        share.systems,
    );
    let language = sash_words::language();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\" dir=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"generator\" content=\"Sash\">\n<title>{title}</title>\n\
         <style>{}</style>\n</head>\n<body>\n<main>\n<h1 dir=\"auto\">{title}</h1>\n",
        language.code,
        language.direction,
        include_str!("share.css")
    );
    let models = messages.iter().filter_map(|m| m.model.as_deref());
    let models: BTreeSet<&str> = models.collect();
    let models: Vec<String> = models.into_iter().map(|m| escape(&visible(m))).collect();
    let count = count_words(messages.len(), messages.len() - branch_length);
    let begun = escape(&time(chat.head.created));
    let about = match models.is_empty() {
        true => t!(export.file_facts, count = &count, begun = &*begun),
        false => t!(
            export.file_facts_with_models,
            count = &count,
            begun = &*begun,
            models = models.join(", ")
        ),
    };
    out += &format!("<p class=\"about\">{about}</p>\n");
    if let Some(system) = head.system_at(head.settings.system) {
        folded(&mut out, t!(common.system_prompt), system);
    }
    let others = (0..).zip(&head.systems);
    let others = others.filter(|(at, text)| head.settings.system != Some(*at) && !text.is_empty());
    for (_, system) in others {
        folded(&mut out, t!(export.earlier_system_prompt), system);
    }
    for summary in &head.summaries {
        folded(&mut out, &summary_title(summary), &summary.text);
    }
    let settings = settings_text(&head);
    if !settings.is_empty() {
        folded(&mut out, t!(common.settings), &settings);
    }
    let is_owned = |message: &Cow<'_, Message>| matches!(message, Cow::Owned(_));
    let (branch, others) = messages.split_at(branch_length);
    for message in branch {
        write_message(&mut out, chat, message, is_owned(message), time, colors);
    }
    if !others.is_empty() {
        out += &format!(
            "<details><summary>{}</summary>\n",
            t!(export.other_branches)
        );
        for message in others {
            write_message(&mut out, chat, message, is_owned(message), time, colors);
        }
        out += "</details>\n";
    }
    out += "</main>\n";
    out += DATA_START;
    let images = messages.iter().flat_map(|message| &message.images);
    let images = images.map(|image| image.hash).collect();
    messages.sort_by_key(|message| (message.seq, message.id));
    out += &records(chat, &head, &messages, now);
    SharedPage {
        start: out,
        images,
        end: format!("{DATA_END}\n</body>\n</html>\n"),
    }
}

/// How many messages are in the file, as its import counts them, and how many of them are not on the shown branch.
fn count_words(all: usize, of_other_branches: usize) -> String {
    let messages = count::messages(all);
    match of_other_branches {
        0 => messages,
        n => t!(
            export.in_other_branches,
            messages = &messages,
            n = count::grouped(n as u64)
        ),
    }
}

/// The lines of the records of these messages, escaped.
fn records(chat: &Chat, head: &Head, messages: &[Cow<'_, Message>], now: u64) -> String {
    let ids: BTreeSet<Id> = messages.iter().map(|message| message.id).collect();
    let parents: BTreeMap<Id, Option<Id>> =
        chat.tree.all_messages().map(|m| (m.id, m.parent)).collect();
    // Deleted messages are not in the file: what follows one continues what was before it.
    let parent_in_file = |message: &Message| {
        let mut parent = message.parent;
        while let Some(id) = parent.filter(|id| !ids.contains(id)) {
            parent = parents.get(&id).copied().flatten();
        }
        parent
    };
    let mut out = lines::header(now, 1, messages.len());
    out += &line(Key::Head(head.id), head);
    for message in messages {
        let message = Message {
            parent: parent_in_file(message),
            ..message.as_ref().clone()
        };
        out += &line(Key::Message(head.id, message.seq, message.id), &message);
    }
    escape(&out)
}

fn write_message(
    out: &mut String,
    chat: &Chat,
    message: &Message,
    quotes_left_out: bool,
    time: &dyn Fn(u64) -> String,
    colors: CodeColors<'_>,
) {
    *out += &format!(
        "<article data-role=\"{}\">\n<h2>{} <span class=\"time\">{}</span></h2>\n",
        message.role.as_str(),
        escape(&visible(&speaker(message))),
        escape(&time(message.created)),
    );
    for (title, text) in asides(message) {
        folded(out, title, text);
    }
    if quotes_left_out {
        *out += &format!("<p class=\"note\">{}</p>\n", t!(export.quotes_left_out));
    }
    match message.role {
        Role::User | Role::System => write_question(out, &message.content),
        Role::Tool => preformatted(out, &message.content),
        Role::Assistant => {
            let structured = message.receipt.as_ref().is_some_and(|r| r.format.is_some());
            match structured {
                true => preformatted(out, &message.content),
                false => {
                    *out += &format!(
                        "<div class=\"text\">{}</div>\n",
                        html(&message.content, colors)
                    )
                }
            }
        }
    }
    for call in message.calls() {
        *out += &format!(
            "<p class=\"call\">{}</p>",
            t!(
                export.calls,
                name = format!("<code>{}</code>", escape(&visible(&call.function.name)))
            )
        );
        preformatted(out, &call.arguments_text());
    }
    for image in &message.images {
        write_image(out, image);
    }
    if let Some(note) = notes_of_end(message) {
        *out += &format!("<p class=\"note\">{}</p>\n", escape(&visible(&note)));
    }
    if let Some(receipt) = &message.receipt {
        folded(
            out,
            t!(common.answer_details),
            &receipt_words(chat, receipt),
        );
    }
    *out += "</article>\n";
}

/// A question as it was written, files in it folded.
fn write_question(out: &mut String, question: &str) {
    for part in question_parts(question) {
        match part {
            QuestionPart::Text(text) => {
                *out += &format!(
                    "<div class=\"said\" dir=\"auto\">{}</div>\n",
                    escape(&visible(text))
                );
            }
            QuestionPart::File { name, text } => folded(out, name, text),
        }
    }
}

fn write_image(out: &mut String, image: &Image) {
    let words = t!(
        export.image_pixels,
        width = image.width,
        height = image.height
    );
    match image.preview_url() {
        Some(url) => *out += &format!("<img alt=\"{words}\" src=\"{}\">\n", escape(&url)),
        None => *out += &format!("<p class=\"note\">{words}</p>\n"),
    }
}

fn preformatted(out: &mut String, text: &str) {
    *out += &format!(
        "<pre class=\"plain\" dir=\"auto\" tabindex=\"0\">{}</pre>\n",
        escape(&visible(text))
    );
}

fn folded(out: &mut String, title: &str, text: &str) {
    *out += &format!(
        "<details><summary>{}</summary><div class=\"said\" dir=\"auto\">{}</div></details>\n",
        escape(&visible(title)),
        escape(&visible(text))
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_of_a_file_s_messages_are_grouped() {
        assert_eq!(count_words(1_024, 0), "1,024 messages");
        assert_eq!(
            count_words(2_048, 1_024),
            "2,048 messages, 1,024 of them in other branches"
        );
    }
}
