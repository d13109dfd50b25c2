//! The settings that came with an imported chat and are off.

use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::{ChatSettingsStoreFields, ChatStoreFields, SettingKind};
use sash_records::FIELDS;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::composer::OfferLine;
use sash_view::stores::use_kernel;
use sash_words::t;

/// Says what came with the open chat from a file and is off, and offers to switch it on.
#[component]
pub fn WithheldLine() -> impl IntoView {
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let withheld = Memo::new(move |_| {
        let is_any = kernel.chats().open_settings().withheld().read().is_some();
        match is_any {
            true => kernel
                .chats()
                .open
                .head()
                .with(|head| head.withheld_words(FIELDS)),
            false => Vec::new(),
        }
    });
    let switch_on = move |_| {
        kernel.steering().use_withheld();
        page::focus(prompt);
    };
    let drop = move |_| {
        kernel.steering().drop_withheld();
        page::focus(prompt);
    };
    let list = move || {
        view! {
            <ul class="withheld">
                <For each=move || withheld.get() key=Clone::clone let:setting>
                    <WithheldSetting kind=setting.0 words=setting.1 />
                </For>
            </ul>
        }
    };

    view! {
        <OfferLine
            shown=Signal::derive(move || withheld.with(|all| !all.is_empty()))
            words=t!(import.withheld_settings)
            list=list
        >
            <button type="button" on:click=switch_on>
                {t!(import.switch_settings_on)}
            </button>
            <button type="button" on:click=drop>
                {t!(import.discard_settings)}
            </button>
        </OfferLine>
    }
}

/// A setting that is off.
#[component]
fn WithheldSetting(
    /// Which one.
    kind: SettingKind,
    /// Its value.
    words: String,
) -> impl IntoView {
    view! {
        <li>
            {kind.label()} " " <span class="library-note" dir="auto">
                {words}
            </span>
        </li>
    }
}
