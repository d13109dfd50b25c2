//! The list of models that can answer, and the state of an engine.

use crate::app::App;
use crate::caller::Caller;
use sash_wire::{EngineState, Fault, ModelInfo, ModelList, Upstream, UpstreamRequest};
use serde_json::{Map, Value};

/// The models of an engine that can chat, in its order.
///
/// # Errors
/// As [`installed`].
pub async fn models(app: &App, request: &UpstreamRequest) -> Result<ModelList, Fault> {
    let mut list = installed(app, request).await?;
    list.models.retain(ModelInfo::can_chat);
    Ok(list)
}

/// All models of an engine, in its order.
///
/// # Errors
/// Any fault of the list itself; a model whose details are unavailable is listed without them.
pub async fn installed(app: &App, request: &UpstreamRequest) -> Result<ModelList, Fault> {
    let known = app.engine(request.upstream, request.engine.as_deref());
    let engine = known.await?.engine;
    let name = match app.resolve(request.upstream) {
        Upstream::Configured => app.engines.name_in_lists(&*engine),
        Upstream::Demo => None,
    };
    let mut models = engine.models().await?;
    for model in &mut models {
        model.engine.clone_from(&name);
    }
    Ok(ModelList { models })
}

/// Whether an engine answers, its version, and the models it has loaded; of Ollama also the address. All engines of the
/// configuration are named.
///
/// # Errors
/// [`Fault::UnknownEngine`]. An engine that does not answer is a state and no fault.
pub async fn state(
    app: &App,
    request: &UpstreamRequest,
    caller: Caller,
    said: Map<String, Value>,
) -> Result<EngineState, Fault> {
    let known = app.engine(request.upstream, request.engine.as_deref());
    let known = known.await?;
    let engine = &known.engine;
    let upstream = app.resolve(request.upstream);
    // What the engine answers says how it is reached and what it can do, so it is awaited first.
    let status = engine.status().await;
    let state = EngineState {
        upstream,
        engines: match upstream {
            Upstream::Configured => app.engines.infos().await,
            Upstream::Demo => vec![known.info().await],
        },
        from_this_machine: caller.is_on_this_machine,
        address: engine.label().address().to_owned(),
        limits: Some(app.limits.of_requests()),
        others: said,
        ..EngineState::default()
    };
    Ok(match status {
        Ok(status) => EngineState {
            reachable: true,
            version: status.version,
            loaded: status.loaded,
            loading: status.loading,
            ..state
        },
        Err(fault) => EngineState {
            fault: Some(fault),
            ..state
        },
    })
}
