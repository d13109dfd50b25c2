//! The images of the draft.

use crate::Adding;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::Image;
use sash_ui_kit::{IconButton, IconName};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::files::{ImageThumbnail, about};
use sash_view::stores::use_kernel;
use sash_wire::short_name;
use sash_words::{count, t};

/// The images above the prompt field, each with a button that removes it.
#[component]
pub fn DraftImages() -> impl IntoView {
    let kernel = use_kernel();
    let images = kernel.drafts().images;
    let any = move || images.with(|images| !images.is_empty());
    let pending = move || match kernel.attachments().pending.get() {
        0 => String::new(),
        n => t!(attachments.adding, images = count::images(n)),
    };
    // A prompt needs words.
    let hint = move || {
        let empty = kernel.drafts().draft.with(|draft| draft.trim().is_empty());
        (any() && empty).then_some(t!(attachments.ask_about_image))
    };

    view! {
        <div class="draft-images">
            <Show when=any>
                <ul aria-label=t!(attachments.prompt_images)>
                    <For each=move || images.get() key=|image| image.hash let:image>
                        <DraftImage image />
                    </For>
                </ul>
            </Show>
            <p role="status">{pending}</p>
            {move || hint().map(|hint| view! { <p>{hint}</p> })}
            <Show when=move || any() && !kernel.attachments().sees.get()>
                <SeeingModels />
            </Show>
        </div>
    }
}

/// Says that the model does not see the images, which stay, and offers models that do.
#[component]
fn SeeingModels() -> impl IntoView {
    /// How many models are offered at most.
    const MAX_OFFERED: usize = 2;
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let words = move || match kernel.steering().model.get() {
        Some(model) => t!(
            attachments.model_sees_no_images,
            name = short_name(&model.name)
        ),
        None => t!(attachments.images_need_model).to_owned(),
    };
    let offers = move || {
        let seeing = kernel.engine().seeing().into_iter().take(MAX_OFFERED);
        let offers = seeing.map(|model| {
            let label = t!(attachments.use_word, name = short_name(&model.name));
            let choose = move |_| {
                kernel.chats().choose_model(model.clone());
                page::focus(prompt);
            };
            view! {
                <button type="button" class="link" on:click=choose>
                    {label}
                </button>
            }
        });
        offers.collect_view()
    };
    view! {
        <p class="blind" role="status">
            {words} " " {offers}
        </p>
    }
}

/// One of them.
#[component]
fn DraftImage(
    /// The image.
    image: Image,
) -> impl IntoView {
    let adding = Adding::expect();
    let prompt = FocusRefs::expect().prompt;
    let hash = image.hash;
    let label = t!(attachments.remove_the_image, image = about(&image));
    let remove = move |_| {
        adding.remove(hash);
        page::focus(prompt);
    };

    view! {
        <li>
            <ImageThumbnail image />
            <IconButton label=label icon=IconName::Close on:click=remove />
        </li>
    }
}
