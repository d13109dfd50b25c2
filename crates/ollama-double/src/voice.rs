//! The answers of the models, one token at a time.

use super::call::CallMessage;
use super::line::Delta;
use super::models::AnswerStyle;
use super::run::Run;
use super::template::Template;
use super::tokens::Tokenizer;
use serde_json::{Map, Value, json};

/// A token of an answer.
pub struct AnswerToken {
    /// Its text.
    pub text: String,
    /// Whether it is thinking.
    pub thinking: bool,
}

/// The vocabulary of the recorded models.
const WORDS: [&str; 32] = [
    " side", " we", " will", " as", " to", " have", " he", " in", " people", " had", " you", " is",
    " there", " with", " no", " for", " all", " was", " my", " were", " who", " water", " know",
    " number", " most", " find", " long", " make", " more", " could", " down", " time",
];

/// The n-th word, cyclically.
pub fn word(n: u64) -> &'static str {
    WORDS[usize::try_from(n % 32).unwrap_or(0)]
}

/// The tokens of an answer.
pub fn words(run: &Run) -> Box<dyn Iterator<Item = AnswerToken> + Send + Sync> {
    let said = |text: String| AnswerToken {
        text,
        thinking: false,
    };
    let tokenizer = &run.model.tokenizer;
    if let Some(format) = &run.call.format {
        let text = super::json::to_go_json(&sample(format, 0));
        return Box::new(cut(tokenizer, &text).map(said));
    }
    let seed = seed(run);
    match run.model.voice {
        AnswerStyle::Viewer => {
            let text = viewer(&run.prompt.messages);
            Box::new(cut(tokenizer, &text).map(said))
        }
        AnswerStyle::Words => {
            let count = 12 + seed % 28;
            Box::new(
                random_words(seed)
                    .take(usize::try_from(count).unwrap_or(12))
                    .map(said),
            )
        }
        AnswerStyle::Endless => Box::new(random_words(seed).map(said)),
        AnswerStyle::Repeat => Box::new(std::iter::repeat_with(|| " his".to_owned()).map(said)),
        AnswerStyle::Thinker => {
            let (thoughts, answer): (&[&str], &[&str]) = match wants_tool(run) {
                true => (&["need tool"], &[]),
                false => (
                    &["Let", " me", " think", "."],
                    &["The", " answer", " is", " <b>42</b>", " — é🌍"],
                ),
            };
            // A template that opened the thinking leaves the closing tag to the text.
            let open = run.model.template == Template::OpenThinking;
            let thoughts = if run.think.on || open { thoughts } else { &[] };
            let token = |thinking| {
                move |text: &&str| AnswerToken {
                    text: (*text).to_owned(),
                    thinking,
                }
            };
            let thoughts: Vec<AnswerToken> = thoughts.iter().map(token(!open)).collect();
            let close = open.then(|| said("\n</think>\n\n".to_owned()));
            let answer: Vec<AnswerToken> = answer.iter().map(token(false)).collect();
            Box::new(thoughts.into_iter().chain(close).chain(answer))
        }
        AnswerStyle::Embeddings | AnswerStyle::Broken => Box::new(std::iter::empty()),
    }
}

/// The answer of a model that sees: it tells how many images each message brought, and how many bytes each has. It
/// does not look at them.
fn viewer(messages: &[CallMessage]) -> String {
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

/// Whether the model calls a tool: there is one, and it was not called just before.
fn wants_tool(run: &Run) -> bool {
    let last = run.call.messages.last();
    !run.call.tools.is_empty() && last.is_none_or(|message| message.role != "tool")
}

/// A call of the first tool, if the model calls tools.
pub fn tool_calls(run: &Run) -> Delta {
    let first = run.call.tools.first();
    let name = first.and_then(|tool| tool.pointer("/function/name")?.as_str());
    let Some(name) = name.filter(|_| run.model.voice == AnswerStyle::Thinker && wants_tool(run))
    else {
        return Delta::default();
    };
    let schema = first.and_then(|tool| tool.pointer("/function/parameters"));
    let arguments = schema.map_or_else(|| json!({}), |schema| sample(schema, 0));
    let mut function = Map::new();
    function.insert("index".to_owned(), json!(0));
    function.insert("name".to_owned(), json!(name));
    function.insert("arguments".to_owned(), arguments);
    let mut call = Map::new();
    call.insert("id".to_owned(), json!("call_standin"));
    call.insert("function".to_owned(), Value::Object(function));
    Delta {
        tool_calls: Some(json!([call])),
        ..Delta::default()
    }
}

fn cut(tokenizer: &Tokenizer, text: &str) -> impl Iterator<Item = String> + Send + Sync + use<> {
    let all: Vec<String> = tokenizer.cut(text).map(str::to_owned).collect();
    all.into_iter()
}

/// Random words, the same for the same seed.
fn random_words(seed: u64) -> impl Iterator<Item = String> + Send + Sync {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        word(state >> 33).to_owned()
    })
}

fn seed(run: &Run) -> u64 {
    let start = run.options.seed.unsigned_abs();
    let ids = run.prompt.ids.iter();
    ids.fold(start, |hash, id| {
        hash.wrapping_mul(31).wrapping_add(u64::from(*id))
    })
}

/// A sample value of this JSON schema, or an object for `"json"`.
fn sample(schema: &Value, depth: u32) -> Value {
    if let Some(first) = schema.get("enum").and_then(|e| e.get(0)) {
        return first.clone();
    }
    let kind = schema.get("type");
    let kind = kind.and_then(|k| k.as_str().or_else(|| k.get(0)?.as_str()));
    match kind {
        _ if depth > 8 => Value::Null,
        Some("string") => json!("side we will"),
        Some("integer") => json!(42),
        Some("number") => json!(4.5),
        Some("boolean") => json!(true),
        Some("array") => {
            let item = schema.get("items").unwrap_or(&Value::Null);
            json!([sample(item, depth + 1)])
        }
        _ => match schema.get("properties").and_then(Value::as_object) {
            Some(properties) => properties
                .iter()
                .map(|(name, inner)| (name.clone(), sample(inner, depth + 1)))
                .collect(),
            None if schema.is_string() => json!({"answer": "side we will as"}),
            None => json!({}),
        },
    }
}
