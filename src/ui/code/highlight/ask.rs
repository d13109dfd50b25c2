//! The client of `api::highlight`: not Leptos' own, which does not return the header `Retry-After`.

use crate::api::Highlight;
use crate::browser::token;
use gloo_net::http::Request;
use leptos::server_fn::ServerFn;
use sash_wire::Highlighted;
use std::rc::Rc;
use web_sys::AbortSignal;

/// Seconds to wait when the server is busy and sends no `Retry-After`.
const DEFAULT_RETRY_SECONDS: u16 = 5;
/// The longest `Retry-After`, in seconds, after which the server is asked again.
const MAX_RETRY_SECONDS: u16 = 30;

/// The outcome of a request.
pub(super) enum HighlightOutcome {
    Runs(Rc<str>),
    /// The server is busy; ask again after this many milliseconds.
    Busy(i32),
    /// No answer, or an unusable one.
    Nothing,
}

/// Requests the runs of a code block.
pub(super) async fn ask(language: &str, code: &str, signal: &AbortSignal) -> HighlightOutcome {
    asked(language, code, signal)
        .await
        .unwrap_or(HighlightOutcome::Nothing)
}

async fn asked(language: &str, code: &str, signal: &AbortSignal) -> Option<HighlightOutcome> {
    let mut request = Request::post(Highlight::PATH).abort_signal(Some(signal));
    if let Some(token) = token::kept() {
        request = request.header("Authorization", &format!("Bearer {token}"));
    }
    let body = Highlight {
        language: language.to_owned(),
        code: code.to_owned(),
    };
    let answer = request.json(&body).ok()?.send().await.ok()?;
    if answer.status() == 429 {
        let said = answer.headers().get("retry-after");
        let seconds = said
            .and_then(|said| said.parse().ok())
            .unwrap_or(DEFAULT_RETRY_SECONDS);
        // Wait at least a second: other pages may have been told the same.
        let pause = (seconds <= MAX_RETRY_SECONDS).then(|| i32::from(seconds.max(1)) * 1000);
        return pause.map(HighlightOutcome::Busy);
    }
    if !answer.ok() {
        return None;
    }
    let Highlighted { runs } = answer.json().await.ok()?;
    Some(HighlightOutcome::Runs(runs.into()))
}
