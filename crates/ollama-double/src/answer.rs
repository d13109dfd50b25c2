//! The demo model's answer: a list of the messages it received. It never pretends to understand them.

mod language;

use super::call::CallMessage;
use super::run::Run;
use language::Language;

/// How many messages are listed one by one.
const LISTED: usize = 40;

/// How many lines a long answer has.
const LINES: usize = 150;

/// The answer to a prompt, in the language of its last question.
pub fn demo(run: &Run) -> String {
    let messages = &run.prompt.messages;
    let question = messages.iter().rfind(|message| message.role == "user");
    let language = question.map_or(Language::English, |question| {
        Language::of(&question.content)
    });
    let mut text = String::from(language.introduction());
    let count = messages.len();
    text.push_str(&language.received(count, run.prompt.ids.len()));
    for (at, message) in messages.iter().enumerate() {
        if count > LISTED && (5..count + 5 - LISTED).contains(&at) {
            if at == 5 {
                text.push_str(&language.more(count - LISTED));
            }
            continue;
        }
        let last = at + 1 == count;
        let described = described(message, last, language);
        text.push_str(&format!("{}. {described}\n", at + 1));
    }
    text.push_str(language.rest());
    let prompt = messages.last().map_or("", |last| last.content.as_str());
    let prompt = prompt.to_lowercase();
    // Match words that begin with the given one: `along` does not ask for a long answer.
    let said = || prompt.split(|letter: char| !letter.is_alphanumeric());
    let asked = |words: &[&str]| said().any(|one| words.iter().any(|word| one.starts_with(word)));
    if asked(&["markdown", "code", "table", "tabelle", "טבל", "קוד"]) {
        text.push_str(language.sample());
    } else if asked(&["formula", "math", "equation", "formel", "gleichung", "נוסח"]) {
        text.push_str(&language.formulas());
    } else if asked(&["long", "stream", "stop", "lange", "ארוכ", "ארוך"]) {
        text.push_str(language.counting());
        for n in 1..=LINES {
            text.push_str(&language.line(n, LINES));
        }
    } else if count == 1 {
        text.push_str(language.hint());
    }
    text
}

/// The answer of a model that sees: it tells how many images each message brought, and how many bytes each has. It
/// does not look at them.
pub fn viewer(messages: &[CallMessage]) -> String {
    let images: Vec<usize> = messages
        .iter()
        .flat_map(|message| message.images.iter().copied())
        .collect();
    let sizes: Vec<String> = images.iter().map(ToString::to_string).collect();
    match images.len() {
        0 => "I got no image.".to_owned(),
        1 => format!("I got 1 image of {} bytes.", sizes.join(", ")),
        n => format!("I got {n} images of {} bytes.", sizes.join(", ")),
    }
}

/// Describes one message: its role and its first words, as code so that markup in them has no effect.
fn described(message: &CallMessage, last: bool, language: Language) -> String {
    let mut role = message.role.clone();
    if last {
        role.push_str(language.your_prompt());
    }
    let words: Vec<&str> = message.content.split_whitespace().collect();
    let mut first = String::new();
    for word in &words {
        if first.chars().count() + word.chars().count() > 60 {
            break;
        }
        if !first.is_empty() {
            first.push(' ');
        }
        first.push_str(word);
    }
    if first.is_empty() {
        first = words
            .first()
            .map_or_else(String::new, |word| word.chars().take(60).collect());
    }
    let images = language.images(message.images.len());
    if first.is_empty() {
        return format!("**{role}**: {}{images}", language.no_text());
    }
    let more = if first.split(' ').count() < words.len() || first.len() < words[0].len() {
        " …"
    } else {
        ""
    };
    // A code span cannot contain the backtick that would end it.
    let first = first.replace('`', "'");
    format!("**{role}**: `{first}`{more}{images}")
}
