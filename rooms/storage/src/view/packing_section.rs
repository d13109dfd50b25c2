//! Packs idle chats.

use crate::Library;
use leptos::either::EitherOf3;
use leptos::prelude::*;
use sash_log::pack::PackingGain;
use sash_stores::{Kernel, amount};
use sash_view::library::LibraryContext;
use sash_words::{count, t};

/// How long a chat is left unpacked after its last change, in milliseconds: a recent chat is likely to be opened again, and
/// its records may not be on disk yet.
const SETTLED: u64 = 60 * 60 * 1000;
/// How long a chat must be untouched to be packed on request, in milliseconds.
const IDLE: u64 = 7 * 24 * 60 * 60 * 1000;

/// Packs idle chats: how many, the estimated gain, and the result.
#[component]
pub fn PackingSection() -> impl IntoView {
    let (library, chats) = (expect_context::<LibraryContext>(), Library::expect());
    let since = RwSignal::new(IDLE);
    // Both results say for which chats they are: other ones may be chosen meanwhile.
    let estimate = LocalResource::new(move || {
        let since = since.get();
        let idle = chats.idle_chats(since);
        async move {
            let gain = chats.packing_gain(&idle).await;
            (since, idle.len(), gain)
        }
    });
    let pack = Action::new_local(move |since: &u64| {
        let since = *since;
        let idle = chats.idle_chats(since);
        async move {
            let gain = chats.pack_chats(&idle).await;
            library.announce(t!(storage.packed));
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
        (true, _) => EitherOf3::A(t!(storage.packing)),
        (_, Some((_, gain))) => EitherOf3::B(packed_words(&gain)),
        (_, None) => EitherOf3::C(view! {
            <Suspense fallback=|| {
                t!(storage.pack_gain_pending)
            }>{estimate_words}</Suspense>
        }),
    };

    view! {
        <section>
            <h3>{t!(storage.pack_idle_chats)}</h3>
            <p class="library-note">
                {t!(storage.pack_hint)}
            </p>
            <fieldset class="choices" aria-label=t!(library.which_chats)>
                <label>
                    <input
                        type="radio"
                        name="pack-which"
                        checked
                        on:change=move |_| choose(IDLE)
                    />
                    {t!(storage.pack_week_old)}
                </label>
                <label>
                    <input type="radio" name="pack-which" on:change=move |_| choose(SETTLED) />
                    {t!(storage.pack_all_but_recent)}
                </label>
            </fieldset>
            <div class="storage-row">
                <button
                    type="button"
                    class="primary"
                    disabled=move || !can_pack()
                    on:click=move |_| _ = pack.dispatch(since.get_untracked())
                >
                    {t!(storage.pack)}
                </button>
                <p class="library-note" role="status">
                    {words}
                </p>
            </div>
        </section>
    }
}

/// Packs old chats when the storage fills up.
pub fn pack_when_full(kernel: Kernel, library: Library) {
    let percent = Memo::new(move |_| kernel.storage().state.with(|now| now.percent));
    Effect::new(move || {
        let percent = percent.get();
        leptos::task::spawn_local(async move {
            let gain = library.pack_when_full(percent).await;
            if gain.messages > 0 {
                let freed = amount(gain.before.saturating_sub(gain.after));
                kernel
                    .notices()
                    .show(t!(storage.old_chats_packed, after = freed));
            }
        });
    });
}

fn estimate_words(chats: usize, gain: &PackingGain) -> String {
    if gain.messages == 0 {
        return t!(storage.nothing_to_pack).to_owned();
    }
    t!(
        storage.pack_gain,
        messages = count::messages(gain.messages),
        chats = count::chats(chats),
        before = amount(gain.before),
        after = amount(gain.after)
    )
}

fn packed_words(gain: &PackingGain) -> String {
    t!(
        storage.packed_became,
        messages = count::messages(gain.messages),
        before = amount(gain.before),
        after = amount(gain.after)
    )
}
