//! The client of [`response`](fn@super::response): Leptos returns the stream of a server function without its headers,
//! and one of them says whether the answer outlives this page.

use super::TokenClient;
use bytes::Bytes;
use futures::{Sink, Stream};
use leptos::server_fn::client::Client;
use leptos::server_fn::error::FromServerFnError;
use leptos::server_fn::request::browser::BrowserRequest;
use leptos::server_fn::response::browser::BrowserResponse;
use sash_wire::ANSWER_KEPT;
use std::cell::Cell;
use std::future::Future;

thread_local! {
    /// What the last response said.
    static KEPT: Cell<bool> = const { Cell::new(false) };
}

/// Whether the server keeps the answer whose stream has just been returned. Nothing is awaited between the arrival of the
/// headers and the return of the stream, so this is no other answer's.
#[must_use]
pub fn is_kept() -> bool {
    KEPT.get()
}

/// [`TokenClient`], which reads that header too.
pub struct AnswerClient;

impl<E: FromServerFnError, I: FromServerFnError, O: FromServerFnError> Client<E, I, O>
    for AnswerClient
{
    type Request = BrowserRequest;
    type Response = BrowserResponse;

    fn send(request: BrowserRequest) -> impl Future<Output = Result<BrowserResponse, E>> + Send {
        let sent = <TokenClient as Client<E, I, O>>::send(request);
        async move {
            let response = sent.await?;
            let headers = response.generate_headers();
            KEPT.set(headers.get(ANSWER_KEPT).is_some_and(|kept| kept == "yes"));
            Ok(response)
        }
    }

    fn open_websocket(
        path: &str,
    ) -> impl Future<
        Output = Result<
            (
                impl Stream<Item = Result<Bytes, Bytes>> + Send + 'static,
                impl Sink<Bytes> + Send + 'static,
            ),
            E,
        >,
    > + Send {
        <TokenClient as Client<E, I, O>>::open_websocket(path)
    }

    fn spawn(future: impl Future<Output = ()> + Send + 'static) {
        <TokenClient as Client<E, I, O>>::spawn(future);
    }
}
