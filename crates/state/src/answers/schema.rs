//! Checking a schema that a person wrote.

use super::Answers;
use sash_wire::{Fault, FormatCheck};
use serde_json::{Map, Value};

/// Checks that a text is a JSON schema, and returns it.
///
/// # Errors
/// A sentence that says what is wrong, or that the server could not check it.
pub async fn check_schema(answers: &Answers, text: &str) -> Result<Map<String, Value>, String> {
    let schema: Map<String, Value> = serde_json::from_str(text)
        .map_err(|error| format!("This is not a JSON object: {error}."))?;
    let request = FormatCheck {
        schema: Value::Object(schema.clone()),
        answer: None,
    };
    let checked = answers
        .edges
        .with_transport(|server| server.check_format(request));
    match checked.await {
        Ok(_) => Ok(schema),
        Err(Fault::InvalidField { reason, .. }) => {
            Err(format!("This is not a JSON schema: {reason}."))
        }
        Err(fault) => Err(format!("The schema could not be checked. {fault}")),
    }
}
