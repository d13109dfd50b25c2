//! Values of an exchange that are compared, and those that cannot be equal.

use super::json::Json;

/// The comparison rules of one exchange.
pub struct Rules {
    /// Whether the texts must equal the recorded ones.
    words: bool,
    /// The exchange's name; in some exchanges the stand-in counts prompt tokens as the recorded
    /// model did.
    name: String,
}

impl Rules {
    /// The rules for an exchange.
    pub fn of(name: &str) -> Self {
        // Scripted texts and the endlessly repeated word are the same in both, and so is their
        // number.
        let words = name.starts_with("runner-") && name != "runner-killed-nostream"
            || name.starts_with("repeat-abort")
            || name == "chat-load";
        Self {
            words,
            name: name.to_owned(),
        }
    }

    /// The chunks in normalized form. Equal neighbours are merged, unless texts are compared.
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
                    // Whether the first line of a layer has this key depends on timing.
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

    /// A placeholder for a value that cannot be equal; its format is checked.
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

    /// For a list of models: the distinct shapes of its entries, without names.
    fn model_kinds(&self, json: &Json) -> String {
        let list = json.get("models").or_else(|| json.get("data"));
        let Some(Json::Array(models)) = list else {
            return "no list".to_owned();
        };
        let mut kinds: Vec<String> = models
            .iter()
            .map(|model| {
                let text = model.to_string();
                // In tags, models are compared by name; the other lists contain any few models.
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

/// Whether a text is a quoted RFC 3339 time with up to nine fractional digits and no trailing
/// zeros.
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

/// Replaces digests: 64 consecutive hexadecimal digits, anywhere in the text.
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
