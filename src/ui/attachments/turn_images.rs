//! The images of a message of the next request.

use super::image_thumbnail::ImageThumbnail;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Image;

/// The images in small, and below each that is not sent the reason.
#[component]
pub fn TurnImages(
    /// The images.
    #[prop(into)]
    images: Signal<Vec<Image>>,
) -> impl IntoView {
    let attachments = use_stores().attachments;
    let why_not = move |image: &Image| {
        let hash = image.hash;
        move || match attachments.is_kept(hash) {
            _ if !attachments.sees.get() => Some("Not sent: the model does not see images."),
            Some(false) => Some("Not sent: no longer kept in this browser."),
            _ => None,
        }
    };

    view! {
        <Show when=move || images.with(|images| !images.is_empty())>
            <div class="turn-images" role="group" aria-label="Images">
                <For each=move || images.get() key=|image| image.hash let:image>
                    <div>
                        <span>{why_not(&image)}</span>
                        <ImageThumbnail image />
                    </div>
                </For>
            </div>
        </Show>
    }
}
