//! The rules of the window to choose from, one press each.

use super::plural;
use crate::browser::page;
use crate::chat::{Policy, Role};
use crate::ui::dom::{El, button, el, live, typed};
use crate::ui::panel::policy_words;
use crate::ui::session::Session;
use crate::ui::signal::{Memo, RwSignal};
use leptos::ev;
use leptos::prelude::*;
use std::mem::discriminant;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent, Node};

const PRESETS: [(&str, Policy); 6] = [
    ("Last 3 messages", Policy::Messages(3)),
    ("5 exchanges", Policy::Exchanges(5)),
    ("Last 10 messages", Policy::Messages(10)),
    ("10 exchanges", Policy::Exchanges(10)),
    ("Last 20 messages", Policy::Messages(20)),
    ("Everything", Policy::Everything),
];

/// Name, name of the number, the number to begin with, and what makes a rule of it.
type Numbered = (&'static str, &'static str, u32, fn(u32) -> Policy);

const NUMBERED: [Numbered; 3] = [
    ("Last n messages", "Messages", 5, Policy::Messages),
    ("Last n exchanges", "Exchanges", 3, Policy::Exchanges),
    ("Steady, up to", "Messages at most", 12, |n| {
        Policy::Steady {
            keep: n / 3,
            grow_to: n,
        }
    }),
];

/// The choice. It stays open until it is left: trying is cheap, and each step can be undone.
pub fn policy_menu(session: Session, open: RwSignal<bool>) -> El {
    let policy = Memo::new(move |_| session.open.with(|chat| chat.head.policy));
    let mut choices = el("div")
        .class("policies")
        .attr("role", "radiogroup")
        .attr("aria-label", "What goes along")
        .attr("aria-describedby", "policy-words");
    for (name, preset) in PRESETS {
        choices = choices.child(radio(
            name,
            move || policy.get() == preset,
            move || session.set_policy(preset),
        ));
    }
    let half = session.context().map_or(2_000, |context| context / 2);
    let half = u32::try_from(half).unwrap_or(u32::MAX);
    let budget: Numbered = ("Token budget", "Tokens", half, Policy::Tokens);
    for rule in NUMBERED.into_iter().chain([budget]) {
        choices = choices.child(numbered(session, policy, rule));
    }
    let menu = el("div")
        .class("policy-menu")
        .attr("role", "dialog")
        .attr("aria-label", "What goes with a prompt");
    leave_when_elsewhere(&menu, open);
    // The choice that holds, where there is one.
    page::focus_soon("policy-now".to_owned());
    menu.on("keydown", |event: KeyboardEvent| {
        // In a form it would send the prompt.
        let button = event
            .target()
            .is_some_and(|t| t.has_type::<web_sys::HtmlButtonElement>());
        if event.key() == "Enter" && !button {
            event.prevent_default();
            if let Some(field) = event
                .target()
                .and_then(|t| t.dyn_into::<HtmlInputElement>().ok())
            {
                let _ = field.blur();
                let _ = field.focus();
            }
        }
    })
    .child(choices)
    .child(
        el("p")
            .attr("id", "policy-words")
            .live_text(move || words(policy.get())),
    )
    .child(
        el("p")
            .class("policy-length")
            .live_text(move || length(session)),
    )
    .child(offers(session))
    .child(
        el("div")
            .class("policy-buttons")
            .child(for_new_chats(session, policy))
            .child(button("").text("Start afresh here").click(move || {
                open.set(false);
                session.clear_window();
                page::focus("prompt");
            })),
    )
}

/// Whether the page may offer what a draft refers to.
fn offers(session: Session) -> El {
    let field = el("input").attr("type", "checkbox");
    let input: HtmlInputElement = field.element().unchecked_into();
    live(move || input.set_checked(!session.settings.with(|settings| settings.no_offers)));
    let field = field.on("change", move |_: Event| {
        session.change_settings(|settings| settings.no_offers = !settings.no_offers);
    });
    el("label")
        .child(field)
        .child(el("span").text("Offer older messages that a draft refers to"))
}

