//! The section that says whether the browser keeps the chats when its disk gets full, and asks it to.

use leptos::prelude::*;
use sash_view::browser::storage::{is_persistent, request_persistence};
use sash_words::t;

/// Says whether the browser keeps the chats. Empty where it does not say.
#[component]
pub fn KeepingSection() -> impl IntoView {
    let known = LocalResource::new(is_persistent);
    let refused = RwSignal::new(false);
    let request = Action::new_local(move |(): &()| async move {
        let is_kept = request_persistence().await;
        refused.set(is_kept == Some(false));
        known.refetch();
    });
    let is_kept = Memo::new(move |_| known.get().flatten());

    view! {
        <div>
            <ShowLet some=is_kept let:is_kept>
                <section>
                    <h3>{t!(storage.when_disk_full)}</h3>
                    <p class="library-note">
                        {match is_kept {
                            true => t!(storage.keeps_chats),
                            false => t!(storage.may_clear_chats),
                        }}
                    </p>
                    {(!is_kept)
                        .then(|| {
                            view! {
                                <button type="button" on:click=move |_| _ = request.dispatch(())>
                                    {t!(storage.ask_to_keep)}
                                </button>
                            }
                        })}
                    <p class="library-note" role="status">
                        {move || refused.get().then_some(t!(storage.keeping_declined))}
                    </p>
                </section>
            </ShowLet>
        </div>
    }
}
