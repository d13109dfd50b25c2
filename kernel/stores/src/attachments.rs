//! The images of the draft and of the window: whether their bytes are still kept, reading them when a request is sent, and
//! deleting those that nothing refers to any more.

mod sweep;

use crate::base::Base;
use crate::chats::Chats;
use crate::drafts::Drafts;
use crate::edges::Edges;
use crate::hooks::Takers;
use crate::steering::Steering;
use crate::ticket::TicketsOf;
use futures::future::{FutureExt, LocalBoxFuture};
use reactive_graph::computed::Memo;
use reactive_graph::effect::Effect;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::Size;
use sash_chat::{Image, ImageCount, ImageHash};
use sash_log::image::encode_image;
use sash_wire::Fault;
use sash_wire::RequestPlan;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// An image that is not kept here, for who knows where else it is.
pub struct AbsentImage {
    /// The image.
    pub hash: ImageHash,
    fetch: Cell<Option<LocalBoxFuture<'static, bool>>>,
}

impl AbsentImage {
    /// Has it fetched. The future says whether it is here now.
    pub fn fetch(&self, fetch: impl Future<Output = bool> + 'static) {
        self.fetch.set(Some(fetch.boxed_local()));
    }
}

/// The images of the open chat.
#[derive(Clone, Copy)]
pub struct Attachments {
    base: Base,
    edges: Edges,
    drafts: StoredValue<Drafts>,
    steering: StoredValue<Steering>,
    /// How many images are being scaled for the draft: it is not sent before.
    pub pending: RwSignal<usize>,
    /// Whether images are kept, as far as that is known.
    kept: RwSignal<BTreeMap<ImageHash, bool>>,
    /// The images that were looked for.
    looked_for: StoredValue<BTreeSet<ImageHash>>,
    /// The looks for each image: one that began before the image was added or deleted is not heard.
    looks: TicketsOf<ImageHash>,
    absent: Takers<AbsentImage>,
    /// Whether the model of the next prompt sees images.
    pub sees: Memo<bool>,
    /// The images of the next request: how many are sent, and how many are not.
    pub count: Memo<ImageCount>,
    /// The images of the window and the draft.
    next: Memo<Vec<Image>>,
}

uses!(Attachments.base: storage; drafts: Drafts, steering: Steering);

impl Attachments {
    /// Creates the store; nothing is known yet of what is kept.
    #[must_use]
    pub(crate) fn new(base: Base, chats: Chats, drafts: Drafts, steering: Steering) -> Self {
        let (engine, model, window) = (base.engine(), steering.model, steering.chosen);
        let kept: RwSignal<BTreeMap<ImageHash, bool>> = RwSignal::new(BTreeMap::new());
        let sees = Memo::new(move |_| model.get().is_some_and(|model| engine.sees_images(&model)));
        let next = Memo::new(move |_| {
            let mut images = chats.open_tree().with(|tree| {
                window.with(|window| {
                    let entries = window.entries.iter();
                    let messages = entries.filter_map(|entry| tree.get(entry.id));
                    messages
                        .flat_map(|message| message.sent_images().to_vec())
                        .collect::<Vec<_>>()
                })
            });
            images.extend(drafts.images.get());
            images
        });
        let count = Memo::new(move |_| {
            let prompt = RequestPlan {
                images: drafts.images.get(),
                sees_images: sees.get(),
                gone_images: kept.with(gone),
                ..RequestPlan::default()
            };
            chats
                .open
                .with(|chat| window.with(|window| prompt.count_images(chat, window)))
        });
        let attachments = Self {
            base,
            edges: base.edges(),
            drafts: StoredValue::new(drafts),
            steering: StoredValue::new(steering),
            pending: RwSignal::new(0),
            kept,
            looked_for: StoredValue::new(BTreeSet::new()),
            looks: TicketsOf::new(),
            absent: Takers::default(),
            sees,
            count,
            next,
        };
        // Asks the store of images.
        Effect::new(move || {
            for image in next.get() {
                attachments.find_image(image.hash);
            }
        });
        attachments
    }

