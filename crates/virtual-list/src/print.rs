//! Printing a list: all of its rows are mounted first.

use crate::{ListRow, Virtualizer};
use leptos::prelude::*;
use sash_browser_kit::{clock, page};

/// How many rows above and below are mounted in each slice: less than 50 ms of work.
const SLICE: usize = 20;
/// How long answers that are still being built and images that are being read are waited for, in milliseconds.
const MAX_WAIT_MS: f64 = 20_000.0;
/// How often they are looked for, in milliseconds.
const LOOK_MS: i32 = 50;

/// Mounts all rows, slice by slice, so that the page answers meanwhile, and opens the print dialog of the browser.
/// Nothing is printed if other rows are shown meanwhile, as of another list, or with one more.
pub(super) async fn print<R: ListRow>(
    virtualizer: Virtualizer<R>,
    rows: Memo<Vec<R>>,
    update: impl Fn(Vec<R>),
) {
    let ends = move || {
        rows.try_with_untracked(|rows| Some((*rows.first()?, rows.len())))
            .flatten()
    };
    let Some(began_with) = ends() else {
        return;
    };
    let is_shown = move || ends() == Some(began_with);
    virtualizer.set_printing(Some(SLICE));
    while is_shown() && !virtualizer.is_ready_to_print() {
        update(rows.get_untracked());
        clock::pause().await;
    }
    let began = clock::monotonic();
    while is_shown() && virtualizer.is_loading() && clock::monotonic() - began < MAX_WAIT_MS {
        clock::wait(LOOK_MS).await;
    }
    if is_shown() {
        page::print();
    }
    // Where the browser has no print dialog it tells nothing of its end either.
    virtualizer.set_printing(None);
    virtualizer.near_changed.notify();
}
