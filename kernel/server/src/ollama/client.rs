//! The calls to one Ollama.

use super::refusal::{self, OllamaRequestContext};
use super::reply::{items, text};
use crate::engine::http::{DOCUMENT_TIME, EngineHttp, RequestFailure};
use crate::engine::reader::MAX_VALUES;
use crate::engine::{Address, EngineLabel};
use reqwest::Method;
use sash_wire::{EngineReach, Fault};
use serde_json::Value;
use std::time::Duration;

/// The most numbers of a vector. The largest models have 4,096.
const MAX_DIMENSIONS: usize = 8_192;

/// A client of one Ollama.
#[derive(Clone, Debug)]
pub struct Ollama(EngineHttp);

impl Ollama {
    /// A client of the Ollama at this address. Does not connect yet.
    ///
    /// # Errors
    /// If the TLS library cannot be set up.
    pub fn new(address: Address) -> Result<Self, reqwest::Error> {
        let label = EngineLabel::Ollama(address.base().to_owned());
        Ok(Self(EngineHttp::new(address, None, label)?))
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> &Address {
        self.0.address()
    }

    /// How it is reached, by what listens at its address now.
    pub async fn reach(&self) -> EngineReach {
        self.0.reach().await
    }

    /// How its faults name it.
    #[must_use]
    pub fn label(&self) -> &EngineLabel {
        self.0.label()
    }

    /// Requests a stream (`/api/chat`, `/api/pull`) and returns once Ollama has sent the headers, which it
    /// does with the first token.
    ///
    /// # Errors
    /// The [`Fault`] for a refusal, for an unreachable Ollama, and for a server that is not Ollama.
    pub async fn stream(
        &self,
        path: &'static str,
        body: &Value,
        model: &str,
    ) -> Result<reqwest::Response, Fault> {
        let request = self.0.request(Method::POST, path).json(body);
        let sent = self.0.stream(request, "json").await;
        sent.map_err(|failure| self.fault(failure, model))
    }

    /// Requests one JSON document.
    ///
    /// # Errors
    /// As [`Self::stream`], and if it does not arrive within the limit.
    pub async fn get(&self, path: &'static str, limit: Duration) -> Result<Value, Fault> {
        let request = self.0.request(Method::GET, path);
        let document = self.0.document(request, limit, MAX_VALUES).await;
        document.map_err(|failure| self.fault(failure, ""))
    }

    /// Requests the details of a model.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn show(&self, model: &str) -> Result<Value, Fault> {
        let body = serde_json::json!({ "model": model });
        self.post("/api/show", &body, model, DOCUMENT_TIME, MAX_VALUES)
            .await
    }

    /// Deletes a model. Ollama answers with an empty body.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn delete(&self, model: &str) -> Result<(), Fault> {
        let body = serde_json::json!({ "model": model });
        let request = self.0.request(Method::DELETE, "/api/delete").json(&body);
        let done = self.0.done(request).await;
        done.map_err(|failure| self.fault(failure, model))
    }

    /// Requests `/api/chat` as one document, not a stream.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn chat_once(
        &self,
        body: &Value,
        model: &str,
        limit: Duration,
    ) -> Result<Value, Fault> {
        self.post("/api/chat", body, model, limit, MAX_VALUES).await
    }

    /// Requests the vectors of so many texts.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn embed(
        &self,
        body: &Value,
        model: &str,
        texts: usize,
        limit: Duration,
    ) -> Result<Value, Fault> {
        let most = MAX_VALUES + texts * MAX_DIMENSIONS;
        self.post("/api/embed", body, model, limit, most).await
    }

    /// The list of models in Ollama's form.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn tags(&self) -> Result<Value, Fault> {
        self.get("/api/tags", DOCUMENT_TIME).await
    }

    /// Checks that a model is installed.
    ///
    /// # Errors
    /// [`Fault::ModelNotFound`] if it is not, and those of [`Self::get`].
    pub async fn require_listed(&self, model: &str) -> Result<(), Fault> {
        let tags = self.tags().await?;
        let is_model = |name: &str| {
            name.eq_ignore_ascii_case(model)
                || name.eq_ignore_ascii_case(&format!("{model}:latest"))
        };
        let listed = items(&tags, "models").any(|m| is_model(&text(m, "name")));
        listed.then_some(()).ok_or_else(|| Fault::ModelNotFound {
            model: model.to_owned(),
        })
    }

    async fn post(
        &self,
        path: &'static str,
        body: &Value,
        model: &str,
        limit: Duration,
        max_values: usize,
    ) -> Result<Value, Fault> {
        let request = self.0.request(Method::POST, path).json(body);
        let document = self.0.document(request, limit, max_values).await;
        document.map_err(|failure| self.fault(failure, model))
    }

    fn fault(&self, failure: RequestFailure, model: &str) -> Fault {
        let reply = match failure {
            RequestFailure::Fault(fault) => return fault,
            RequestFailure::Refused(reply) => reply,
        };
        let address = self.address().base();
        let asked = OllamaRequestContext { model, address };
        refusal::from_reply(&reply, &asked)
    }
}
