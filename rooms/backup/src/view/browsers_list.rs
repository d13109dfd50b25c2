//! The browsers that write the backup.

use super::words::{browser_words, name_of, some_names, titled};
use crate::call::Removed;
use crate::form::SHELF;
use crate::store::{Backup, KnownBrowser};
use leptos::prelude::*;
use sash_view::stores::use_kernel;
use sash_words::t;

/// The browsers, each with its last write and its size. What one wrote that is not used any more can be removed.
#[component]
pub fn BrowsersList() -> impl IntoView {
    let state = Backup::expect().state;
    let browsers = Memo::new(move |_| state.with(|state| state.browsers.clone()));

    view! {
        <Show when=move || !browsers.with(Vec::is_empty)>
            <h4>{t!(backup.browsers_title)}</h4>
            <ul class="backup-browsers">
                <For each=move || browsers.get() key=|one| (one.id, browser_words(one)) let:browser>
                    <BrowserRow browser />
                </For>
            </ul>
        </Show>
    }
}

/// A browser, and the button that removes its files. What no other browser has stays, so nobody is asked before.
#[component]
fn BrowserRow(
    /// The browser.
    browser: KnownBrowser,
) -> impl IntoView {
    let (kernel, backup) = (use_kernel(), Backup::expect());
    let (name, about) = (name_of(&browser), browser_words(&browser));
    let label = t!(backup.remove_browser, browser = &name);
    let title = name.clone();
    let remove = Action::new_local(move |(): &()| {
        let name = name.clone();
        async move {
            let removed = backup.remove_browser(browser.id).await;
            kernel.notices().show(match removed {
                Ok(removed) => removed_words(&name, &removed),
                Err(fault) => fault.to_string(),
            });
        }
    });
    let button = (!browser.is_this).then(|| {
        view! {
            <button type="button" aria-label=label on:click=move |_| _ = remove.dispatch(())>
                {t!(common.remove)}
            </button>
        }
    });

    view! {
        <li>
            <span class="backup-browser">
                <span class="result-title" dir="auto">
                    {title}
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
