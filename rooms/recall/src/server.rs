//! Vectors of texts, made by an embedding model of an Ollama.

use crate::EmbedRequest;
use sash_server::app::App;
use sash_server::caller::Caller;
use sash_server::unsent::check_draft;
use sash_wire::{Embedded, EngineAction, Fault};
use serde::Deserialize;
use serde_json::{Value, json};

/// Asks Ollama for the vectors of some texts. It may have to load the model for that, so it may take as long as the first
/// byte of an answer; dropping the future ends the request.
///
/// `truncate` is true here and nowhere else: no one reads these texts, and a vector of the beginning of a text is better
/// than none. The page cuts long messages into parts before.
///
/// # Errors
/// [`Fault::MissingField`] and [`Fault::InvalidField`] for the texts, those of [`App::engine_of`], [`Fault::NotOffered`] for
/// an engine that is not Ollama, [`Fault::DraftRefused`], [`Fault::ModelNotFound`], [`Fault::Unsupported`], [`Fault::UnexpectedReply`], and that
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
    let engine = engine.as_deref();
    let known = app.engine(upstream, engine).await?;
    let ollama = known.ollama(EngineAction::Embed).await?;
    let asked = app.engine_of(upstream, engine, &model).await?;
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
    embedded(&answer, texts.len()).ok_or_else(unexpected)
}

/// Refuses what is too much for one request, or empty: Ollama answers an empty text with a vector without meaning.
fn check(texts: &[String]) -> Result<(), Fault> {
    let field = "texts".to_owned();
    let (most, bytes) = (EmbedRequest::MAX_TEXTS, EmbedRequest::MAX_TEXT_BYTES);
    let reason = match texts.len() {
        0 => return Err(Fault::MissingField { field }),
        many if many > most => format!("it has {many} texts and at most {most} are taken"),
        _ if texts.iter().any(|text| text.trim().is_empty()) => "a text is empty".to_owned(),
        _ if texts.iter().any(|text| text.len() > bytes) => {
            format!("a text is longer than {bytes} bytes")
        }
        _ => return Ok(()),
    };
    Err(Fault::InvalidField { field, reason })
}

/// What `/api/embed` says. A number that is not finite is null.
#[derive(Deserialize)]
struct EmbedReply {
    embeddings: Vec<Vec<Option<f32>>>,
    prompt_eval_count: Option<u64>,
}

/// The vectors of a reply. `None` unless there is one for each of `texts`, all of one length; a number that is not finite
/// counts as 0.
fn embedded(reply: &Value, texts: usize) -> Option<Embedded> {
    let reply = EmbedReply::deserialize(reply).ok()?;
    let vectors = reply.embeddings.into_iter().map(|vector| {
        let numbers = vector.into_iter().map(Option::unwrap_or_default);
        numbers.collect::<Vec<f32>>()
    });
    let vectors: Vec<Vec<f32>> = vectors.collect();
    let length = vectors.first()?.len();
    let is_whole = length > 0 && vectors.iter().all(|vector| vector.len() == length);
    (is_whole && vectors.len() == texts).then_some(Embedded {
        vectors,
        tokens: reply.prompt_eval_count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_as_many_as_texts_and_of_one_length() {
        let reply = json!({"embeddings":[[0.5, 1], [null, -0.5]],"prompt_eval_count":7});
        let found = embedded(&reply, 2).unwrap();
        assert_eq!(found.vectors, [[0.5, 1.0], [0.0, -0.5]]);
        assert_eq!(found.tokens, Some(7));
        assert_eq!(embedded(&reply, 3), None);
        for wrong in [
            json!({}),
            json!({"embeddings":[]}),
            json!({"embeddings":[[], []]}),
            json!({"embeddings":[[1.0], [1.0, 2.0]]}),
            json!({"embeddings":[[1.0], "x"]}),
        ] {
            assert_eq!(embedded(&wrong, 2), None, "{wrong}");
        }
    }
}
