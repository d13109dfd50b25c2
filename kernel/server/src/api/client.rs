//! The page's client of the server functions: Leptos' own client, plus the token of LAN mode if there is one.
//! The token is a header instead of a cookie, because browsers send a cookie to every port of the
//! same host. Leptos returns the stream of a server function without its headers, so the client also remembers the one
//! that says whether an answer outlives this page.

use bytes::Bytes;
use futures::{Sink, Stream};
use leptos::server_fn::client::Client;
use leptos::server_fn::client::browser::BrowserClient;
use leptos::server_fn::error::FromServerFnError;
use leptos::server_fn::request::browser::BrowserRequest;
use leptos::server_fn::response::browser::BrowserResponse;
use sash_wire::ANSWER_KEPT;
use std::cell::Cell;
use std::future::Future;
use std::sync::{PoisonError, RwLock};

static TOKEN: RwLock<Option<String>> = RwLock::new(None);

thread_local! {
    /// What the last response said.
    static KEPT: Cell<bool> = const { Cell::new(false) };
}

/// Sets the token that every later call sends.
pub fn set_token(token: Option<String>) {
    *TOKEN.write().unwrap_or_else(PoisonError::into_inner) = token;
}

/// Whether calls send a token.
#[must_use]
pub fn has_token() -> bool {
    TOKEN.read().is_ok_and(|token| token.is_some())
}

/// Whether the server keeps the answer whose stream has just been returned. Nothing is awaited between the arrival of the
/// headers and the return of the stream, so this is no other response's.
#[must_use]
pub fn is_kept() -> bool {
    KEPT.get()
}

/// Leptos' client for browsers with the token added. Dropping a call, or the stream it returned,
/// aborts the request.
pub struct TokenClient;

impl<E: FromServerFnError, I: FromServerFnError, O: FromServerFnError> Client<E, I, O>
    for TokenClient
{
    type Request = BrowserRequest;
    type Response = BrowserResponse;

    fn send(request: BrowserRequest) -> impl Future<Output = Result<BrowserResponse, E>> + Send {
        if let Some(token) = TOKEN.read().ok().and_then(|token| token.clone()) {
            let value = format!("Bearer {token}");
            request.headers().set("Authorization", &value);
        }
        let sent = <BrowserClient as Client<E, I, O>>::send(request);
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
        <BrowserClient as Client<E, I, O>>::open_websocket(path)
    }

    fn spawn(future: impl Future<Output = ()> + Send + 'static) {
        <BrowserClient as Client<E, I, O>>::spawn(future);
    }
}
