//! Packs idle chats.

use crate::ui::stores::use_stores;
use leptos::either::EitherOf3;
use leptos::prelude::*;
use sash_log::pack::PackingGain;
use sash_state::library::{IDLE_MS as IDLE, SETTLED_MS as SETTLED};
use sash_stores::amount;
use sash_view::library::LibraryContext;
use sash_words::{count, t};

/// Packs idle chats: how many, the estimated gain, and the result.
#[component]
pub fn PackingSection() -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let stores = use_stores();
    let since = RwSignal::new(IDLE);
    // Both results say for which chats they are: other ones may be chosen meanwhile.
    let estimate = LocalResource::new(move || {
        let since = since.get();
        let chats = stores.library().idle_chats(since);
        async move {
            let gain = stores.library().packing_gain(&chats).await;
            (since, chats.len(), gain)
        }
    });
    let pack = Action::new_local(move |since: &u64| {
        let since = *since;
        let chats = stores.library().idle_chats(since);
        async move {
            let gain = stores.library().pack_chats(&chats).await;
            library.announce(t!(library.packed));
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
    let estimate_words = move || estimated().map(|(_, chats, gain)| estimate_words(chats, &gain));
    let words = move || match (pack.pending().get(), packed()) {
        (true, _) => EitherOf3::A(t!(library.packing)),
        (_, Some((_, gain))) => EitherOf3::B(packed_words(&gain)),
        (_, None) => EitherOf3::C(view! {
            <Suspense fallback=|| {
                t!(library.working_out_how_much_that_frees)
            }>{estimate_words}</Suspense>
        }),
    };

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
                        on:change=move |_| choose(IDLE)
                    />
                    {t!(library.not_touched_for_a_week)}
                </label>
                <label>
                    <input type="radio" name="pack-which" on:change=move |_| choose(SETTLED) />
                    {t!(library.all_but_the_open_one_and)}
                </label>
            </fieldset>
            <div class="storage-row">
                <button
                    type="button"
                    class="primary"
                    disabled=move || !can_pack()
                    on:click=move |_| _ = pack.dispatch(since.get_untracked())
                >
                    {t!(library.pack)}
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
        return t!(library.there_is_nothing_to_pack).to_owned();
    }
    t!(
        library.of_would_become,
        messages = count::messages(gain.messages),
        chats = count::chats(chats),
        before = amount(gain.before),
        after = amount(gain.after)
    )
}

fn packed_words(gain: &PackingGain) -> String {
    t!(
        library.packed_became,
        messages = count::messages(gain.messages),
        before = amount(gain.before),
        after = amount(gain.after)
    )
}
