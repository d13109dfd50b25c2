//! `POST /api/v1/answer_now`: ends the thinking of an answer that runs.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::AnswerNowRequest;

/// Ends the thinking of an answer that runs, by the id of its frame `endable`: the model goes on with the answer itself.
///
/// # Errors
/// [`sash_wire::Fault::InvalidField`], [`sash_wire::Fault::NotOffered`] for an engine that has nothing like it, that the
/// engine is unreachable, and those of the guard.
#[server(prefix = "/api/v1", endpoint = "answer_now", input = Json, client = TokenClient)]
pub async fn answer_now(#[server(flatten)] request: AnswerNowRequest) -> Result<(), ApiError> {
    let app = crate::context::app()?;
    Ok(crate::answer_now::answer_now(&app, request).await?)
}
