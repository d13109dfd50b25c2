//! A connection whose other end must read: a write that waits too long is an error, so that a browser
//! that stopped reading does not hold a generation, and hardly holds up a stop of the server. And one that is
//! closed only when the other end has heard the last answer: a request refused before its body was read would
//! otherwise be answered by a reset, because its bytes still come.

use crate::server::stop::Stop;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::sleep;

/// How long a write may still wait once the server stops.
const LAST: Duration = Duration::from_millis(20);
/// How long what the other end still sends is thrown away after the last answer.
const LINGER: Duration = Duration::from_secs(2);

/// A TCP stream with a limit on each wait for writing.
pub struct Patient {
    stream: TcpStream,
    limit: Duration,
    stop: Stop,
    /// Over when a write has waited too long.
    waiting: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// Over when the other end had time enough to hear the last answer; set when our half is closed.
    lingering: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Patient {
    /// Wraps a stream.
    #[must_use]
    pub fn new(stream: TcpStream, limit: Duration, stop: Stop) -> Self {
        Self {
            stream,
            limit,
            stop,
            waiting: None,
            lingering: None,
        }
    }

    fn judge<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waiting = None;
            return result;
        }
        let (limit, stop) = (self.limit, &self.stop);
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(too_long(limit, stop.clone())));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

async fn too_long(limit: Duration, mut stop: Stop) {
    tokio::select! {
        () = sleep(limit) => {}
        () = async { stop.wait().await; sleep(LAST).await } => {}
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.lingering.is_none() {
            if let Err(error) = ready!(Pin::new(&mut self.stream).poll_shutdown(context)) {
                return Poll::Ready(Err(error));
            }
            self.lingering = Some(Box::pin(too_long(LINGER, self.stop.clone())));
        }
        let mut rubbish = [0; 8 * 1024];
        loop {
            let over = self
                .lingering
                .as_mut()
                .map(|time| time.as_mut().poll(context));
            if over.is_none_or(|over| over.is_ready()) {
                return Poll::Ready(Ok(()));
            }
            let mut buffer = ReadBuf::new(&mut rubbish);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;

    /// How a connection ends whose other end reads nothing.
    async fn unread(limit: Duration, stop: Stop) -> io::Error {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let _silent = TcpStream::connect(address).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let mut patient = Patient::new(stream, limit, stop);
        let block = vec![0u8; 1024 * 1024];
        loop {
            if let Err(error) = patient.write_all(&block).await {
                return error;
            }
        }
    }

    #[tokio::test]
    async fn a_reader_that_stops_reading_is_given_up() {
        let (_running, stop) = Stop::new();
        let error = unread(LAST, stop).await;
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_reader_that_stopped_reading_holds_up_no_stop() {
        let (running, stop) = Stop::new();
        let waiting = tokio::spawn(unread(Duration::from_secs(600), stop));
        sleep(4 * LAST).await;
        assert!(!waiting.is_finished(), "no stop yet");
        running.send(true).unwrap();
        let error = tokio::time::timeout(Duration::from_secs(5), waiting).await;
        assert_eq!(error.unwrap().unwrap().kind(), io::ErrorKind::TimedOut);
    }
}
