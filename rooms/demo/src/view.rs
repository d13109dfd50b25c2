//! The line that says who answers.

use leptos::prelude::*;
use sash_stores::SettingsStoreFields;
use sash_view::parts::BannerLine;
use sash_view::stores::use_kernel;
use sash_wire::Upstream;
use sash_words::t;

/// Says that the demo answers, and leads back to the engines if the person chose it: a server that is itself a demo has no
/// other.
#[component]
pub fn DemoBanner() -> impl IntoView {
    let kernel = use_kernel();
    let is_chosen = move || kernel.settings().current.upstream().get() == Upstream::Demo;
    let go_back = move |_| kernel.engine().use_upstream(Upstream::Configured);

    view! {
        <Show when=move || kernel.engine().is_demo()>
            <BannerLine words=|| t!(demo.notice) is_plain=true>
                <Show when=is_chosen>
                    <button type="button" class="link" on:click=go_back>
                        {t!(demo.back_to_ollama)}
                    </button>
                </Show>
            </BannerLine>
        </Show>
    }
}
