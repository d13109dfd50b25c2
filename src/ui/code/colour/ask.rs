//! The client of `api::highlight`, written by hand because Leptos' client would be a tenth of this program.

use crate::api::Highlight;
use crate::browser::token;
use js_sys::{JSON, Object, Reflect};
use leptos::server_fn::ServerFn;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestInit, Response};

/// Seconds to wait when the server is busy and sends no `Retry-After`.
const PAUSE: u16 = 5;
/// The longest `Retry-After`, in seconds, after which the server is asked again.
const LONGEST_PAUSE: u16 = 30;

/// The outcome of a request.
pub(super) enum Answer {
    Runs(Rc<str>),
    /// The server is busy; ask again after this many milliseconds.
    Busy(i32),
    /// No answer, or an unusable one.
    Nothing,
}

/// Requests the runs of a code block.
pub(super) async fn ask(language: &str, code: &str, signal: &AbortSignal) -> Answer {
    asked(language, code, signal)
        .await
        .unwrap_or(Answer::Nothing)
}

async fn asked(language: &str, code: &str, signal: &AbortSignal) -> Option<Answer> {
    let headers = object(&[("Content-Type", "application/json")]);
    if let Some(token) = token::kept() {
        put(&headers, "Authorization", &format!("Bearer {token}"));
    }
    let body = JSON::stringify(&object(&[("language", language), ("code", code)])).ok()?;
    let request = RequestInit::new();
    request.set_method("POST");
    request.set_headers(&headers);
    request.set_body(&body);
    request.set_signal(Some(signal));
    let window = web_sys::window()?;
    let answer = JsFuture::from(window.fetch_with_str_and_init(Highlight::PATH, &request)).await;
    let answer: Response = answer.ok()?.unchecked_into();
    if answer.status() == 429 {
        let said = answer.headers().get("retry-after").ok().flatten();
        let seconds = said.and_then(|said| said.parse().ok()).unwrap_or(PAUSE);
        // Wait at least a second: other pages may have been told the same.
        let pause = (seconds <= LONGEST_PAUSE).then(|| i32::from(seconds.max(1)) * 1000);
        return pause.map(Answer::Busy);
    }
    if !answer.ok() {
        return None;
    }
    let answer = JsFuture::from(answer.json().ok()?).await.ok()?;
    let runs = Reflect::get(&answer, &"runs".into()).ok()?.as_string()?;
    Some(Answer::Runs(runs.into()))
}

fn object(fields: &[(&str, &str)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        put(&object, name, value);
    }
    object
}

fn put(object: &Object, name: &str, value: &str) {
    // Setting a property of a plain object cannot fail.
    let _ = Reflect::set(object, &name.into(), &value.into());
}
