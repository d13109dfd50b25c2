//! The request that the draft would become, for the panel: it is shown before it is sent.

use super::Answers;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::Image;
use sash_wire::{ChatRequest, Fault};

impl Answers {
    /// The request that the draft would become if it were sent now, without its images.
    pub fn next_request(self) -> ChatRequest {
        self.next_request_and_images().0
    }

    /// The request that would be sent with this text and no images of its own, with the bytes of those of the window. What
    /// is quoted for the draft goes along or not.
    ///
    /// # Errors
    /// [`Fault::ImageGone`], [`Fault::ImagesUnavailable`].
    pub fn load_request_of(
        self,
        text: String,
        with_quotes: bool,
    ) -> impl Future<Output = Result<ChatRequest, Fault>> {
        let (request, images) = untrack(|| self.request_and_images(text, Vec::new(), with_quotes));
        self.load_images(request, images)
    }

    /// The same request, and the images of its context, message by message, and of the draft.
    fn next_request_and_images(self) -> (ChatRequest, Vec<Vec<Image>>) {
        self.request_and_images(self.drafts().draft.get(), self.drafts().images.get(), true)
    }

    /// Whether the engine of the next request has read all that goes before the prompt: only then it may have that before
    /// the person sends the prompt.
    pub fn was_beginning_read(self) -> bool {
        let model = self.steering().model.get().unwrap_or_default();
        let prompt = self.prompt(model, String::new(), Vec::new(), None);
        self.chats().open.with(|chat| {
            let window = self.steering().chosen;
            let beginning = window.with(|window| prompt.beginning(chat, &chat.head, window));
            beginning.was_read_at(chat, prompt.engine_address.as_deref().unwrap_or_default())
        })
    }

    fn request_and_images(
        self,
        text: String,
        images: Vec<Image>,
        with_quotes: bool,
    ) -> (ChatRequest, Vec<Vec<Image>>) {
        let model = self.steering().model.get().unwrap_or_default();
        let prompt = self.prompt(model, text, images, None);
        let window = match with_quotes {
            true => self.steering().window,
            false => self.steering().chosen,
        };
        self.chats().open.with(|chat| {
            window.with(|window| {
                let request = prompt.request(chat, &chat.head, window);
                (request, prompt.sent_images(chat, window))
            })
        })
    }

    /// The same request with a note in the place of each image: in base64 an image has up to millions of
    /// characters.
    pub fn next_request_in_short(self) -> ChatRequest {
        let (mut request, mut images) = self.next_request_and_images();
        let notes = |images: Vec<Image>| images.iter().map(in_short).collect();
        request.images = images.pop().map(notes).unwrap_or_default();
        for (message, images) in request.context.iter_mut().zip(images) {
            message.images = notes(images);
        }
        request
    }

    /// The same request with the bytes of its images. It is made at the call; only the images are waited for.
    ///
    /// # Errors
    /// [`Fault::ImageGone`], [`Fault::ImagesUnavailable`].
    pub fn load_next_request(self) -> impl Future<Output = Result<ChatRequest, Fault>> {
        let (request, images) = untrack(|| self.next_request_and_images());
        self.load_images(request, images)
    }
}

/// What stands for an image where a request is shown.
fn in_short(image: &Image) -> String {
    let (kind, width, height) = (image.format.media_type(), image.width, image.height);
    format!(
        "{} characters of base64: {kind}, {width} × {height}",
        image.encoded_size()
    )
}