    /// Who looks elsewhere for images that are not kept here.
    #[must_use]
    pub fn absent(self) -> Takers<AbsentImage> {
        self.absent
    }

    /// Whether the bytes of an image are kept; `None` until that is known.
    pub fn is_kept(self, hash: ImageHash) -> Option<bool> {
        self.find_image(hash);
        self.kept.with(|kept| kept.get(&hash).copied())
    }

    /// The images that are known to be kept no more.
    pub fn gone(self) -> BTreeSet<ImageHash> {
        self.kept.with(gone)
    }

    /// The bytes that the images add to the next request.
    pub fn request_bytes(self) -> usize {
        if !self.sees.get() {
            return 0;
        }
        let gone = self.gone();
        let bytes = self.next.with(|images| {
            let sent = images.iter().filter(|image| !gone.contains(&image.hash));
            sent.map(Image::encoded_size).sum::<u64>()
        });
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// Reads images for a request, in base64.
    ///
    /// # Errors
    /// [`Fault::ImageGone`] if one of them is not kept any more, [`Fault::ImagesUnavailable`] if that is not known.
    pub(crate) async fn load(self, images: Vec<Vec<Image>>) -> Result<Vec<Vec<String>>, Fault> {
        let mut loaded = Vec::with_capacity(images.len());
        for message in images {
            let mut of_message = Vec::with_capacity(message.len());
            for image in message {
                let look = self.looks.begin(image.hash);
                let read = self.edges.with_images(|images| images.read(image.hash));
                let Some(bytes) = read.await.map_err(|_| Fault::ImagesUnavailable)? else {
                    if look.is_current() {
                        self.kept.update(|kept| _ = kept.insert(image.hash, false));
                    }
                    return Err(Fault::ImageGone);
                };
                of_message.push(encode_image(&bytes));
            }
            loaded.push(of_message);
        }
        Ok(loaded)
    }

    fn find_image(self, hash: ImageHash) {
        let is_new = self.looked_for.try_update_value(|known| known.insert(hash));
        if is_new != Some(true) {
            return;
        }
        let look = self.looks.begin(hash);
        self.edges.spawn(async move {
            let mut found = self.edges.with_images(|images| images.is_kept(hash)).await;
            if found == Ok(false) && look.is_current() {
                let fetch = Cell::new(None);
                let image = AbsentImage { hash, fetch };
                self.absent.ask(&image);
                if let Some(fetch) = image.fetch.into_inner() {
                    found = Ok(fetch.await);
                }
            }
            if !look.is_current() {
                return;
            }
            if found != Ok(true) {
                // It may come back: with an import, from another tab, or with the database.
                self.looked_for
                    .update_value(|known| _ = known.remove(&hash));
            }
            let Ok(found) = found else {
                return;
            };
            let is_news = self
                .kept
                .with_untracked(|kept| kept.get(&hash) != Some(&found));
            if is_news {
                self.kept.update(|kept| _ = kept.insert(hash, found));
            }
        });
    }

    /// Records that these images are kept now: they were added.
    pub fn record_kept(self, hashes: impl IntoIterator<Item = ImageHash>) {
        self.kept.update(|kept| {
            for hash in hashes {
                self.looks.cancel(hash);
                self.looked_for.update_value(|known| _ = known.insert(hash));
                kept.insert(hash, true);
            }
        });
    }

    /// The estimated tokens of a text.
    pub fn tokens_of(self, text: &str) -> u64 {
        self.steering().estimate.get().part(Size::of(text))
    }
}

fn gone(kept: &BTreeMap<ImageHash, bool>) -> BTreeSet<ImageHash> {
    let gone = kept.iter().filter(|(_, kept)| !**kept);
    gone.map(|(hash, _)| *hash).collect()
}
