//! `POST /api/v1/highlight`: code and the name of its language in, its colours out.

use super::{ApiError, TokenClient};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_wire::Highlighted;

/// Colours a block of code. `language` is what stands behind the fence, in whatever letters; `code` is the text
/// that the lengths of the answer cover. What cannot be coloured is no fault: the answer has no runs then.
///
/// # Errors
/// [`sash_wire::Fault::TooManyAnswers`] where too many are waiting.
#[server(prefix = "/api/v1", endpoint = "highlight", input = Json, client = TokenClient)]
pub async fn highlight(language: String, code: String) -> Result<Highlighted, ApiError> {
    let app = crate::server::context::app()?;
    let runs = app.highlighter.runs(&language, &code, app.stop.clone());
    Ok(Highlighted { runs: runs.await? })
}
