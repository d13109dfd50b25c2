//! The edges of vectors: models that make them, and a place that keeps them.

use crate::EmbedRequest;
use futures::future::LocalBoxFuture;
use sash_chat::Id;
use sash_stores::edges::Call;
use sash_wire::Embedded;
use std::rc::Rc;

/// What vectors need of their environment.
pub struct EmbeddingEdges {
    /// Makes vectors of texts.
    pub embed: Call<EmbedRequest, Embedded>,
    /// Those that are kept.
    pub vectors: Rc<dyn Vectors>,
}

/// The vectors of messages, in the bytes of [`QuantizedVector`](sash_search::vectors::QuantizedVector). They are kept
/// beside the log, for all tabs, and can be made again: what cannot be kept or read is missing, which is no error.
pub trait Vectors {
    /// The vectors of a chat's messages that a model made; none if those of another model are kept.
    fn read(&self, model: String, chat: Id) -> LocalBoxFuture<'static, Vec<(Id, Vec<u8>)>>;
    /// Keeps vectors of a chat's messages that a model made. Those of another model are deleted: only one model's are
    /// kept.
    fn keep(
        &self,
        model: String,
        chat: Id,
        vectors: Vec<(Id, Vec<u8>)>,
    ) -> LocalBoxFuture<'static, ()>;
    /// Deletes the vectors of chats, or of messages of them.
    fn delete(&self, deleted: Vec<(Id, Option<Id>)>) -> LocalBoxFuture<'static, ()>;
    /// Deletes all vectors.
    fn clear(&self) -> LocalBoxFuture<'static, ()>;
}
