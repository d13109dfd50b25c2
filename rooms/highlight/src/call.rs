//! `POST /api/v1/highlight`: highlights a block of code.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::Highlighted;
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_server::api::{ApiError, TokenClient};

/// Highlights a block of code. `language` is the info string of the fence, in any case; the run
/// lengths of the response cover `code`. Code that cannot be highlighted is not an error: the
/// response then has no runs.
///
/// # Errors
/// [`sash_wire::Fault::TooManyAnswers`] if too many requests are waiting.
#[server(prefix = "/api/v1", endpoint = "highlight", input = Json, client = TokenClient)]
pub async fn highlight(language: String, code: String) -> Result<Highlighted, ApiError> {
    let app = sash_server::context::app()?;
    let highlighter: std::sync::Arc<crate::server::CodeHighlighter> =
        sash_server::context::state()?;
    let runs = highlighter.runs(&language, &code, app.stop.clone());
    Ok(Highlighted { runs: runs.await? })
}
