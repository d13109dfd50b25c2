//! The images of a message in the transcript.

use super::image_thumbnail::about;
use crate::browser::image::{object_url, revoke};
use crate::browser::image_store::BrowserImages;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_chat::Image;
use sash_state::Latest;
use sash_state::edges::Images;
use sash_words::t;

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
    let attachments = use_stores().attachments;
    let hash = image.hash;
    let kept = Memo::new(move |_| attachments.is_kept(hash));
    let url = use_bytes_url(&image, kept);
    let large = RwSignal::new(false);
    let preview = image.preview_url();
    let source = move || url.get().or_else(|| preview.clone());
    let label = match of {
        1 => t!(attachments.image, image = about(&image)),
        of => t!(
            attachments.image_of,
            n = &n,
            of = &of,
            image = about(&image)
        ),
    };
    let is_gone = move || kept.get() == Some(false);

    view! {
        <button
            type="button"
            class="message-image"
            aria-label=label
            aria-pressed=move || large.get().to_string()
            title=move || if large.get() { t!(attachments.show_it_smaller) } else { t!(attachments.show_it_larger) }
            data-gone=is_gone
            on:click=move |_| large.update(|large| *large = !*large)
        >
            <img src=source alt="" width=image.width height=image.height />
        </button>
        <Show when=is_gone>
            <p class="image-gone">
                {t!(attachments.this_image_is_no_longer_kept)}
            </p>
        </Show>
    }
}

/// A URL of the image's bytes, once they are read; freed with the component.
fn use_bytes_url(image: &Image, kept: Memo<Option<bool>>) -> RwSignal<Option<String>> {
    let (hash, format) = (image.hash, image.format);
    let url = RwSignal::new(None::<String>);
    let reading = Latest::new();
    Effect::new(move || {
        if kept.get() != Some(true) || url.with_untracked(Option::is_some) {
            return;
        }
        // A second reading would leave the URL of the first one behind.
        let step = reading.begin();
        spawn_local(async move {
            let Ok(Some(bytes)) = BrowserImages.read(hash).await else {
                return;
            };
            // The row may be gone by then, and with it the signal.
            if step.is_latest() {
                url.set(object_url(&bytes, format.media_type()));
            }
        });
    });
    on_cleanup(move || {
        if let Some(Some(url)) = url.try_get_untracked() {
            revoke(&url);
        }
    });
    url
}
