//! The models of a `llama-server`: load, unload and delete those of a router, download one, and tell the
//! template of one. Nothing here loads a model but what says so.

mod download;
mod event;
mod followers;

pub use download::registry_of;
pub use followers::Followers;

use reqwest::Method;
use sash_server::engine::http::{DOCUMENT_TIME, RequestFailure};
use sash_server::engine::reader::MAX_VALUES;
use sash_server::openai::{LOOK_TIME, ModelStatus, OpenAi};
use sash_wire::{Fault, ModelDetails};
use serde_json::{Value, json};
use std::time::Duration;

/// The pause between two looks at the state of a model that is loading or unloading.
const STATUS_PAUSE: Duration = Duration::from_millis(300);
/// How long a router may take to end the process of a model: it kills it after ten seconds.
const UNLOAD_TIME: Duration = Duration::from_secs(15);

/// A `llama-server` as what it can do with its models.
#[derive(Clone, Debug)]
pub struct LlamaRouter(pub OpenAi);

impl LlamaRouter {
    /// Sends a request about one model of the router.
    async fn act(&self, method: Method, path: &str, model: &str) -> Result<(), RequestFailure> {
        let request = self.0.http().request(method.clone(), path);
        let request = match method {
            Method::DELETE => request.query(&[("model", model)]),
            _ => request.json(&json!({ "model": model })),
        };
        let reply = self.0.http().document(request, DOCUMENT_TIME, MAX_VALUES);
        reply.await.map(drop)
    }

    /// Loads a model and returns once it is in memory. One that is loaded, or sleeps, is there.
    ///
    /// # Errors
    /// [`Fault::EngineModelNotFound`], [`Fault::EngineRefused`] if it does not load, and that the engine does not answer.
    pub async fn load(&self, model: &str) -> Result<(), Fault> {
        match self.act(Method::POST, "/models/load", model).await {
            Err(RequestFailure::Refused(reply)) if reply.text.contains("already running") => {}
            sent => sent.map_err(|failure| self.0.fault(failure, model))?,
        }
        loop {
            match self.0.status_of(model, LOOK_TIME).await? {
                Some(ModelStatus::Loading) => tokio::time::sleep(STATUS_PAUSE).await,
                Some(status) if status.is_running() => return Ok(()),
                Some(ModelStatus::Failed) => {
                    return Err(self
                        .0
                        .refused("the model did not load; the engine's log says why"));
                }
                Some(_) => return Err(self.0.refused("the model was unloaded meanwhile")),
                None => {
                    let engine = self.0.name().to_owned();
                    let model = model.to_owned();
                    return Err(Fault::EngineModelNotFound { engine, model });
                }
            }
        }
    }

    /// Unloads a model, which ends what it is answering, and returns once its memory is free. A load or a download of it
    /// ends.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub async fn unload(&self, model: &str) -> Result<(), Fault> {
        match self.act(Method::POST, "/models/unload", model).await {
            Err(RequestFailure::Refused(reply)) if reply.text.contains("is not running") => {
                return Ok(());
            }
            sent => sent.map_err(|failure| self.0.fault(failure, model))?,
        }
        let ended = async {
            while self
                .0
                .status_of(model, LOOK_TIME)
                .await?
                .is_some_and(|status| status.is_running() || status == ModelStatus::Loading)
            {
                tokio::time::sleep(STATUS_PAUSE).await;
            }
            Ok(())
        };
        let ended = tokio::time::timeout(UNLOAD_TIME, ended).await;
        ended.unwrap_or_else(|_| Err(self.0.refused("the model is still in memory")))
    }

    /// Deletes a model from the router's cache.
    ///
    /// # Errors
    /// [`Fault::EngineRefused`] for a model that is somewhere else, and as [`Self::load`].
    pub async fn delete(&self, model: &str) -> Result<(), Fault> {
        let deleted = self.act(Method::DELETE, "/models", model).await;
        deleted.map_err(|failure| match self.0.fault(failure, model) {
            Fault::ModelFailed { reason } => self.0.refused(&reason),
            fault => fault,
        })
    }

    /// The chat template of a model that is in memory.
    ///
    /// # Errors
    /// [`Fault::EngineRefused`] for another model of a router, and that the engine does not answer.
    pub async fn details(&self, model: &str) -> Result<ModelDetails, Fault> {
        let props = self.0.props(model).await.map_err(|fault| match fault {
            Fault::EngineModelNotLoaded { .. } => self
                .0
                .refused("it tells the template of a model that is in memory; load it first"),
            fault => fault,
        })?;
        let template = props.get("chat_template").and_then(Value::as_str);
        Ok(ModelDetails {
            template: template.unwrap_or_default().to_owned(),
            ..ModelDetails::default()
        })
    }
}
