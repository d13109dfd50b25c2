//! The demo model's answer: a list of the messages it received. It never pretends to understand them.

use super::call::CallMessage;
use super::run::Run;

/// How many messages are listed one by one.
const LISTED: usize = 40;

/// The answer to a prompt.
pub fn demo(run: &Run) -> String {
    let messages = &run.prompt.messages;
    let mut text = String::from(
        "I am **not a language model**. I am the demo inside Sash, a small program that can only tell \
         you what it was given. For real answers, start Ollama and choose one of its models.\n\n",
    );
    let count = messages.len();
    let (noun, verb) = if count == 1 {
        ("message", "was")
    } else {
        ("messages", "were")
    };
    let tokens = run.prompt.ids.len();
    text.push_str(&format!(
        "With this prompt **{count} {noun}** {verb} sent to me, {tokens} tokens by my count:\n\n"
    ));
    for (at, message) in messages.iter().enumerate() {
        if count > LISTED && (5..count + 5 - LISTED).contains(&at) {
            if at == 5 {
                text.push_str(&format!("\n… {} more …\n\n", count - LISTED));
            }
            continue;
        }
        let last = at + 1 == count;
        text.push_str(&format!("{}. {}\n", at + 1, described(message, last)));
    }
    text.push_str("\nWhatever else this chat holds stayed in your browser.\n");
    let prompt = messages.last().map_or("", |last| last.content.as_str());
    let prompt = prompt.to_lowercase();
    // Match words that begin with the given one: `along` does not ask for a long answer.
    let said = || prompt.split(|letter: char| !letter.is_alphanumeric());
    let asked = |words: &[&str]| said().any(|one| words.iter().any(|word| one.starts_with(word)));
    if asked(&["markdown", "code", "table"]) {
        text.push_str(SAMPLE);
    } else if asked(&["formula", "math", "equation"]) {
        text.push_str(FORMULA);
    } else if asked(&["long", "stream", "stop"]) {
        text.push_str("\nSo that there is something to watch, and to stop, I count:\n\n");
        for n in 1..=150 {
            text.push_str(&format!("- line {n} of 150\n"));
        }
    } else if count == 1 {
        text.push_str(
            "\nAsk me something else and you will see more messages here. Ask for *markdown* or a \
             *formula* to see what this page can show, or for something *long* to try Stop.\n",
        );
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
fn described(message: &CallMessage, last: bool) -> String {
    let mut role = message.role.clone();
    if last {
        role.push_str(", your prompt");
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
    let images = match message.images.len() {
        0 => String::new(),
        1 => " and 1 image".to_owned(),
        n => format!(" and {n} images"),
    };
    if first.is_empty() {
        return format!("**{role}**: no text{images}");
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

const SAMPLE: &str = r#"
## What this page can show

Text in *italics*, in **bold**, with `code` in it, and [a link](https://ollama.com).

| part | shown as |
| --- | --- |
| table | a table |
| list | a list |

1. First
2. Second
   - with a point of its own

> A quotation.

```rust
fn main() {
    println!("Hello from the demo");
}
```
"#;

const FORMULA: &str = r"
A formula in a line, $e^{i\pi} + 1 = 0$, and one of its own:

$$
\int_0^1 x^2 \, dx = \frac{1}{3}
$$
";
