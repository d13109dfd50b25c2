//! Packs idle chats.

use super::LibraryContext;
use crate::ui::parts::plural;
use leptos::prelude::*;
use sash_log::pack::PackingGain;
use sash_state::amount;
use sash_state::library::{IDLE_MS as IDLE, SETTLED_MS as SETTLED};

/// Packs idle chats: how many, the estimated gain, and the result.
#[component]
pub fn PackingSection() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let stores = library.stores;
    let since = RwSignal::new(IDLE);
    // Both results say for which chats they are: other ones may be chosen meanwhile.
    let estimate = LocalResource::new(move || {
        let since = since.get();
        let chats = stores.library.idle_chats(since);
        async move {
            let gain = stores.library.packing_gain(&chats).await;
            (since, chats.len(), gain)
        }
    });
    let pack = Action::new_local(move |since: &u64| {
        let since = *since;
        let chats = stores.library.idle_chats(since);
        async move {
            let gain = stores.library.pack_chats(&chats).await;
            library.announce("Packed");
            (since, gain)
        }
    });
    let choose = move |which: u64| {
        pack.value().set(None);
        since.set(which);
    };
    let estimated = move || estimate.get().filter(|(of, ..)| *of == since.get());
    let packed = move || pack.value().get().filter(|(of, _)| *of == since.get());
    let can_pack = move || {
        let is_idle = !pack.pending().get() && packed().is_none();
        is_idle && estimated().is_some_and(|(_, _, gain)| gain.messages > 0)
    };
    let words = move || match (pack.pending().get(), packed(), estimated()) {
        (true, ..) => "Packing …".to_owned(),
        (_, Some((_, gain)), _) => packed_words(&gain),
        (.., Some((_, chats, gain))) => estimate_words(chats, &gain),
        (.., None) => "Working out what that would gain …".to_owned(),
    };

    view! {
        <section>
            <h3>"Pack idle chats"</h3>
            <p class="library-note">
                "Packed chats take about a fifth of the room. They open, and are found, as before."
            </p>
            <fieldset class="choices" aria-label="Which chats">
                <label>
                    <input
                        type="radio"
                        name="pack-which"
                        checked
                        on:change=move |_| choose(IDLE)
                    />
                    "Not touched for a week"
                </label>
                <label>
                    <input type="radio" name="pack-which" on:change=move |_| choose(SETTLED) />
                    "All but the open one and those of the last hour"
                </label>
            </fieldset>
            <div class="storage-row">
                <button
                    type="button"
                    class="primary"
                    disabled=move || !can_pack()
                    on:click=move |_| _ = pack.dispatch(since.get_untracked())
                >
                    "Pack"
                </button>
                <p class="library-note" role="status">
                    {words}
                </p>
            </div>
        </section>
    }
}

fn estimate_words(chats: usize, gain: &PackingGain) -> String {
    if gain.messages == 0 {
        return "There is nothing to pack.".to_owned();
    }
    format!(
        "{} of {}: {} would become {}",
        plural(gain.messages, "message"),
        plural(chats, "chat"),
        amount(gain.before),
        amount(gain.after)
    )
}

fn packed_words(gain: &PackingGain) -> String {
    format!(
        "Packed {}: {} became {}",
        plural(gain.messages, "message"),
        amount(gain.before),
        amount(gain.after)
    )
}
