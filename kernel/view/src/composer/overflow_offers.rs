//! Actions for a request that does not fit.

use crate::browser::focus_refs::FocusRefs;
use crate::parts::edit_field_id;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_stores::{Overflow, OverflowSource};
use sash_ui_kit::{IconButton, IconName};
use sash_words::{count::grouped, t};

/// The buttons. If a question has already failed to fit, each of them asks it again.
#[component]
pub fn OverflowOffers(
    /// The request.
    overflow: Overflow,
    /// Sends the draft.
    send: Callback<()>,
) -> impl IntoView {
    let kernel = use_kernel();
    let prompt = FocusRefs::expect().prompt;
    let asked = overflow.asked;
    let again = match asked {
        OverflowSource::Question(_) => t!(composer.and_ask_again),
        _ => "",
    };
    let ask_again = move || {
        if let OverflowSource::Question(question) = asked {
            kernel.answers().answer(question);
        }
        match asked {
            OverflowSource::Version(question) => page::focus_id_soon(edit_field_id(question)),
            _ => page::focus(prompt),
        }
    };
    let left = |tokens: &u64| overflow.tokens.saturating_sub(*tokens);
    let largest = kernel.steering().largest(&overflow);
    let largest = largest.filter(|(_, tokens)| left(tokens) < overflow.context);
    let mute = largest.map(|(id, tokens)| {
        let tokens = grouped(tokens);
        view! {
            <OverflowOffer
                label=t!(composer.mute_largest, again = &again, tokens = &tokens)
                act=move || kernel.steering().mute(id, true)
                then=ask_again
            />
        }
    });
    let larger = kernel
        .steering()
        .larger_context(overflow.tokens, overflow.context);
    let raise = larger.map(|tokens| {
        let room = grouped(tokens);
        view! {
            <OverflowOffer
                label=t!(composer.raise_context, room = &room, again = &again)
                act=move || kernel.steering().raise_context(tokens)
                then=ask_again
            />
        }
    });
    let may_send = overflow.guessed && !matches!(asked, OverflowSource::Version(_));
    let send_anyway = move |_| {
        match asked {
            OverflowSource::Draft => send.run(()),
            _ => _ = kernel.steering().sending_anyway().ask(&asked),
        }
        ask_again();
    };
    let close = move || {
        kernel.steering().overflow.set(None);
        page::focus(prompt);
    };
    let leave_out = match asked {
        OverflowSource::Question(question) => Some(view! {
            <OverflowOffer
                label=t!(composer.mute_question)
                act=move || kernel.steering().mute(question, true)
                then=close
            />
        }),
        _ => None,
    };
    let shrink = kernel.steering().shrink_helps(&overflow).then(|| {
        view! {
            <OverflowOffer
                label=t!(composer.shrink_the_window, again = &again)
                act=move || kernel.steering().shrink_window(&overflow)
                then=ask_again
            />
        }
    });

    view! {
        <div class="overflow-offers">
            {shrink} {mute} {raise}
            {leave_out}
            {may_send
                .then(|| {
                    view! {
                        <button type="button" class="link" on:click=send_anyway>
                            {t!(composer.send_anyway)}
                        </button>
                    }
                })} <IconButton label=t!(common.close) icon=IconName::Close on:click=move |_| close() />
        </div>
    }
}

/// A button that makes the request smaller.
#[component]
fn OverflowOffer(
    /// Its label.
    #[prop(into)]
    label: String,
    /// Makes the request smaller.
    act: impl Fn() + 'static,
    /// What follows, such as asking again; focus is restored.
    then: impl Fn() + 'static,
) -> impl IntoView {
    let on_click = move |_| {
        act();
        then();
    };

    view! {
        <button type="button" on:click=on_click>
            {label}
        </button>
    }
}
