//! The browsers that write the backup.

use super::words::{browser_words, name_of, some_names, titled};
use crate::call::Removed;
use crate::fault::fault_words;
use crate::form::SHELF;
use crate::store::{Backup, KnownBrowser};
use leptos::html::P;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_words::t;

/// The browsers, each with its last write and its size. What one wrote that is not used any more can be removed. What no other
/// browser has stays, so nobody is asked before.
#[component]
pub fn BrowsersList() -> impl IntoView {
    let backup = Backup::expect();
    let browsers = Memo::new(move |_| backup.state.with(|state| state.browsers.clone()));
    let remove = Action::new_local(move |browser: &KnownBrowser| {
        let (id, name) = (browser.id, name_of(browser));
        async move {
            match backup.remove_browser(id).await {
                Ok(removed) => removed_words(&name, &removed),
                Err(fault) => fault_words(&fault),
            }
        }
    });
    let answer = NodeRef::<P>::new();
    let on_remove = Callback::new(move |browser: KnownBrowser| {
        remove.dispatch(browser);
        // The row goes that has the focus.
        page::focus(answer);
    });
    let words = move || remove.value().get().filter(|_| !remove.pending().get());

    view! {
        <Show when=move || !browsers.with(Vec::is_empty)>
            <h4>{t!(backup.browsers_title)}</h4>
            <ul class="backup-browsers">
                <For each=move || browsers.get() key=|one| (one.id, browser_words(one)) let:browser>
                    <BrowserRow browser on_remove />
                </For>
            </ul>
        </Show>
        <p class="library-note" role="status" node_ref=answer tabindex="-1">
            {words}
        </p>
    }
}

/// A browser, and the button that removes its files.
#[component]
fn BrowserRow(
    /// The browser.
    browser: KnownBrowser,
    /// Removes its files.
    on_remove: Callback<KnownBrowser>,
) -> impl IntoView {
    let (name, about) = (name_of(&browser), browser_words(&browser));
    let label = t!(backup.remove_browser, browser = &name);
    let button = (!browser.is_this).then(|| {
        view! {
            <button
                type="button"
                aria-label=label
                on:click=move |_| on_remove.run(browser.clone())
            >
                {t!(common.remove)}
            </button>
        }
    });

    view! {
        <li>
            <span class="backup-browser">
                <span class="result-title" dir="auto">
                    {name}
                </span>
                <span class="library-note">{about}</span>
            </span>
            {button}
        </li>
    }
}

/// What became of the files of a browser.
fn removed_words(browser: &str, removed: &Removed) -> String {
    if removed.only_here.is_empty() {
        return t!(backup.browser_removed, browser = browser);
    }
    let titles = removed.only_here.iter().map(|(chat, title)| match *chat {
        SHELF => t!(backup.shelf).to_owned(),
        _ => titled(title).to_owned(),
    });
    let titles = some_names(&titles.collect::<Vec<_>>(), 0);
    t!(
        backup.browser_removed_except,
        browser = browser,
        titles = titles
    )
}
