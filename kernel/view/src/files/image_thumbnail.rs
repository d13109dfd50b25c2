//! An image in small.

use crate::parts::byte_size;
use leptos::either::Either;
use leptos::prelude::*;
use sash_chat::Image;
use sash_words::count::grouped;

/// The preview of an image, or its size in words where it has none.
#[component]
pub fn ImageThumbnail(
    /// The image.
    image: Image,
) -> impl IntoView {
    let words = about(&image);
    match image.preview_url() {
        Some(url) => Either::Left(view! {
            <img class="thumbnail" src=url alt=words.clone() title=words width=image.width height=image.height />
        }),
        None => Either::Right(view! { <span class="thumbnail">{words}</span> }),
    }
}

/// The measures of an image: `1,200 × 800, 183.2 kB`.
pub fn about(image: &Image) -> String {
    let pixels = |n: u32| grouped(u64::from(n));
    format!(
        "{} × {}, {}",
        pixels(image.width),
        pixels(image.height),
        byte_size(image.size)
    )
}
