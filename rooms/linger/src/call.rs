//! `POST /api/v1/kept`: which answers the server has.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::server::KeptAnswers;
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_chat::AnswerId;
use sash_server::api::{ApiError, TokenClient};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most ids of one [`KeptRequest`].
pub const MAX_KEPT_IDS: usize = 64;

/// The body of `POST /api/v1/kept`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRequest {
    /// The answers that are asked for; at most [`MAX_KEPT_IDS`].
    pub ids: Vec<AnswerId>,
}

/// An answer whose frames the server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAnswer {
    /// The answer.
    pub id: AnswerId,
    /// Whether the model still writes.
    pub running: bool,
    /// How many frames the server has.
    pub frames: usize,
}

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
