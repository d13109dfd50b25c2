//! The section of the settings.

use super::changelog::Changelog;
use super::updated_line::ReloadButton;
use crate::store::About;
use leptos::prelude::*;
use sash_view::parts::CopyLine;
use sash_view::settings::Setting;
use sash_words::t;

/// Where versions are published: the address of the repository stands in the workspace's Cargo.toml.
const RELEASES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases");

/// Setting: the section itself, so that it is found by its words.
pub const ABOUT: Setting = Setting {
    id: "settings-about",
    words: || t!(about.about_sash),
};

/// Says which Sash runs and what is new in it. Nothing is asked of the network before a press.
#[component]
pub fn AboutSection() -> impl IntoView {
    let about = About::expect();
    let version = move || match about.program.get() {
        Some(program) => {
            let text = format!("sash {program}");
            view! { <CopyLine text label=t!(about.copy_version) /> }.into_any()
        }
        None => view! { <p>{t!(about.version_unknown)}</p> }.into_any(),
    };

    view! {
        <section aria-labelledby=ABOUT.id>
            <h3 id=ABOUT.id>{(ABOUT.words)()}</h3>
            {version}
            <Show when=move || about.is_outdated()>
                <Outdated />
            </Show>
            <p class="hint-line">
                {t!(about.no_update_check)} " "
                <a href=RELEASES target="_blank" rel="noopener noreferrer">
                    {t!(about.releases)}
                </a>
            </p>
            <Changelog />
        </section>
    }
}

/// Says that this page is older than the program, and when it can be loaded again.
#[component]
fn Outdated() -> impl IntoView {
    let about = About::expect();

    view! {
        <p>{t!(about.page_is_older)}</p>
        <Show
            when=move || about.may_reload()
            fallback=|| view! { <p class="hint-line">{t!(about.reload_later)}</p> }
        >
            <div class="setting-buttons">
                <ReloadButton />
            </div>
        </Show>
    }
}
