//! The JSON of server functions, read as everything else is.

use bytes::Bytes;
use leptos::server_fn::codec::Post;
use leptos::server_fn::{ContentType, Decodes, Encodes, Format, FormatType};
use sash_chat::json::{FromJson, NoJson, parse};
use serde::Serialize;

/// What a server function answers with: as Leptos' own `Json`, whose reader would be a second one.
pub type JsonAnswer = Post<ReadByHand>;

/// JSON that serde writes and [`parse`] reads.
#[derive(Clone, Copy, Debug)]
pub struct ReadByHand;

impl ContentType for ReadByHand {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for ReadByHand {
    const FORMAT_TYPE: Format = Format::Text;
}

impl<T: Serialize> Encodes<T> for ReadByHand {
    type Error = serde_json::Error;

    fn encode(output: &T) -> Result<Bytes, Self::Error> {
        serde_json::to_vec(output).map(Bytes::from)
    }
}

impl<T: FromJson> Decodes<T> for ReadByHand {
    type Error = NoJson;

    fn decode(bytes: Bytes) -> Result<T, NoJson> {
        T::from_json(&parse(&bytes)?).ok_or(NoJson::of_another_form())
    }
}
