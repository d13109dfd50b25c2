//! Adding images and files to a draft, and removing images from it.

mod file_draft;
mod files;
mod image_file;

pub use file_draft::{FileDraft, FileEncoding};
pub use image_file::image_format;

use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Id, ImageHash, MAX_IMAGE_BYTES, MAX_IMAGES};
use sash_stores::{Edges, Kernel, ScaledImage};
use sash_words::t;

/// Adds images and files to drafts.
#[derive(Clone, Copy)]
pub struct Adding {
    edges: Edges,
    pub(crate) kernel: Kernel,
    /// The files whose text is looked at before it goes into the prompt; the first one is shown.
    pub files: RwSignal<Vec<FileDraft>>,
}

impl Adding {
    /// Creates the store; no file is looked at.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        Self {
            edges: kernel.edges(),
            kernel,
            files: RwSignal::new(Vec::new()),
        }
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Begins to add images to the draft of a chat. Returns how many of `wanted` there is room for; each of them ends
    /// with [`Self::add`] or [`Self::refuse`]. If it is fewer, says so.
    pub fn begin(self, chat: Id, wanted: usize) -> usize {
        let pending = self.kernel.attachments().pending;
        let taken = self.kernel.drafts().image_count(chat) + pending.get_untracked();
        let room = MAX_IMAGES.saturating_sub(taken).min(wanted);
        if room < wanted {
            self.kernel.notices().show(t!(
                attachments.a_message_takes_images_send_the,
                max_images = MAX_IMAGES
            ));
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
        let outlives_page = match is_temporary {
            true => {
                let bytes = scaled.bytes;
                self.edges
                    .with_images(|images| images.keep_in_memory(hash, bytes));
                false
            }
            false => {
                let keep = self
                    .edges
                    .with_images(|images| images.keep(hash, scaled.bytes));
                keep.await
            }
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
        if !is_new {
            self.kernel
                .notices()
                .show(t!(attachments.this_image_is_there_already));
            return;
        }
        match outlives_page || is_temporary {
            true => self.kernel.notices().announce(t!(attachments.image_added)),
            false => self
                .kernel
                .notices()
                .show(t!(state.this_browser_could_not_keep_the)),
        }
    }

    fn end_pending(self) {
        let pending = self.kernel.attachments().pending;
        pending.update(|pending| *pending = pending.saturating_sub(1));
    }

    /// Removes an image from the draft.
    pub fn remove(self, hash: ImageHash) {
        self.kernel
            .drafts()
            .images
            .update(|images| images.retain(|image| image.hash != hash));
        self.kernel
            .notices()
            .announce(t!(attachments.image_removed));
    }
}
