//! The prompt after a model's template, of a `llama-server`.

use super::{OpenAi, body};
use crate::engine::reader::MAX_VALUES;
use reqwest::Method;
use sash_wire::{ChatRequest, Fault, Rendered};
use serde_json::Value;
use std::time::Duration;

impl OpenAi {
    /// The prompt after the model's template. A router loads the model for it, so this may take as long as the first byte
    /// of an answer.
    ///
    /// # Errors
    /// Those of a prompt, and [`Fault::CannotRender`].
    pub async fn render(&self, request: &ChatRequest, limit: Duration) -> Result<Rendered, Fault> {
        let body = body::chat(request, &self.info.name)?;
        let sent = self
            .http
            .request(Method::POST, "/apply-template")
            .json(&body);
        let reply = self.http.document(sent, limit, MAX_VALUES).await;
        let reply = reply.map_err(|failure| self.fault(failure, &request.model))?;
        let prompt = reply.get("prompt").and_then(Value::as_str);
        let images = request
            .messages()
            .iter()
            .map(|message| message.images.len())
            .sum();
        Ok(Rendered {
            prompt: prompt.ok_or(Fault::CannotRender)?.to_owned(),
            images,
        })
    }
}
