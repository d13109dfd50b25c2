//! `POST /api/v1/calculate`: the tool that calculates.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::request::{CalculateRequest, CalculationResult};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_server::api::{ApiError, TokenClient};

/// Evaluates an expression. What is wrong with one is its result, because a model reads it.
///
/// # Errors
/// [`sash_wire::Fault::TooManyAnswers`] if too many are being evaluated, and those of the guard.
#[server(prefix = "/api/v1", endpoint = "calculate", input = Json, client = TokenClient)]
pub async fn calculate(
    #[server(flatten)] request: CalculateRequest,
) -> Result<CalculationResult, ApiError> {
    let app = sash_server::context::app()?;
    let calculator: std::sync::Arc<crate::server::Calculator> = sash_server::context::state()?;
    Ok(calculator.result(request, app.stop.clone()).await?)
}
