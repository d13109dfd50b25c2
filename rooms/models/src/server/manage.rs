//! One installed model: its details, loading, unloading, deletion.

use super::llama_router::LlamaRouter;
use crate::{LoadRequest, ModelFault, ModelRequest};
use sash_server::app::App;
use sash_server::engine::Engine;
use sash_server::engines::ModelManager;
use sash_server::ollama::reply::{text, texts};
use sash_server::ollama::{Ollama, SHIFT};
use sash_wire::{EngineAction, Fault, ModelDetails};
use serde_json::{Value, json};

/// The texts of a model.
///
/// # Errors
/// Those of [`App::manager_of`], [`Fault::ModelNotFound`], and that Ollama does not answer.
pub async fn show(app: &App, request: ModelRequest) -> Result<ModelDetails, Fault> {
    match manager(app, &request, EngineAction::Details).await? {
        ModelManager::Ollama(ollama) => Ok(details(&ollama.show(&request.model).await?)),
        ModelManager::LlamaServer(engine) => LlamaRouter(engine).details(&request.model).await,
    }
}

/// Loads a model, of Ollama with a chat request without messages, and returns once it is in memory. That counts as an
/// answer and may take as long as the first byte of one.
///
/// # Errors
/// As [`show`]; [`Fault::InvalidField`], [`Fault::OutOfMemory`], [`Fault::LoadFailed`], [`Fault::Unsupported`] for a model that cannot
/// chat, [`Fault::OllamaBusy`], [`Fault::TooManyAnswers`], [`Fault::OllamaSilent`].
pub async fn load(app: &App, request: LoadRequest) -> Result<(), Fault> {
    request.check()?;
    let LoadRequest {
        of: request,
        options,
    } = request;
    // Before the permit: an engine that cannot load is not waited for.
    let manager = manager(app, &request, EngineAction::Load).await?;
    let _permit = app.try_acquire_generation()?;
    match manager {
        ModelManager::Ollama(ollama) => {
            let mut body = without_messages(&request.model);
            if !options.is_empty() {
                body["options"] = Value::Object(options);
            }
            chat_once(app, &ollama, &request.model, body).await
        }
        ModelManager::LlamaServer(engine) => {
            let limit = app.stream_timeouts().first_byte;
            let engine = LlamaRouter(engine);
            let loaded = tokio::time::timeout(limit, engine.load(&request.model));
            let mut stop = app.stop.clone();
            tokio::select! {
                biased;
                () = stop.wait() => Err(Fault::ServerStopping),
                loaded = loaded => {
                    loaded.unwrap_or_else(|_| Err(engine.0.label().silent(limit.as_secs())))
                }
            }
        }
    }
}

/// Unloads a model, of Ollama by the same request with `keep_alive: 0`, which also ends what it is answering.
///
/// # Errors
/// As [`show`].
pub async fn unload(app: &App, request: ModelRequest) -> Result<(), Fault> {
    match manager(app, &request, EngineAction::Load).await? {
        ModelManager::Ollama(ollama) => {
            let mut body = without_messages(&request.model);
            body["keep_alive"] = json!(0);
            chat_once(app, &ollama, &request.model, body).await
        }
        ModelManager::LlamaServer(engine) => LlamaRouter(engine).unload(&request.model).await,
    }
}

/// Deletes a model.
///
/// # Errors
/// As [`show`]; [`ModelFault::DeleteFailed`] if Ollama refuses or cannot.
pub async fn delete(app: &App, request: ModelRequest) -> Result<(), Fault> {
    let deleted = match manager(app, &request, EngineAction::Delete).await? {
        ModelManager::Ollama(ollama) => ollama.delete(&request.model).await,
        ModelManager::LlamaServer(engine) => {
            return LlamaRouter(engine).delete(&request.model).await;
        }
    };
    deleted.map_err(|fault| match fault {
        Fault::ModelFailed { reason } | Fault::RequestRefused { reason } => {
            ModelFault::DeleteFailed { reason }.into()
        }
        fault => fault,
    })
}

fn without_messages(model: &str) -> Value {
    json!({ "model": model, "messages": [], "stream": false, SHIFT: false })
}

async fn manager(
    app: &App,
    request: &ModelRequest,
    action: EngineAction,
) -> Result<ModelManager, Fault> {
    let engine = request.engine.as_deref();
    app.manager_of(request.upstream, engine, &request.model, action)
        .await
}

async fn chat_once(app: &App, ollama: &Ollama, model: &str, body: Value) -> Result<(), Fault> {
    let limit = app.stream_timeouts().first_byte;
    let mut stop = app.stop.clone();
    tokio::select! {
        biased;
        () = stop.wait() => Err(Fault::ServerStopping),
        reply = ollama.chat_once(&body, model, limit) => reply.map(drop),
    }
}

/// The texts of `/api/show`.
fn details(show: &Value) -> ModelDetails {
    // A model may have several licences; Ollama joins them now and listed them once.
    let licenses = texts(show, "license");
    ModelDetails {
        template: text(show, "template"),
        system: text(show, "system"),
        parameters: text(show, "parameters"),
        license: match licenses.is_empty() {
            true => text(show, "license"),
            false => licenses.join("\n\n"),
        },
        modelfile: text(show, "modelfile"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_a_model_may_be_missing_and_its_licences_several() {
        let show = json!({"license":["MIT","Apache"],"template":"{{ .Prompt }}","parameters":null});
        let expected = ModelDetails {
            template: "{{ .Prompt }}".to_owned(),
            license: "MIT\n\nApache".to_owned(),
            ..ModelDetails::default()
        };
        assert_eq!(details(&show), expected);
        assert_eq!(details(&json!({"license":"MIT"})).license, "MIT");
    }
}
