//! Keeps a value alive until a body has been sent.

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Keeps `guard` alive until the body has been sent or dropped.
pub fn attach<T: Send + Unpin + 'static>(body: Body, guard: T) -> Body {
    Body::new(WithGuard {
        body,
        has_begun: false,
        _guard: guard,
    })
}

struct WithGuard<T> {
    body: Body,
    has_begun: bool,
    _guard: T,
}

impl<T: Unpin> http_body::Body for WithGuard<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.has_begun = true;
        Pin::new(&mut self.body).poll_frame(context)
    }

    /// Hyper drops a body that has ended while its last piece, which may be all of it, waits in memory to be sent. So this is
    /// true of an empty body alone; any other one is asked for a further piece when most of it was sent.
    fn is_end_stream(&self) -> bool {
        !self.has_begun && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::extract::Request;
    use axum::response::Response;
    use hyper::body::Incoming;
    use hyper::server::conn::http1;
    use hyper::service::service_fn;
    use hyper_util::rt::TokioIo;
    use std::convert::Infallible;
    use std::sync::Arc;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::task::yield_now;

    /// A guard ended when the answer was in memory: readers that did not read held gigabytes, and counted as none.
    #[tokio::test]
    async fn a_guard_stays_until_the_client_has_read_the_answer() {
        let guard = Arc::new(());
        let (mut client, server) = tokio::io::duplex(1024);
        let attached = Arc::downgrade(&guard);
        let service = service_fn(move |_: Request<Incoming>| {
            let body = attach(Body::from(vec![b'x'; 1_000_000]), attached.upgrade());
            async move { Ok::<_, Infallible>(Response::new(body)) }
        });
        let connection = http1::Builder::new().serve_connection(TokioIo::new(server), service);
        let served = tokio::spawn(connection);
        let request = b"GET / HTTP/1.1\r\nHost: sash\r\nConnection: close\r\n\r\n";
        client.write_all(request).await.unwrap();
        client.read_exact(&mut [0; 12]).await.unwrap();
        for _ in 0..100 {
            yield_now().await;
        }
        assert_eq!(Arc::strong_count(&guard), 2, "the answer is not read");
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).await.unwrap();
        assert!(rest.len() > 1_000_000);
        served.await.unwrap().unwrap();
        assert_eq!(Arc::strong_count(&guard), 1);
    }

    #[test]
    fn an_empty_body_says_that_it_is_empty() {
        use http_body::Body as _;
        assert!(attach(Body::empty(), ()).is_end_stream());
        assert!(!attach(Body::from("x"), ()).is_end_stream());
    }
}
