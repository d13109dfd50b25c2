//! The words of an error, in whatever form an engine sends it.

use super::reader::parse_text;
use sash_wire::Fault;
use serde_json::Value;

/// The longest words of an error that are passed on, in characters.
const MAX_REASON_CHARS: usize = 2000;

/// The fields of an error that have its words.
const WORDS: [&str; 6] = ["message", "msg", "detail", "error", "text", "reason"];

/// The words of an error: of a text the text, of an object its message, of a list those of each entry. An entry of FastAPI
/// is its field and what is wrong with that. Other JSON is shown as it is, and of an error without words there are none.
#[must_use]
pub fn error_words(error: &Value) -> String {
    match words(error) {
        Some(words) => words,
        None if is_empty(error) => String::new(),
        None => error.to_string(),
    }
}

/// The words of an error as far as they are passed on.
#[must_use]
pub fn reason_of(words: &str) -> String {
    words.chars().take(MAX_REASON_CHARS).collect()
}

/// The fault of an error in which llama.cpp tells both numbers of a request that does not fit.
#[must_use]
pub fn context_overflow(error: &Value) -> Option<Fault> {
    let number = |key: &str| error.get(key).and_then(Value::as_u64);
    Some(Fault::ContextOverflow {
        prompt_tokens: number("n_prompt_tokens")?,
        context_tokens: number("n_ctx")?,
    })
}

/// Whether a value says nothing.
#[must_use]
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

fn words(error: &Value) -> Option<String> {
    match error {
        Value::String(text) => {
            let inner = Some(text).filter(|text| text.trim_start().starts_with('{'));
            let inner = inner.and_then(|text| words(&parse_text(text)?));
            Some(inner.unwrap_or_else(|| text.trim().to_owned())).filter(|text| !text.is_empty())
        }
        Value::Array(errors) => {
            let all: Vec<String> = errors.iter().filter_map(words).collect();
            Some(all.join("; ")).filter(|all| !all.is_empty())
        }
        Value::Object(_) => {
            let said = WORDS.iter().find_map(|key| words(&error[*key]))?;
            Some(match field(&error["loc"]) {
                Some(field) => format!("{field}: {said}"),
                None => said,
            })
        }
        _ => None,
    }
}

/// The path of a field in the request, without its first step, the body.
fn field(path: &Value) -> Option<String> {
    let steps = path.as_array()?.iter().enumerate();
    let steps = steps.filter_map(|(at, step)| match step {
        Value::String(step) => (at > 0 || step != "body").then(|| step.clone()),
        Value::Number(step) => Some(step.to_string()),
        _ => None,
    });
    let steps: Vec<String> = steps.collect();
    (!steps.is_empty()).then(|| steps.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_error_is_its_words_in_every_form() {
        for (error, words) in [
            (json!("boom"), "boom"),
            (json!({"message":"boom","type":"x","code":5}), "boom"),
            (json!({"text":"boom"}), "boom"),
            (json!({"error":{"error":{"message":"boom"}}}), "boom"),
            (json!("{\"error\":{\"message\":\"boom\"}}"), "boom"),
            (json!("{oops"), "{oops"),
            (json!(["a", {"message":"b"}]), "a; b"),
            (json!({"code":5}), "{\"code\":5}"),
            (json!(null), ""),
            (json!({}), ""),
            (json!(" "), ""),
            (json!({"message":null,"detail":"boom"}), "boom"),
        ] {
            assert_eq!(error_words(&error), words, "{error}");
        }
    }

    /// Regression: the list of FastAPI was shown as JSON.
    #[test]
    fn a_list_of_fields_names_each_and_what_is_wrong() {
        for (error, words) in [
            (
                json!([{"type":"missing","loc":["body","messages",0,"content"],"msg":"Field required","input":{}}]),
                "messages.0.content: Field required",
            ),
            (
                json!({"detail":[{"loc":["body","top_p"],"msg":"too large"},{"loc":["body","n"],"msg":"not a number"}]}),
                "top_p: too large; n: not a number",
            ),
            (
                json!([{"loc":["query","key"],"msg":"Field required"}]),
                "query.key: Field required",
            ),
            (
                json!([{"loc":["body"],"msg":"Field required"}]),
                "Field required",
            ),
            (json!([{"loc":["body","body"],"msg":"bad"}]), "body: bad"),
            (json!([{"msg":"bad"}]), "bad"),
        ] {
            assert_eq!(error_words(&error), words, "{error}");
        }
    }
}
