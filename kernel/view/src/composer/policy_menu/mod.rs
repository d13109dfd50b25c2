//! The menu of policies: a card for each of the four that most people need, the rest folded below.

mod more_rules;
mod numbered_rule;
mod policy_row;

use super::window_words::parts;
use crate::browser::focus_refs::FocusRefs;
use crate::stores::use_kernel;
use leptos::html;
use leptos::prelude::*;
use leptos_use_on_click_outside::on_click_outside;
use more_rules::MoreRules;
use numbered_rule::{NumberedRule, on_cards};
use policy_row::PlainRule;
use sash_browser_kit::console::LogError;
use sash_browser_kit::keys;
use sash_browser_kit::page;
use sash_chat::{ChatSettingsStoreFields, Policy, Role};
use sash_stores::{Kernel, SettingsStoreFields};
use sash_ui_kit::{IconButton, IconName};
use sash_words::{count, t};
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, KeyboardEvent};

/// Whether the menu of policies is open, for what is in it.
#[derive(Clone, Copy)]
pub struct PolicyMenuOpen(pub RwSignal<bool>);

/// The choice of a policy. It stays open until the person leaves it, so that policies can be tried; each
/// change can be undone.
#[component]
pub fn PolicyMenu(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// The element around the menu and the line that opened it: a click outside of it closes the menu.
    place: NodeRef<html::Div>,
) -> impl IntoView {
    let kernel = use_kernel();
    let FocusRefs {
        prompt,
        window_line,
        ..
    } = FocusRefs::expect();
    provide_context(PolicyMenuOpen(open));
    let policy = kernel.chats().open_settings().policy();
    // The line that opened the menu is in `place`: it closes the menu by its own click.
    _ = on_click_outside(place, move |_| open.set(false));
    let close = move || {
        open.set(false);
        page::focus(window_line);
    };
    // Focus may be on no element: a screen reader that reads the menu line by line takes it from the controls.
    keys::use_key_press(move |event| {
        let closes = event.key() == "Escape";
        if closes {
            close();
        }
        closes
    });
    let start_afresh = move |_| {
        open.set(false);
        kernel.steering().clear_window();
        page::focus(prompt);
    };
    let context = move || {
        let tokens = usize::try_from(kernel.steering().assumed_context().0).unwrap_or(usize::MAX);
        count::tokens(tokens)
    };

    view! {
        <div
            class="policy-menu"
            role="dialog"
            aria-label=t!(composer.sent_with_question)
            on:keydown=keep_enter
        >
            <div class="policy-head">
                <strong>{t!(composer.sent_with_question)}</strong>
                <IconButton label=t!(common.close) icon=IconName::Close on:click=move |_| close() />
            </div>
            <p class="policy-parts">
                {move || parts(kernel).join(" ")} " " {move || branch_words(kernel)}
            </p>
            <div class="policies" role="radiogroup" aria-label=t!(composer.rules)>
                {on_cards().map(|rule| view! { <NumberedRule rule policy /> })}
                <PlainRule rule=Policy::Fits policy>
                    <span class="policy-tokens">{context}</span>
                </PlainRule>
            </div>
            <MoreRules policy />
            <DefaultRule policy />
            <div class="policy-buttons">
                <button type="button" on:click=start_afresh>
                    {t!(common.start_afresh_here)}
                </button>
                <span>{t!(composer.clear_context_hint)}</span>
            </div>
        </div>
    }
}

/// The length of the shown branch in words.
fn branch_words(kernel: Kernel) -> String {
    let ids = kernel.chats().path.get();
    let exchanges = kernel.chats().open_tree().with(|tree| {
        let asks = |at: usize| tree.get(ids[at]).is_some_and(|m| m.role == Role::User);
        let starts = (0..ids.len()).filter(|at| asks(*at) && (*at == 0 || !asks(at - 1)));
        starts.count()
    });
    t!(
        composer.chat_length,
        messages = count::messages(ids.len()),
        exchanges = count::exchanges(exchanges)
    )
}

/// Makes Enter in a field accept the number. Otherwise it would submit the composer's form, which contains
/// the menu.
fn keep_enter(event: KeyboardEvent) {
    let field = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    if let Some(field) = field.filter(|_| event.key() == "Enter") {
        event.prevent_default();
        // Leaving a field fires its change event. Focusing can fail only for an element that cannot have
        // focus.
        field.blur().log_error();
        field.focus().log_error();
    }
}

/// Says whether new chats start with the open chat's policy and recall, and sets them as their default.
#[component]
fn DefaultRule(
    /// The policy of the open chat.
    #[prop(into)]
    policy: Signal<Policy>,
) -> impl IntoView {
    let kernel = use_kernel();
    let is_default = move || {
        let (policy, recall) = (policy.get(), kernel.steering().recall_setting.get());
        let settings = kernel.settings();
        let default = settings.current.recall().get();
        settings.current.policy().get() == policy
            && default.unwrap_or_else(|| settings.recall()) == recall
    };
    let use_it = move |_| {
        let policy = policy.get_untracked();
        let recall = kernel.steering().recall_setting.get_untracked();
        kernel.settings().change(|settings| {
            settings.policy = policy;
            settings.recall = Some(recall);
        });
    };
    let words = move || match is_default() {
        true => t!(composer.new_chats_same),
        false => t!(composer.new_chats_differ),
    };

    view! {
        <div class="policy-buttons">
            <button
                type="button"
                aria-describedby="new-chats-words"
                aria-disabled=move || is_default().then_some("true")
                on:click=use_it
            >
                {t!(common.set_for_new_chats)}
            </button>
            <span id="new-chats-words">{words}</span>
        </div>
    }
}
