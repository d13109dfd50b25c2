//! Packs idle chats.

use super::LibraryContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_log::pack::PackingGain;
use sash_state::Latest;
use sash_state::amount;
use sash_state::library::{IDLE_MS as IDLE, SETTLED_MS as SETTLED};
use sash_words::{count, t};

/// The state of packing.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Packing {
    /// The gain is being estimated.
    Estimating,
    /// The number of chats to pack, and the estimated gain.
    Estimated(usize, PackingGain),
    /// Packing is running.
    Running,
    /// Packing is done.
    Done(PackingGain),
}

/// Packs idle chats: how many, the estimated gain, and the result.
#[component]
pub fn PackingSection() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let stores = library.stores;
    let since = RwSignal::new(IDLE);
    let state = RwSignal::new(Packing::Estimating);
    // An estimate of other chats, or one that comes when packing has begun, is dropped.
    let steps = Latest::new();
    Effect::new(move || {
        let since = since.get();
        let step = steps.begin();
        state.set(Packing::Estimating);
        spawn_local(async move {
            let chats = stores.library.idle_chats(since);
            let gain = stores.library.packing_gain(&chats).await;
            // Not if the tab was left.
            if step.is_latest() {
                state.set(Packing::Estimated(chats.len(), gain));
            }
        });
    });
    let pack = move |_| {
        let chats = stores.library.idle_chats(since.get_untracked());
        let step = steps.begin();
        state.set(Packing::Running);
        spawn_local(async move {
            let gain = stores.library.pack_chats(&chats).await;
            library.announce(t!(library.packed));
            // Not if the tab was left, or other chats were chosen.
            if step.is_latest() {
                state.set(Packing::Done(gain));
            }
        });
    };
    let can_pack = move || matches!(state.get(), Packing::Estimated(_, gain) if gain.messages > 0);

    view! {
        <section>
            <h3>{t!(library.pack_idle_chats)}</h3>
            <p class="library-note">
                {t!(library.packed_chats_take_about_a_fifth)}
            </p>
            <fieldset class="choices" aria-label=t!(library.which_chats)>
                <label>
                    <input
                        type="radio"
                        name="pack-which"
                        checked
                        on:change=move |_| since.set(IDLE)
                    />
                    {t!(library.not_touched_for_a_week)}
                </label>
                <label>
                    <input type="radio" name="pack-which" on:change=move |_| since.set(SETTLED) />
                    {t!(library.all_but_the_open_one_and)}
                </label>
            </fieldset>
            <div class="storage-row">
                <button
                    type="button"
                    class="primary"
                    disabled=move || !can_pack()
                    on:click=pack
                >
                    {t!(library.pack)}
                </button>
                <p class="library-note" role="status">
                    {move || words(state.get())}
                </p>
            </div>
        </section>
    }
}

fn words(state: Packing) -> String {
    match state {
        Packing::Estimating => t!(library.working_out_what_that_would_gain).to_owned(),
        Packing::Running => t!(library.packing).to_owned(),
        Packing::Estimated(_, gain) if gain.messages == 0 => {
            t!(library.there_is_nothing_to_pack).to_owned()
        }
        Packing::Estimated(chats, gain) => t!(
            library.of_would_become,
            messages = count::messages(gain.messages),
            chats = count::chats(chats),
            before = amount(gain.before),
            after = amount(gain.after)
        ),
        Packing::Done(gain) => t!(
            library.packed_became,
            messages = count::messages(gain.messages),
            before = amount(gain.before),
            after = amount(gain.after)
        ),
    }
}
