//! The rules of the window to choose from: each with what it sends and costs, before it is chosen.

use super::{grouped, plural};
use crate::browser::page;
use crate::ui::dom::{El, button, el, live, typed};
use crate::ui::parts::{Icon, icon_button};
use crate::ui::session::Session;
use leptos::ev;
use leptos::prelude::*;
use sash_chat::{Policy, Role};
use std::mem::discriminant;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent, Node};

/// A rule with a number in it.
#[derive(Clone, Copy)]
struct NumberedRule {
    name: &'static str,
    /// What the number counts.
    label: &'static str,
    /// The number to begin with.
    first: u32,
    suggestions: [u32; 3],
    make: fn(u32) -> Policy,
}

const NUMBERED: [NumberedRule; 4] = [
    NumberedRule {
        name: "Last messages",
        label: "Messages",
        first: 3,
        suggestions: [3, 10, 20],
        make: Policy::Messages,
    },
    NumberedRule {
        name: "Last exchanges",
        label: "Exchanges",
        first: 5,
        suggestions: [3, 5, 10],
        make: Policy::Exchanges,
    },
    NumberedRule {
        name: "Steady",
        label: "Messages at most",
        first: 12,
        suggestions: [8, 12, 20],
        make: steady,
    },
    NumberedRule {
        name: "Tokens",
        label: "Tokens",
        first: 2_000,
        suggestions: [1_000, 2_000, 4_000],
        make: Policy::Tokens,
    },
];

/// The steady rule that grows to so many messages.
pub fn steady(grow_to: u32) -> Policy {
    Policy::Steady {
        keep: grow_to / 3,
        grow_to,
    }
}

/// The choice. It stays open until it is left: trying is cheap, and each step can be undone.
pub fn policy_menu(session: Session, open: RwSignal<bool>) -> El {
    let policy = Memo::new(move |_| session.open.with(|chat| chat.head.policy));
    let mut choices = el("div")
        .class("policies")
        .attr("role", "radiogroup")
        .attr("aria-label", "Rules");
    for rule in NUMBERED {
        choices = choices.child(numbered(session, policy, rule));
    }
    for (name, rule) in [
        ("Everything that fits", Policy::Fits),
        ("Everything", Policy::Everything),
    ] {
        let radio = radio(
            name,
            move || policy.get() == rule,
            move || session.set_policy(rule),
        );
        choices = choices.child(choice(session, radio, move || rule));
    }
    let menu = el("div")
        .class("policy-menu")
        .attr("role", "dialog")
        .attr("aria-label", "What goes with each question");
    leave_when_elsewhere(&menu, open);
    // The choice that holds, where there is one.
    page::focus_soon("policy-now".to_owned());
    let close = icon_button("Close", Icon::Close).click(move || {
        open.set(false);
        page::focus("window-line");
    });
    let head = el("div")
        .class("policy-head")
        .child(el("strong").text("What goes with each question"))
        .child(el("span").live_text(move || length(session)))
        .child(close);
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
    .child(head)
    .child(choices)
    .child(suggest(session))
    .child(for_new_chats(session, policy))
    .child(
        el("div")
            .class("policy-buttons")
            .child(button("").text("Start afresh here").click(move || {
                open.set(false);
                session.clear_window();
                page::focus("prompt");
            }))
            .child(el("span").text("Nothing above goes along any more. Nothing is deleted.")),
    )
}

/// Whether the page may suggest what a draft refers to.
fn suggest(session: Session) -> El {
    let field = el("input")
        .attr("type", "checkbox")
        .attr("aria-describedby", "suggest-words");
    let input: HtmlInputElement = field.element().unchecked_into();
    live(move || input.set_checked(!session.settings.with(|settings| settings.no_offers)));
    let field = field.on("change", move |_: Event| {
        session.change_settings(|settings| settings.no_offers = !settings.no_offers);
    });
    let label = el("label")
        .child(field)
        .child(el("span").text("Suggest older messages"));
    el("div").class("policy-row").child(label).child(
        el("p")
            .attr("id", "suggest-words")
            .text("When what you write refers to one that would not be sent."),
    )
}

