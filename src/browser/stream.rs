//! A streamed answer of the server, line by line.

use crate::json::FromJson;
use crate::wire::{Fault, FaultBody, LineDecoder};
use futures::StreamExt;
use leptos::server_fn::codec::ByteStream;

/// Reads frames until the stream ends and hands each on; `on_frame` says whether to go on.
/// Dropping the future ends the request.
///
/// # Errors
/// [`Fault::ConnectionLost`] when the stream broke or ended before `on_frame` was content.
pub async fn read_frames<T: FromJson>(
    stream: ByteStream<FaultBody>,
    mut on_frame: impl FnMut(T) -> bool,
) -> Result<(), Fault> {
    let mut bytes = Box::pin(stream.into_inner());
    let mut decoder = LineDecoder::default();
    while let Some(chunk) = bytes.next().await {
        decoder.push(&chunk.map_err(|_| Fault::ConnectionLost {})?);
        while let Some(frame) = decoder.next_json()? {
            if !on_frame(frame) {
                return Ok(());
            }
        }
    }
    Err(Fault::ConnectionLost {})
}
