//! The parts of the server that a server function uses, passed as Leptos contexts.

use crate::app::App;
use crate::caller::Caller;
use axum::http::header::HeaderValue;
use axum::http::{HeaderMap, HeaderName};
use leptos::prelude::{provide_context, use_context};
use leptos_axum::ResponseOptions;
use sash_door::guard::ClientNetwork;
use sash_door::refusal::{header, status};
use sash_wire::{ANSWER_KEPT, Fault};
use serde_json::{Map, Value};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedSemaphorePermit;

/// The permit to generate, or the turn to read a document, passed from the reading of the request to the server function. Contexts are
/// cloned; the permit can be taken once. One that the function does not take is held until its answer is sent.
#[derive(Clone, Debug)]
pub struct PermitContext(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

impl PermitContext {
    /// Passes a permit, or none.
    #[must_use]
    pub fn new(permit: Option<OwnedSemaphorePermit>) -> Self {
        Self(Arc::new(Mutex::new(permit)))
    }

    /// Takes the permit, if it is still there.
    #[must_use]
    pub fn take(&self) -> Option<OwnedSemaphorePermit> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The headers of the caller, of which Leptos gets none.
#[derive(Clone, Debug, Default)]
pub struct CallerHeaders(pub HeaderMap);

/// Provides these contexts to a server function.
pub fn provide(app: Arc<App>, client: ClientNetwork, caller: Caller, permit: PermitContext) {
    provide_context(app);
    provide_context(client);
    provide_context(caller);
    provide_context(permit);
}

/// The shared state, inside a server function.
///
/// # Errors
/// [`Fault::Internal`] outside of one.
pub fn app() -> Result<Arc<App>, Fault> {
    state()
}

/// A state that a room provides ([`Calls::provide`](crate::calls::Calls::provide)), inside a server function.
///
/// # Errors
/// [`Fault::Internal`] where nobody provides it.
pub fn state<T: Clone + 'static>() -> Result<T, Fault> {
    use_context().ok_or(Fault::Internal)
}

/// The network of the client that asks, inside a server function.
///
/// # Errors
/// [`Fault::Internal`] outside of one.
pub fn client() -> Result<IpAddr, Fault> {
    let ClientNetwork(client) = state()?;
    Ok(client)
}

/// How the request reached the server; the strictest outside of a server function.
#[must_use]
pub fn caller() -> Caller {
    use_context().unwrap_or_default()
}

/// What the caller is told besides the state of an engine; nothing outside of a server function.
#[must_use]
pub fn said() -> Map<String, Value> {
    let CallerHeaders(headers) = use_context().unwrap_or_default();
    app()
        .map(|app| app.hooks.said_to(&headers))
        .unwrap_or_default()
}

/// The permit of a server function that generates or reads a document. It can be taken once.
///
/// # Errors
/// [`Fault::Internal`] elsewhere.
pub fn permit() -> Result<OwnedSemaphorePermit, Fault> {
    let permit: PermitContext = state()?;
    permit.take().ok_or(Fault::Internal)
}

/// Sets the status and the headers of a fault on the answer of a server function; Leptos' own status is 500.
pub fn set_status(fault: &Fault) {
    let Some(options) = use_context::<ResponseOptions>() else {
        return;
    };
    options.set_status(status(fault));
    if let Some((name, value)) = header(fault) {
        options.insert_header(name, value);
    }
}

/// Says in the header of the answer whether its frames are kept, if the request had an id.
pub fn set_kept(is_kept: Option<bool>) {
    if let Some((options, is_kept)) = use_context::<ResponseOptions>().zip(is_kept) {
        let value = if is_kept { "yes" } else { "no" };
        options.insert_header(
            HeaderName::from_static(ANSWER_KEPT),
            HeaderValue::from_static(value),
        );
    }
}
