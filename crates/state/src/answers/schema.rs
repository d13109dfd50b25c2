//! Checking a schema that a person wrote, and an answer against the one that was asked for.

use super::Answers;
use sash_chat::Id;
use sash_wire::{Fault, FormatCheck};
use serde_json::{Map, Value};

impl Answers {
    /// Checks that a text is a JSON schema, and returns it.
    ///
    /// # Errors
    /// A sentence that says what is wrong, or that the server could not check it.
    pub async fn check_schema(self, text: &str) -> Result<Map<String, Value>, String> {
        let schema: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| format!("This is not a JSON object: {error}."))?;
        let request = FormatCheck {
            schema: Value::Object(schema.clone()),
            answer: None,
        };
        let checked = self
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

    /// Notes in the receipt of a running answer where the answer does not fit its schema. An answer
    /// that cannot be checked has no note.
    pub(super) async fn check_format(self, id: Id, schema: Value) {
        let text = self
            .running
            .with(id, |running| running.message.content.clone());
        let Some(answer) = text.filter(|text| !text.is_empty()) else {
            return;
        };
        let request = FormatCheck {
            schema,
            answer: Some(answer),
        };
        let checked = self
            .edges
            .with_transport(|server| server.check_format(request));
        if let Ok(report) = checked.await {
            self.running.with(id, |running| {
                if let Some(receipt) = &mut running.message.receipt {
                    receipt.misfits = Some(report.misfits);
                }
            });
        }
    }
}
