//! Checks JSON schemas, and answers against them.

use jsonschema::PatternOptions;
use sash_wire::{Fault, FormatCheck, FormatReport};
use serde_json::Value;

/// The most misfits that are reported: the first ones tell what is wrong.
const MAX_MISFITS: usize = 5;
/// The longest line of a report, in characters: it may quote the answer.
const MAX_MISFIT_CHARS: usize = 200;
/// The longest answer that is checked, in bytes.
const MAX_ANSWER_BYTES: usize = 1_000_000;

/// Checks a schema, and an answer against it, on a thread of its own.
///
/// # Errors
/// [`Fault::InvalidField`] for a schema that is none.
pub async fn check(request: FormatCheck) -> Result<FormatReport, Fault> {
    let checked = tokio::task::spawn_blocking(move || check_now(&request));
    checked.await.map_err(|error| {
        tracing::error!(%error, "the check of a format ended early");
        Fault::Internal
    })?
}

fn check_now(request: &FormatCheck) -> Result<FormatReport, Fault> {
    let refused = |reason: String| Fault::InvalidField {
        field: "schema".to_owned(),
        reason: shortened(&reason),
    };
    if !request.schema.is_object() {
        return Err(refused("it must be a JSON object".to_owned()));
    }
    // This engine's time grows with the text and not faster, whatever the pattern.
    let validator = jsonschema::options()
        .with_pattern_options(PatternOptions::regex())
        .build(&request.schema)
        .map_err(|error| refused(error.to_string()))?;
    let Some(answer) = &request.answer else {
        return Ok(FormatReport::default());
    };
    if answer.len() > MAX_ANSWER_BYTES {
        let misfits = vec!["It is too long to be checked.".to_owned()];
        return Ok(FormatReport { misfits });
    }
    let misfits = match serde_json::from_str::<Value>(answer) {
        Ok(value) => validator
            .iter_errors(&value)
            .take(MAX_MISFITS)
            .map(|error| match error.instance_path().to_string() {
                path if path.is_empty() => shortened(&error.to_string()),
                path => shortened(&format!("{path}: {error}")),
            })
            .collect(),
        Err(error) => vec![format!("It is not complete JSON: {error}")],
    };
    Ok(FormatReport { misfits })
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_MISFIT_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn misfits(schema: Value, answer: &str) -> Vec<String> {
        let answer = Some(answer.to_owned());
        check_now(&FormatCheck { schema, answer }).unwrap().misfits
    }

    #[test]
    fn an_answer_that_fits_has_no_misfit() {
        let schema = json!({"type":"object","properties":{"age":{"type":"integer","minimum":0}},"required":["age"]});
        assert_eq!(misfits(schema, r#"{"age": 4}"#), Vec::<String>::new());
    }

    #[test]
    fn a_misfit_names_its_place() {
        let schema = json!({"type":"object","properties":{"age":{"type":"integer","minimum":0}},"required":["age","name"]});
        let found = misfits(schema, r#"{"age": -3}"#);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found.iter().any(|line| line.starts_with("/age: -3 ")),
            "{found:?}"
        );
        assert!(
            found.iter().any(|line| line.contains("\"name\"")),
            "{found:?}"
        );
    }

    #[test]
    fn half_an_answer_is_said_to_be_incomplete() {
        let found = misfits(json!({}), r#"{"age": 4, "#);
        assert!(found[0].starts_with("It is not complete JSON"), "{found:?}");
    }

    #[test]
    fn what_is_no_schema_is_refused() {
        for schema in [
            json!([]),
            json!("json"),
            json!({"type":"number?"}),
            json!({"properties":3}),
        ] {
            let refused = check_now(&FormatCheck {
                schema: schema.clone(),
                answer: None,
            });
            assert!(
                matches!(refused, Err(Fault::InvalidField { .. })),
                "{schema}"
            );
        }
        assert!(
            check_now(&FormatCheck {
                schema: json!({}),
                answer: None
            })
            .is_ok()
        );
    }

    #[test]
    fn a_reference_to_elsewhere_is_refused_and_not_fetched() {
        for place in ["http://127.0.0.1:9/schema.json", "file:///etc/passwd"] {
            let schema = json!({"$ref": place});
            let refused = check_now(&FormatCheck {
                schema,
                answer: None,
            });
            assert!(
                matches!(refused, Err(Fault::InvalidField { .. })),
                "{place}"
            );
        }
    }

    #[test]
    fn many_misfits_and_long_ones_make_a_short_report() {
        let long = "x".repeat(5000);
        let answer = serde_json::to_string(&vec![long; 100]).unwrap();
        let found = misfits(json!({"items":{"type":"integer"}}), &answer);
        assert_eq!(found.len(), MAX_MISFITS);
        assert!(
            found
                .iter()
                .all(|line| line.chars().count() <= MAX_MISFIT_CHARS + 1)
        );
    }

    /// A backtracking engine would need longer than the age of the universe.
    #[test]
    fn a_hostile_pattern_costs_no_more_than_the_text() {
        let schema = json!({"type":"string","pattern":"^(a+)+$"});
        let answer = format!("\"{}!\"", "a".repeat(50_000));
        assert_eq!(misfits(schema, &answer).len(), 1);
    }
}
