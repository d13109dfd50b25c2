//! The images of a message in the transcript.

use super::message_image::MessageImage;
use leptos::prelude::*;
use sash_chat::Image;

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
            <ul class="message-images" aria-label="Images">
                {images.collect_view()}
            </ul>
        }
    })
}
