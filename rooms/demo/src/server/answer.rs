//! The demo model's answer: a list of the messages it received. It never pretends to understand them.

use super::language::DemoLanguage;
use super::prompt::PromptMessage;

/// How many messages are listed one by one.
const LISTED: usize = 40;

/// How many lines a long answer has.
const LINES: usize = 150;

/// The answer to a prompt of so many tokens, in the language of its last question.
pub fn answer(messages: &[PromptMessage], tokens: u64) -> String {
    let question = messages.iter().rfind(|message| message.role == "user");
    let language = question.map_or(DemoLanguage::English, |question| {
        DemoLanguage::of(&question.content)
    });
    let mut text = String::from(language.introduction());
    let count = messages.len();
    text.push_str(&language.received(count, tokens));
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

/// Describes one message: its role and its first words, as code so that markup in them has no effect.
fn described(message: &PromptMessage, last: bool, language: DemoLanguage) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn answer_to(messages: &[(&str, &str)]) -> String {
        let message = |&(role, content): &(&str, &str)| PromptMessage {
            role: role.to_owned(),
            content: content.to_owned(),
            images: Vec::new(),
        };
        let messages: Vec<PromptMessage> = messages.iter().map(message).collect();
        answer(&messages, 77)
    }

    #[test]
    fn it_says_which_messages_it_was_given() {
        let text = answer_to(&[
            ("system", "be brief"),
            ("assistant", "I said `this`"),
            ("user", "and what now"),
        ]);
        for words in [
            "not a language model",
            "**3 messages**",
            "77 tokens",
            "1. **system**: `be brief`\n",
            "2. **assistant**: `I said 'this'`\n",
            "3. **user, your prompt**: `and what now`\n",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }

    #[test]
    fn it_answers_in_the_language_of_the_question() {
        for (question, words) in [
            ("Warum ist der Himmel blau?", "kein Sprachmodell"),
            ("למה השמיים כחולים?", "לא מודל שפה"),
            ("Why is the sky blue?", "not a language model"),
        ] {
            let system = "Du bist ein Assistent und antwortest mit einem Satz.";
            let text = answer_to(&[("system", system), ("user", question)]);
            assert!(text.contains(words) && text.contains(question), "{text}");
        }
    }
}
