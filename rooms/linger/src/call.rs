//! `POST /api/v1/kept`: which answers the server has.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::kept_answer::{KeptAnswer, KeptRequest};
use crate::server::KeptAnswers;
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_server::api::{ApiError, TokenClient};
use std::sync::Arc;

/// Says of those ids that the server knows whether the answer still runs, and how many frames
/// there are. Ids that it does not know are left out.
///
/// # Errors
/// [`sash_wire::Fault::InvalidField`] for too many ids.
#[server(prefix = "/api/v1", endpoint = "kept", input = Json, client = TokenClient)]
pub async fn kept(#[server(flatten)] request: KeptRequest) -> Result<Vec<KeptAnswer>, ApiError> {
    let answers: Arc<KeptAnswers> = sash_server::context::state()?;
    Ok(answers.kept(&request)?)
}