/// What a rule sends, and what that costs.
fn words(session: Session, policy: Policy) -> String {
    let slides = |what: String| format!("{what}; all are read anew each time.");
    match policy {
        Policy::Messages(0) | Policy::Exchanges(0) | Policy::Tokens(0) => {
            "The question alone.".to_owned()
        }
        Policy::Messages(1) => slides("The last message before the question".to_owned()),
        Policy::Messages(n) => slides(format!(
            "The last {} before the question",
            plural(n as usize, "message")
        )),
        Policy::Exchanges(1) => slides("The last question with its answer".to_owned()),
        Policy::Exchanges(n) => slides(format!(
            "The last {} with their answers",
            plural(n as usize, "question")
        )),
        Policy::Steady { keep, grow_to } => format!(
            "Grows to {}, then is cut to {keep} and grows again. Little is read anew.",
            plural(grow_to as usize, "message")
        ),
        Policy::Tokens(n) => slides(format!(
            "As many whole exchanges as fit into {}",
            plural(n as usize, "token")
        )),
        Policy::Fits => {
            let (context, known) = session.reckoned_context();
            let guess = match known {
                true => "",
                false => " (reckoned with until the model is loaded)",
            };
            format!(
                "Grows until the model’s {} tokens{guess} are full, with room for an answer; then the older half stays behind. Little is read anew.",
                grouped(context)
            )
        }
        Policy::Everything => {
            "All messages. When they no longer fit, you are asked what to leave out.".to_owned()
        }
    }
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
    let use_it = button("")
        .attr("aria-describedby", "new-chats-words")
        .opt_attr("aria-disabled", move || same().then(|| "true".to_owned()))
        .text("Use for new chats")
        .click(move || {
            let policy = policy.get_untracked();
            session.change_settings(|settings| settings.policy = policy);
        });
    let words = el("span")
        .attr("id", "new-chats-words")
        .live_text(move || match same() {
            true => "New chats use this rule.".to_owned(),
            false => "New chats use another rule.".to_owned(),
        });
    el("div").class("policy-buttons").child(use_it).child(words)
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

/// A rule in the list: how it is chosen, and what it does.
fn choice(session: Session, radio: El, rule: impl Fn() -> Policy + 'static) -> El {
    let words = el("p").live_text(move || words(session, rule()));
    el("div").class("policy-row").child(radio).child(words)
}

/// A rule with a number in it.
fn numbered(session: Session, policy: Memo<Policy>, rule: NumberedRule) -> El {
    let NumberedRule { make, .. } = rule;
    let now = move || {
        let policy = policy.get();
        match policy {
            _ if discriminant(&policy) != discriminant(&make(0)) => None,
            Policy::Messages(n) | Policy::Exchanges(n) | Policy::Tokens(n) => Some(n),
            Policy::Steady { grow_to, .. } => Some(grow_to),
            Policy::Fits | Policy::Everything => None,
        }
    };
    let number = RwSignal::new(rule.first);
    live(move || {
        if let Some(now) = now() {
            number.set(now);
        }
    });
    let choose = move |n| {
        number.set(n);
        session.set_policy(make(n));
    };
    let field = el("input")
        .attr("type", "number")
        .attr("min", "0")
        .attr("inputmode", "numeric")
        .attr("aria-label", rule.label)
        .value(move || number.get().to_string())
        .on("change", move |event: Event| {
            match typed(&event).parse() {
                Ok(n) => choose(n),
                // Refused: the field shows the number that holds.
                Err(_) => number.update(|_| ()),
            }
        });
    let radio = radio(
        rule.name,
        move || now().is_some(),
        move || session.set_policy(make(number.get_untracked())),
    );
    let mut suggestions = el("span").class("policy-suggestions");
    for n in rule.suggestions {
        let words = grouped(u64::from(n));
        let name = format!("{}: {words}", rule.label);
        let suggestion = button("")
            .attr("aria-label", &name)
            .text(&words)
            .click(move || choose(n));
        suggestions = suggestions.child(suggestion);
    }
    let line = el("div")
        .class("policy-line")
        .child(radio)
        .child(field)
        .child(suggestions);
    // A steady rule of an older chat may be cut to another share.
    let shown = move || match policy.get() {
        policy if now().is_some() => policy,
        _ => make(number.get()),
    };
    choice(session, line, shown)
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
