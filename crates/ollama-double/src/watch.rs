//! Wraps the body of every answer to record whether it was completed or dropped.

use super::http::{self, HttpResponse};
use super::records::Visit;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body as _, Frame};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// A body that records whether it was completed or dropped.
struct WatchedBody {
    inner: http::Body,
    visit: Visit,
}

/// Watches the body of an answer.
pub fn watch(answer: HttpResponse, mut visit: Visit) -> HttpResponse {
    if answer.body().is_end_stream() {
        visit.finish();
    }
    answer.map(|inner| WatchedBody { inner, visit }.boxed_unsync())
}

impl hyper::body::Body for WatchedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(cx));
        match &frame {
            Some(Ok(_)) => self.visit.record.write(|record| record.chunks += 1),
            Some(Err(_)) => {}
            None => self.visit.finish(),
        }
        // A body of known length is not polled again after its last frame.
        if self.inner.is_end_stream() && !matches!(frame, Some(Err(_))) {
            self.visit.finish();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        self.inner.size_hint()
    }
}
