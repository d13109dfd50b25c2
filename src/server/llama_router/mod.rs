//! What a `llama-server` can do besides answering: load, unload and delete the models of a router, tell the template of a
//! model, and the text after it. Nothing here loads a model but what says so.

use super::model_status::ModelStatus;
use super::router_event::RouterEvent;
use super::{LOOK_TIME, OpenAi, body, list};
use crate::server::engine::http::{DOCUMENT_TIME, RequestFailure};
use crate::server::engine::reader::MAX_VALUES;
use reqwest::Method;
use sash_wire::{ChatRequest, Fault, LineDecoder, LoadingModel, ModelDetails, Rendered};
use serde_json::{Value, json};
use std::time::Duration;

/// The pause between two looks at the state of a model that is loading or unloading.
const STATUS_PAUSE: Duration = Duration::from_millis(300);
/// How long a router may take to end the process of a model: it kills it after ten seconds.
const UNLOAD_TIME: Duration = Duration::from_secs(15);
/// How long the events are read that say how far models are loaded.
const EVENTS_TIME: Duration = Duration::from_secs(1);

impl OpenAi {
    /// Sends a request about one model of the router.
    async fn act(&self, method: Method, path: &str, model: &str) -> Result<(), RequestFailure> {
        let request = self.http.request(method.clone(), path);
        let request = match method {
            Method::DELETE => request.query(&[("model", model)]),
            _ => request.json(&json!({ "model": model })),
        };
        let reply = self.http.document(request, DOCUMENT_TIME, MAX_VALUES);
        reply.await.map(drop)
    }

    /// The state of a model; `None` for one that is not listed.
    async fn status_of(&self, model: &str) -> Result<Option<ModelStatus>, Fault> {
        let listed = self.get_list(LOOK_TIME).await?;
        Ok(list::entry(&listed, model).and_then(ModelStatus::of))
    }

    /// Loads a model and returns once it is in memory. One that is loaded, or sleeps, is there.
    ///
    /// # Errors
    /// [`Fault::EngineModelNotFound`], [`Fault::EngineRefused`] if it does not load, and that the engine does not answer.
    pub async fn load(&self, model: &str) -> Result<(), Fault> {
        match self.act(Method::POST, "/models/load", model).await {
            Err(RequestFailure::Refused(reply)) if reply.text.contains("already running") => {}
            sent => sent.map_err(|failure| self.fault(failure, model))?,
        }
        loop {
            match self.status_of(model).await? {
                Some(ModelStatus::Loading) => tokio::time::sleep(STATUS_PAUSE).await,
                Some(status) if status.is_running() => return Ok(()),
                Some(ModelStatus::Failed) => {
                    return Err(self.refused("the model did not load; the engine's log says why"));
                }
                Some(_) => return Err(self.refused("the model was unloaded meanwhile")),
                None => {
                    let engine = self.info.name.clone();
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
            sent => sent.map_err(|failure| self.fault(failure, model))?,
        }
        let ended = async {
            while self
                .status_of(model)
                .await?
                .is_some_and(|status| status.is_running() || status == ModelStatus::Loading)
            {
                tokio::time::sleep(STATUS_PAUSE).await;
            }
            Ok(())
        };
        let ended = tokio::time::timeout(UNLOAD_TIME, ended).await;
        ended.unwrap_or_else(|_| Err(self.refused("the model is still in memory")))
    }

    /// Deletes a model from the router's cache.
    ///
    /// # Errors
    /// [`Fault::EngineRefused`] for a model that is somewhere else, and as [`Self::load`].
    pub async fn delete(&self, model: &str) -> Result<(), Fault> {
        let deleted = self.act(Method::DELETE, "/models", model).await;
        deleted.map_err(|failure| match self.fault(failure, model) {
            Fault::ModelFailed { reason } => self.refused(&reason),
            fault => fault,
        })
    }

    /// The chat template of a model that is in memory.
    ///
    /// # Errors
    /// [`Fault::EngineRefused`] for another model of a router, and that the engine does not answer.
    pub async fn details(&self, model: &str) -> Result<ModelDetails, Fault> {
        let props = self.props(model).await.map_err(|fault| match fault {
            Fault::EngineModelNotLoaded { .. } => {
                self.refused("it tells the template of a model that is in memory; load it first")
            }
            fault => fault,
        })?;
        let template = props.get("chat_template").and_then(Value::as_str);
        Ok(ModelDetails {
            template: template.unwrap_or_default().to_owned(),
            ..ModelDetails::default()
        })
    }

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

    /// How far the models are that a router is loading, as far as it says so at once: the events come as the load goes
    /// on, and none of them is kept.
    pub(super) async fn loading(&self, names: Vec<String>) -> Vec<LoadingModel> {
        let mut loading: Vec<LoadingModel> = names
            .into_iter()
            .map(|name| LoadingModel {
                name,
                percent: None,
            })
            .collect();
        if loading.is_empty() {
            return loading;
        }
        // What was read until the time is over is kept.
        let read = self.read_loading(&mut loading);
        tokio::time::timeout(EVENTS_TIME, read).await.ok();
        loading
    }

    /// Reads events until each of the models has one.
    async fn read_loading(&self, loading: &mut [LoadingModel]) {
        let request = self.http.request(Method::GET, "/models/sse");
        let Ok(mut events) = self.http.stream(request, "event-stream").await else {
            return;
        };
        let mut decoder = LineDecoder::default();
        while let Ok(Some(bytes)) = events.chunk().await {
            decoder.push(&bytes);
            while let Ok(Some(line)) = decoder.next_line() {
                let Some(event) = self.event(line) else {
                    continue;
                };
                if let Some((name, RouterEvent::Loading(percent))) = RouterEvent::read(&event) {
                    let mut known = loading.iter_mut();
                    if let Some(model) = known.find(|model| model.name == name) {
                        model.percent = Some(percent);
                    }
                }
            }
            if loading.iter().all(|model| model.percent.is_some()) {
                return;
            }
        }
    }

    /// The event of a line of `/models/sse`.
    pub(super) fn event(&self, line: &[u8]) -> Option<Value> {
        let data = line.strip_prefix(b"data:")?;
        self.http.reader().object(data.trim_ascii_start()).ok()
    }

    /// A refusal in words of ours.
    pub(super) fn refused(&self, reason: &str) -> Fault {
        Fault::EngineRefused {
            engine: self.info.name.clone(),
            reason: reason.to_owned(),
        }
    }
}
