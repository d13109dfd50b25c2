//! The progress of a pull.

use super::pull_bar::PullBar;
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_state::{PullState, Stores};

/// How many digits of a layer's digest are shown.
const SHORT_DIGEST: usize = 12;

/// The progress of a pull: a bar for the whole and one for each layer.
#[component]
pub fn PullProgress() -> impl IntoView {
    let stores = use_stores();
    let pull = stores.pulls.current;
    let read = move |read: fn(&PullState) -> String| {
        move || pull.with(|pull| pull.as_ref().map(read).unwrap_or_default())
    };
    let whole =
        Signal::derive(move || pull.with(|pull| pull.as_ref().map_or((0, 0), PullState::whole)));
    let digests = Memo::new(move |_| {
        pull.with(|pull| {
            let layers = pull.as_ref().map(|pull| pull.layers.iter());
            layers
                .into_iter()
                .flatten()
                .map(|layer| layer.digest.clone())
                .collect::<Vec<_>>()
        })
    });

    view! {
        <div class="pull">
            <p class="pull-status">
                <strong>{read(|pull| pull.model.clone())}</strong>
                " · "
                <span>{read(|pull| pull.status.clone())}</span>
            </p>
            <PullBar class="bar" name="Whole pull" part=whole />
            <div class="layers">
                <For each=move || digests.get() key=Clone::clone let:digest>
                    <PullBar
                        class="bar bar-layer"
                        name=layer_name(&digest)
                        part=Signal::derive(move || layer_part(stores, &digest))
                    />
                </For>
            </div>
            <button type="button" on:click=move |_| stores.pulls.stop()>
                "Stop pulling"
            </button>
        </div>
    }
}

/// The name of a layer: the first digits of its digest.
fn layer_name(digest: &str) -> String {
    let digits = digest.strip_prefix("sha256:").unwrap_or(digest);
    let digits: String = digits.chars().take(SHORT_DIGEST).collect();
    format!("Layer {digits}")
}

/// The bytes received of a layer, and its size.
fn layer_part(stores: Stores, digest: &str) -> (u64, u64) {
    stores.pulls.current.with(|pull| {
        let layers = pull.as_ref().map(|pull| pull.layers.iter());
        let layer = layers
            .into_iter()
            .flatten()
            .find(|layer| layer.digest == digest);
        layer.map_or((0, 0), |layer| (layer.completed, layer.total))
    })
}
