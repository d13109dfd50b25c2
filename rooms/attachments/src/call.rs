//! `POST /api/v1/extract`: the text of a document.

#![allow(
    missing_docs,
    reason = "the macro makes a struct whose fields repeat the argument"
)]

use crate::{DocumentFault, ExtractRequest, ExtractedText};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_server::api::{ApiError, TokenClient};

/// Extracts the text of a PDF, a Word document, a page of HTML, or of a file in any encoding. Nothing of the document is kept.
///
/// # Errors
/// [`DocumentFault::FileUnreadable`] with the reason, [`sash_wire::Fault::TooLarge`],
/// [`sash_wire::Fault::TooManyAnswers`] if too many documents are being read.
#[server(prefix = "/api/v1", endpoint = "extract", input = Json, client = TokenClient)]
pub async fn extract(
    #[server(flatten)] request: ExtractRequest,
) -> Result<ExtractedText, ApiError<DocumentFault>> {
    let app = sash_server::context::app()?;
    // Held until the document is read.
    let _turn = sash_server::context::permit()?;
    let extractor: std::sync::Arc<crate::server::Extractor> = sash_server::context::state()?;
    let text = extractor.text(request, app.stop.clone());
    Ok(text.await?)
}
