//! The call of `api::highlight`. By hand, because Leptos' client would be a tenth of this program.

use crate::api::Highlight;
use crate::browser::token;
use js_sys::{JSON, Object, Reflect};
use leptos::server_fn::ServerFn;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestInit, Response};

/// The runs of a code; `None` if there is no answer, or another one than colours.
pub(super) async fn runs(language: &str, code: &str, signal: &AbortSignal) -> Option<Rc<str>> {
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
    if !answer.ok() {
        return None;
    }
    let answer = JsFuture::from(answer.json().ok()?).await.ok()?;
    let runs = Reflect::get(&answer, &"runs".into()).ok()?.as_string()?;
    Some(runs.into())
}

fn object(fields: &[(&str, &str)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        put(&object, name, value);
    }
    object
}

fn put(object: &Object, name: &str, value: &str) {
    // A plain object takes any value.
    let _ = Reflect::set(object, &name.into(), &value.into());
}
