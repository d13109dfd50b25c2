//! Adding images and files to a draft, and removing images from it. The text of any other file than an image goes into the
//! prompt once the person has looked at it, and at how much of the model's context it takes.

mod file_draft;
#[cfg(any(target_arch = "wasm32", test))]
pub(crate) mod unicode;

pub use file_draft::{FileDraft, FileEncoding};

use crate::DocumentFormat;
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::ContextFit;
use sash_chat::{Id, ImageHash, MAX_IMAGE_BYTES, MAX_IMAGES, TextFile};
use sash_log::image::SourceFormat;
use sash_stores::{Kernel, ScaledImage};
use sash_words::t;

/// Adds images and files to drafts.
#[derive(Clone, Copy)]
pub struct Adding {
    pub(crate) kernel: Kernel,
    /// The files whose text is looked at before it goes into the prompt; the first one is shown.
    pub files: RwSignal<Vec<FileDraft>>,
    /// How many tasks read files.
    reading: RwSignal<usize>,
}

impl Adding {
    /// Creates the store; no file is looked at.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            files: RwSignal::new(Vec::new()),
            reading: RwSignal::new(0),
        }
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Runs a task that reads files.
    pub async fn read_files(self, task: impl Future<Output = ()>) {
        self.reading.update(|reading| *reading += 1);
        task.await;
        self.reading.update(|reading| *reading -= 1);
    }

    /// Whether a file is being read or looked at, which the end of the page would lose; tracked.
    #[must_use]
    pub fn is_adding(self) -> bool {
        self.reading.get() > 0 || self.files.with(|files| !files.is_empty())
    }

    /// Begins to add images to the draft of a chat. Returns how many of `wanted` there is room for; each of them ends
    /// with [`Self::add`] or [`Self::refuse`]. If it is fewer, says so.
    pub fn begin(self, chat: Id, wanted: usize) -> usize {
        let pending = self.kernel.attachments().pending;
        let taken = self.kernel.drafts().image_count(chat) + pending.get_untracked();
        let room = MAX_IMAGES.saturating_sub(taken).min(wanted);
        if room < wanted {
            let words = t!(attachments.too_many_images, max_images = MAX_IMAGES);
            self.kernel.notices().show(words);
        }
        pending.update(|pending| *pending += room);
        room
    }

    /// Says why an image was not added: `why` follows its name.
    pub fn refuse(self, name: &str, why: &str) {
        self.end_pending();
        self.kernel.notices().show(format!("“{name}” {why}"));
    }

    /// Adds a scaled image to the draft of `chat`, after its bytes are kept.
    pub async fn add(self, chat: Id, scaled: ScaledImage) {
        let image = scaled.describe();
        debug_assert!(image.size <= MAX_IMAGE_BYTES, "the browser has scaled it");
        let hash = image.hash;
        let is_temporary = !self.kernel.chats().may_store(chat);
        let edges = self.kernel.edges();
        let outlives_page = if is_temporary {
            edges.with_images(|images| images.keep_in_memory(hash, scaled.bytes));
            false
        } else {
            let keep = edges.with_images(|images| images.keep(hash, scaled.bytes));
            keep.await
        };
        self.kernel.attachments().record_kept([hash]);
        self.end_pending();
        // The person may have opened another chat meanwhile; the image belongs to the draft that it was added to.
        let mut is_new = false;
        self.kernel.drafts().change(chat, |draft| {
            is_new = draft.images.iter().all(|known| known.hash != hash);
            if is_new {
                draft.images.push(image);
            }
        });
        let notices = self.kernel.notices();
        if !is_new {
            notices.show(t!(attachments.image_already_there));
        } else if outlives_page || is_temporary {
            notices.announce(t!(attachments.image_added));
        } else {
            notices.show(t!(state.image_not_kept));
        }
    }

    fn end_pending(self) {
        let pending = self.kernel.attachments().pending;
        pending.update(|pending| *pending = pending.saturating_sub(1));
    }

    /// Removes an image from the draft.
    pub fn remove(self, hash: ImageHash) {
        let images = self.kernel.drafts().images;
        images.update(|images| images.retain(|image| image.hash != hash));
        self.kernel
            .notices()
            .announce(t!(attachments.image_removed));
    }

    /// The tokens that are left in the model's context for a file, beside the present request and an answer, and whether
    /// the context is known: while the model is not loaded it is assumed.
    pub fn room_for_file(self) -> (u64, bool) {
        let steering = self.kernel.steering();
        let (context, is_known) = steering.assumed_context();
        let taken = steering.fit.get().1 + ContextFit::answer(context);
        (context.saturating_sub(taken), is_known)
    }

    /// The context length that would hold a file of so many tokens besides, if the model can have it.
    pub fn context_for_file(self, tokens: u64) -> Option<u64> {
        let steering = self.kernel.steering();
        let needed = steering.fit.get().1 + tokens;
        steering.larger_context(needed, steering.assumed_context().0)
    }

    /// Adds a file to the prompt, after the files that it has.
    pub fn put_into_prompt(self, name: String, text: String) {
        let files = self.kernel.drafts().files;
        files.update(|files| files.push(TextFile { name, text }));
        let words = t!(attachments.file_added);
        self.kernel.notices().announce(words);
    }
}

/// The format of an image file by its beginning, its name and its type, as [`SourceFormat::of_file`]. A document is one
/// whatever its file is called: only its bytes can make it an image.
#[must_use]
pub fn image_format(head: &[u8], name: &str, media_type: &str) -> Option<SourceFormat> {
    match DocumentFormat::of(head) {
        Some(_) => SourceFormat::of(head),
        None => SourceFormat::of_file(head, name, media_type),
    }
}
