//! Vectors of texts, made by an embedding model of an Ollama.

use crate::server::app::App;
use crate::server::caller::Caller;
use crate::server::ollama::reply;
use crate::server::unsent::check_draft;
use sash_wire::{EmbedRequest, Embedded, EngineAction, Fault};
use serde_json::json;

/// Asks Ollama for the vectors of some texts. It may have to load the model for that, so it may take as long as the first
/// byte of an answer; dropping the future ends the request.
///
/// `truncate` is true here and nowhere else: no one reads these texts, and a vector of the beginning of a text is better
/// than none. The page cuts long messages into parts before.
///
/// # Errors
/// [`Fault::MissingField`] and [`Fault::InvalidField`] for the texts, those of [`App::ollama_of`],
/// [`Fault::DraftRefused`], [`Fault::ModelNotFound`], [`Fault::Unsupported`], [`Fault::UnexpectedReply`], and that
/// Ollama does not answer.
pub async fn embed(app: &App, request: EmbedRequest, caller: Caller) -> Result<Embedded, Fault> {
    check(&request.texts)?;
    let EmbedRequest {
        model,
        upstream,
        engine,
        draft,
        texts,
    } = request;
    let ollama = app
        .ollama_of(upstream, engine.as_deref(), &model, EngineAction::Embed)
        .await?;
    let asked = app.engine(upstream, engine.as_deref()).await?.engine;
    check_draft(&*asked, &model, draft, caller).await?;
    let body = json!({ "model": model, "input": texts, "truncate": true });
    let limit = app.stream_timeouts().first_byte;
    let mut stop = app.stop.clone();
    let answer = tokio::select! {
        biased;
        () = stop.wait() => return Err(Fault::ServerStopping),
        answer = ollama.embed(&body, &model, texts.len(), limit) => answer?,
    };
    let unexpected = || ollama.label().unexpected(200, "application/json", "");
    reply::embedded(&answer, texts.len()).ok_or_else(unexpected)
}

/// Refuses what is too much for one request, or empty: Ollama answers an empty text with a vector without meaning.
fn check(texts: &[String]) -> Result<(), Fault> {
    let wrong = |reason: String| {
        let field = "texts".to_owned();
        Err(Fault::InvalidField { field, reason })
    };
    if texts.is_empty() {
        let field = "texts".to_owned();
        return Err(Fault::MissingField { field });
    }
    let (most, bytes) = (EmbedRequest::MAX_TEXTS, EmbedRequest::MAX_TEXT_BYTES);
    if texts.len() > most {
        return wrong(format!(
            "it has {} texts and at most {most} are taken",
            texts.len()
        ));
    }
    if texts.iter().any(|text| text.trim().is_empty()) {
        return wrong("a text is empty".to_owned());
    }
    if texts.iter().any(|text| text.len() > bytes) {
        return wrong(format!("a text is longer than {bytes} bytes"));
    }
    Ok(())
}
