//! A streamed response of the server, frame by frame.

use super::ApiError;
use futures::{Stream, StreamExt};
use leptos::server_fn::codec::ByteStream;
use sash_wire::{Fault, LineDecoder};
use serde::de::DeserializeOwned;

/// The frames of a streamed response, in order. The stream ends after its first error, or when the
/// server's stream ends, with or without a final frame. Dropping it aborts the request.
///
/// The errors are [`Fault::ConnectionLost`], and [`Fault::BrokenStream`] for a line that is not a
/// frame.
pub fn frames<T: DeserializeOwned, R: 'static>(
    stream: ByteStream<ApiError<R>>,
) -> impl Stream<Item = Result<T, Fault>> + Unpin {
    let state = (Box::pin(stream.into_inner()), LineDecoder::default());
    Box::pin(futures::stream::try_unfold(
        state,
        async |(mut bytes, mut decoder)| loop {
            if let Some(frame) = decoder.next_json()? {
                return Ok(Some((frame, (bytes, decoder))));
            }
            match bytes.next().await {
                Some(Ok(chunk)) => decoder.push(&chunk),
                Some(Err(_)) => return Err(Fault::ConnectionLost),
                None => return Ok(None),
            }
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use sash_wire::Frame;

    /// The frames and the error that a stream of these chunks yields.
    fn read(chunks: Vec<Result<&'static str, ApiError>>) -> (Vec<Frame>, Option<Fault>) {
        let mut stream = frames(ByteStream::<ApiError>::new(futures::stream::iter(chunks)));
        let mut read = Vec::new();
        loop {
            match block_on(stream.next()) {
                Some(Ok(frame)) => read.push(frame),
                Some(Err(fault)) => return (read, Some(fault)),
                None => return (read, None),
            }
        }
    }

    fn text(text: &str) -> Frame {
        Frame::Text { text: text.into() }
    }

    #[test]
    fn frames_are_read_wherever_the_stream_was_cut() {
        let (a, b) = (r#"{"type":"text","te"#, "xt\":\"a\"}\n\n{\"type\":");
        let chunks = vec![Ok(a), Ok(b), Ok("\"text\",\"text\":\"b\"}\n")];
        assert_eq!(read(chunks), (vec![text("a"), text("b")], None));
    }

    #[test]
    fn a_stream_that_breaks_keeps_what_came() {
        let a = "{\"type\":\"text\",\"text\":\"a\"}\n";
        let broken = vec![Ok(a), Err(Fault::Internal.into())];
        assert_eq!(read(broken), (vec![text("a")], Some(Fault::ConnectionLost)));
        let (frames, fault) = read(vec![Ok(a), Ok("<html>\n")]);
        assert_eq!(frames, [text("a")]);
        assert!(matches!(fault, Some(Fault::BrokenStream { .. })));
    }
}
