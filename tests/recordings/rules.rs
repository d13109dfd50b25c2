//! What counts in one exchange, and what cannot be equal.

use crate::json::Json;

/// What counts in one exchange.
pub struct Rules {
    /// The words are the recorded ones.
    words: bool,
    /// Prompt tokens are counted as the recorded model counted them.
    name: String,
}

impl Rules {
    /// The rules for an exchange.
    pub fn of(name: &str) -> Self {
        // Scripted words, and the word that is said for ever, are the same; and so is their number.
        let words = name.starts_with("runner-") && name != "runner-killed-nostream"
            || name.starts_with("repeat-abort")
            || name == "chat-load";
        Self {
            words,
            name: name.to_owned(),
        }
    }

    /// The chunks, made comparable. Neighbours that are equal then are one, unless words count.
    pub fn all(&self, chunks: &[String], out: &mut Vec<String>) -> Vec<String> {
        let mut lines: Vec<String> = chunks.iter().map(|chunk| self.chunk(chunk, out)).collect();
        if !self.words {
            lines.dedup();
        }
        lines
    }

    fn chunk(&self, chunk: &str, out: &mut Vec<String>) -> String {
        let line = chunk.strip_suffix('\n').unwrap_or(chunk);
        let end = &chunk[line.len()..];
        let Some(json) = Json::read(line) else {
            return chunk.to_owned();
        };
        let json = self.value("", json, out);
        let mut text = json.to_string();
        if ["tags-GET", "ps", "v1-models"].contains(&self.name.as_str()) {
            text = self.model_kinds(&json);
        }
        format!("{text}{end:?}")
    }

    fn value(&self, key: &str, value: Json, out: &mut Vec<String>) -> Json {
        if let Some(mark) = self.unlike(key, &value, out) {
            return Json::Plain(mark.to_owned());
        }
        match value {
            Json::Object(fields) => Json::Object(
                fields
                    .into_iter()
                    // Whether the first line of a layer has it is a matter of time.
                    .filter(|(key, _)| key != "completed")
                    .map(|(key, inner)| {
                        let inner = self.value(&key, inner, out);
                        (key, inner)
                    })
                    .collect(),
            ),
            Json::Array(items) => Json::Array(
                items
                    .into_iter()
                    .map(|inner| self.value(key, inner, out))
                    .collect(),
            ),
            Json::Plain(text) => Json::Plain(without_digests(&text)),
        }
    }

    /// The mark in the place of a value that cannot be equal; its form is checked.
    fn unlike(&self, key: &str, value: &Json, out: &mut Vec<String>) -> Option<&'static str> {
        let mut check = |good: bool, mark| {
            if !good {
                out.push(format!("{key} has a wrong form: {value}"));
            }
            Some(mark)
        };
        let plain = match value {
            Json::Plain(text) => text.as_str(),
            _ => "",
        };
        let number = plain.parse::<u64>().is_ok_and(|n| n > 0);
        match key {
            "created_at" => check(is_time(plain) && plain.ends_with("Z\""), "TIME"),
            "modified_at" | "expires_at" => check(is_time(plain), "TIME"),
            key if key.ends_with("_duration") => check(number, "DURATION"),
            "eval_count" if !self.words => check(number, "COUNT"),
            "created" => check(number, "NUMBER"),
            "size" => check(number, "NUMBER"),
            "digest" if plain.len() == 66 => check(is_hex(plain), "DIGEST"),
            "context" => check(matches!(value, Json::Array(_)), "TOKENS"),
            "logprob" => check(plain.parse::<f64>().is_ok(), "LOGPROB"),
            "bytes" => check(matches!(value, Json::Array(_)), "BYTES"),
            "content" | "response" | "token" if !self.words && plain != "\"\"" => {
                check(plain.starts_with('"'), "WORDS")
            }
            _ if self.name == "embed" && plain.contains('.') => {
                check(plain.parse::<f64>().is_ok(), "FLOAT")
            }
            _ => None,
        }
    }

    /// In a list of models, the distinct forms of its entries, without names.
    fn model_kinds(&self, json: &Json) -> String {
        let list = json.get("models").or_else(|| json.get("data"));
        let Some(Json::Array(models)) = list else {
            return "no list".to_owned();
        };
        let mut kinds: Vec<String> = models
            .iter()
            .map(|model| {
                let text = model.to_string();
                // In tags every model is compared with its namesake; the others are lists of any few.
                let keep = self.name == "tags-GET";
                if keep {
                    text
                } else {
                    without_names(&text, model)
                }
            })
            .collect();
        kinds.sort();
        kinds.dedup();
        kinds.join("\n")
    }
}

fn without_names(text: &str, model: &Json) -> String {
    ["name", "model", "id"]
        .iter()
        .fold(text.to_owned(), |text, key| match model.get(key) {
            Some(Json::Plain(name)) => text.replace(name.as_str(), "NAME"),
            _ => text,
        })
}

/// RFC 3339 in quotes, up to nine fractional digits, trailing zeros cut.
fn is_time(text: &str) -> bool {
    let text = text.trim_matches('"');
    let Some((seconds, rest)) = text.split_at_checked(19) else {
        return false;
    };
    let shape: String = seconds
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    let fraction = rest.strip_prefix('.').unwrap_or("");
    let digits: String = fraction.chars().take_while(char::is_ascii_digit).collect();
    shape == "0000-00-00T00:00:00" && digits.len() <= 9 && !digits.ends_with('0')
}

fn is_hex(text: &str) -> bool {
    text.trim_matches('"')
        .chars()
        .all(|c| c.is_ascii_hexdigit())
}

/// 64 hexadecimal digits in a row, wherever they stand, are a digest.
fn without_digests(text: &str) -> String {
    let mut out = String::new();
    let mut run = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_hexdigit() {
            run.push(c);
            continue;
        }
        if run.len() == 64 && !run.chars().all(|c| c == '0') {
            out.push_str("DIGEST");
        } else {
            out.push_str(&run);
        }
        run.clear();
        if c != '\0' {
            out.push(c);
        }
    }
    out
}
