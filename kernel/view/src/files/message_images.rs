//! The images of a message in the transcript.

use super::image_thumbnail::about;
use crate::browser::image::ObjectUrl;
use crate::browser::image_store::BrowserImages;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::Image;
use sash_stores::edges::Images;
use sash_words::t;
use std::rc::Rc;

/// The images below a question's text.
#[component]
pub fn MessageImages(
    /// The images.
    images: Vec<Image>,
) -> impl IntoView {
    let of = images.len();
    let images = (1..).zip(images).map(|(n, image)| {
        view! {
            <li>
                <MessageImage image n of />
            </li>
        }
    });

    (of > 0).then(|| {
        view! {
            <ul class="message-images" aria-label=t!(common.images)>
                {images.collect_view()}
            </ul>
        }
    })
}

/// The image, which a click shows larger. Where its bytes are no longer kept, its preview and a sentence.
#[component]
fn MessageImage(
    /// The image.
    image: Image,
    /// Its number among those of the message, from 1.
    n: usize,
    /// How many there are.
    of: usize,
) -> impl IntoView {
    let attachments = use_kernel().attachments();
    let hash = image.hash;
    let kept = Memo::new(move |_| attachments.is_kept(hash));
    let url = use_bytes_url(&image, kept);
    let large = RwSignal::new(false);
    let preview = image.preview_url();
    let source = move || match url.get().flatten() {
        Some(url) => Some(url.as_str().to_owned()),
        None => preview.clone(),
    };
    let label = match of {
        1 => t!(files.image, image = about(&image)),
        of => t!(files.image_of, n = &n, of = &of, image = about(&image)),
    };
    let is_gone = move || kept.get() == Some(false);

    view! {
        <button
            type="button"
            class="message-image"
            aria-label=label
            aria-pressed=move || large.get().to_string()
            title=move || if large.get() { t!(files.show_it_smaller) } else { t!(files.show_it_larger) }
            data-gone=is_gone
            data-loading=move || (kept.get().is_none() || url.get().is_none()).then_some("")
            on:click=move |_| large.update(|large| *large = !*large)
        >
            <img src=source alt="" width=image.width height=image.height />
        </button>
        <Show when=is_gone>
            <p class="image-gone">
                {t!(files.only_preview_left)}
            </p>
        </Show>
    }
}

/// A URL of the image's bytes, once they are read, as long as they are kept.
fn use_bytes_url(image: &Image, kept: Memo<Option<bool>>) -> LocalResource<Option<Rc<ObjectUrl>>> {
    let (hash, format) = (image.hash, image.format);
    LocalResource::new(move || {
        let is_kept = kept.get() == Some(true);
        async move {
            let bytes = match is_kept {
                true => BrowserImages.read(hash).await.ok()??,
                false => return None,
            };
            ObjectUrl::new(&bytes, format.media_type()).map(Rc::new)
        }
    })
}
