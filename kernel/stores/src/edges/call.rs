//! A call of the server, behind a handle.

use futures::future::{FutureExt, LocalBoxFuture, TryFutureExt};
use futures::stream::LocalBoxStream;
use reactive_graph::owner::{LocalStorage, StoredValue};
use reactive_graph::traits::GetValue;
use sash_wire::Fault;
use std::rc::Rc;

/// Frames of a stream; an error ends it.
pub type Frames<F> = LocalBoxStream<'static, Result<F, Fault>>;

/// Sends a request and returns what the server answers.
type Sender<Q, R> = Rc<dyn Fn(Q) -> LocalBoxFuture<'static, Result<R, Fault>>>;

/// A call of the server with a request `Q` and a response `R`: a server function in the page, a script in a test. It is
/// cheap to copy, and lives as long as the owner under which it was made.
pub struct Call<Q: 'static, R: 'static>(StoredValue<Sender<Q, R>, LocalStorage>);

// A derive would ask it of the request and the response.
impl<Q, R> Clone for Call<Q, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Q, R> Copy for Call<Q, R> {}

impl<Q, R> Call<Q, R> {
    /// A call that `send` makes. Dropping what it returns has to abort the request.
    #[must_use]
    pub fn new<F, E>(send: impl Fn(Q) -> F + 'static) -> Self
    where
        F: Future<Output = Result<R, E>> + 'static,
        E: Into<Fault> + 'static,
    {
        let send = move |request| send(request).map_err(Into::into).boxed_local();
        Self(StoredValue::new_local(Rc::new(send)))
    }

    /// Sends a request. Dropping the future, or the stream that it returns, aborts it.
    ///
    /// # Errors
    /// What the server refuses, or that it cannot be reached.
    pub fn send(self, request: Q) -> LocalBoxFuture<'static, Result<R, Fault>> {
        // Outside of the handle: a test's answer may use others.
        let send = self.0.get_value();
        send(request)
    }
}
