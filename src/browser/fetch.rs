//! `fetch`: what the page's calls go through.

use crate::api::{Answer, Call};
use bytes::Bytes;
use futures::Stream;
use futures::future::BoxFuture;
use send_wrapper::SendWrapper;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader, RequestInit, Response};

/// Sends a call. `None` if no answer came. Dropping the future, or the answer's body, ends the request.
pub fn fetch(call: Call) -> BoxFuture<'static, Option<Answer>> {
    // The futures of a page never leave its one thread.
    Box::pin(SendWrapper::new(async move { send(call).await.ok() }))
}

async fn send(call: Call) -> Result<Answer, JsValue> {
    let headers = Headers::new()?;
    for (name, value) in &call.headers {
        headers.append(name, value)?;
    }
    let request = Request(AbortController::new()?);
    let options = RequestInit::new();
    options.set_method("POST");
    options.set_headers(&headers);
    options.set_body(&js_sys::Uint8Array::from(&call.body[..]));
    options.set_signal(Some(&request.0.signal()));
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let response = JsFuture::from(window.fetch_with_str_and_init(&call.path, &options)).await?;
    let response: Response = response.unchecked_into();
    let reader = response.body().map(|body| body.get_reader());
    let body = Body {
        reader: reader.map(JsCast::unchecked_into),
        next: None,
        _request: request,
    };
    Ok(Answer {
        status: response.status(),
        body: Box::pin(SendWrapper::new(body)),
    })
}

/// A request on its way: the server sees that nobody waits any more. After its end this does nothing.
struct Request(AbortController);

impl Drop for Request {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The body of an answer, piece by piece.
struct Body {
    /// None once there is no more.
    reader: Option<ReadableStreamDefaultReader>,
    /// The piece that is waited for.
    next: Option<JsFuture>,
    _request: Request,
}

impl Stream for Body {
    type Item = Result<Bytes, Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let Some(reader) = &this.reader else {
            return Poll::Ready(None);
        };
        let next = this.next.get_or_insert_with(|| reader.read().into());
        let Poll::Ready(read) = Pin::new(next).poll(cx) else {
            return Poll::Pending;
        };
        this.next = None;
        let value = read.map(|read| js_sys::Reflect::get(&read, &"value".into()));
        let item = match value {
            // The last one, `done`, has no value.
            Ok(Ok(value)) => value
                .dyn_into::<js_sys::Uint8Array>()
                .ok()
                .map(|piece| Ok(piece.to_vec().into())),
            // Why is not told: to the page each reason is a connection lost.
            _ => Some(Err(Bytes::new())),
        };
        if !matches!(item, Some(Ok(_))) {
            this.reader = None;
        }
        Poll::Ready(item)
    }
}