/// What a rule sends, and what that costs.
fn words(policy: Policy) -> String {
    let cost = match policy {
        Policy::Steady { .. } => " The model re-reads little in between.",
        Policy::Everything => " The model re-reads little, until its context is full.",
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => "",
        _ => " They slide on with each prompt, so the model reads all of them anew.",
    };
    format!("Goes with a prompt: {}.{cost}", policy_words(policy))
}

/// How long the branch is that is being read.
fn length(session: Session) -> String {
    let ids = session.path.get();
    let exchanges = session.open.with(|chat| {
        let asks = |at: usize| chat.get(ids[at]).is_some_and(|m| m.role == Role::User);
        let starts = (0..ids.len()).filter(|at| asks(*at) && (*at == 0 || !asks(at - 1)));
        starts.count()
    });
    format!(
        "This chat has {}, {}.",
        plural(ids.len(), "message"),
        plural(exchanges, "exchange")
    )
}

fn for_new_chats(session: Session, policy: Memo<Policy>) -> El {
    let same = move || {
        session
            .settings
            .with(|settings| settings.policy == policy.get())
    };
    button("")
        .opt_attr("aria-disabled", move || same().then(|| "true".to_owned()))
        .live_text(move || {
            if same() {
                "New chats begin so too"
            } else {
                "Use for new chats"
            }
            .to_owned()
        })
        .click(move || {
            let policy = policy.get_untracked();
            session.change_settings(|settings| settings.policy = policy);
        })
}

/// One of the choices, in a line with what belongs to it.
fn radio(name: &str, on: impl Fn() -> bool + 'static, chosen: impl Fn() + 'static) -> El {
    let field = el("input").attr("type", "radio").attr("name", "policy");
    let input: HtmlInputElement = field.element().unchecked_into();
    live(move || {
        let on = on();
        input.set_checked(on);
        input.set_id(if on { "policy-now" } else { "" });
    });
    let field = field.on("change", move |_: Event| chosen());
    el("label").child(field).child(el("span").text(name))
}

/// A choice with a number in it.
fn numbered(session: Session, policy: Memo<Policy>, rule: Numbered) -> El {
    let (name, label, default, make) = rule;
    let now = move || {
        let policy = policy.get();
        let known = PRESETS.iter().any(|(_, preset)| *preset == policy);
        match policy {
            _ if known || discriminant(&policy) != discriminant(&make(0)) => None,
            Policy::Messages(n) | Policy::Exchanges(n) | Policy::Tokens(n) => Some(n),
            Policy::Steady { grow_to, .. } => Some(grow_to),
            Policy::Everything => None,
        }
    };
    let number = RwSignal::new(default);
    live(move || {
        if let Some(now) = now() {
            number.set(now);
        }
    });
    let field = el("input")
        .attr("type", "number")
        .attr("min", "0")
        .attr("inputmode", "numeric")
        .attr("aria-label", label)
        .value(move || number.get().to_string())
        .on("change", move |event: Event| {
            match typed(&event).parse() {
                Ok(n) => {
                    number.set(n);
                    session.set_policy(make(n));
                }
                // Refused: the field shows the number that holds.
                Err(_) => number.update(|_| ()),
            }
        });
    let radio = radio(
        name,
        move || now().is_some(),
        move || session.set_policy(make(number.get_untracked())),
    );
    el("div").child(radio).child(field)
}

/// A press elsewhere closes it.
fn leave_when_elsewhere(menu: &El, open: RwSignal<bool>) {
    let menu = menu.element();
    let elsewhere = window_event_listener(ev::pointerdown, move |event| {
        let to = event.target().and_then(|to| to.dyn_into::<Node>().ok());
        // The line itself closes it by its click.
        let around = menu.parent_element();
        if around.is_some_and(|around| !around.contains(to.as_ref())) {
            open.set(false);
        }
    });
    on_cleanup(move || elsewhere.remove());
}
