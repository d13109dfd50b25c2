//! The address for the phone, and its code.

use leptos::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc};
use sash_view::browser::token;
use sash_view::parts::CopyLine;
use sash_words::t;
use std::fmt::Write;
use web_sys::Event;

/// The rim around the code that cameras need, in modules.
const QUIET_ZONE: i32 = 4;

/// The addresses of the page, one of which is chosen; its code, with the token in it only if the person says so.
#[component]
pub fn AddressChoice(
    /// The addresses, the likeliest first.
    origins: Vec<String>,
) -> impl IntoView {
    let chosen = RwSignal::new(origins.first().cloned().unwrap_or_default());
    let with_token = RwSignal::new(false);
    let token = token::kept();
    let has_token = token.is_some();
    let address = Memo::new(move |_| match token.as_ref().filter(|_| with_token.get()) {
        Some(token) => format!("{}/#t={token}", chosen.get()),
        None => chosen.get(),
    });
    let code = move || {
        let label = t!(phone.code_of, address = chosen.get());
        view! { <QrCodeImage text=address.get() label /> }
    };
    let line = move || {
        view! { <CopyLine text=address.get() label=t!(phone.copy_the_address) /> }
    };
    let choice = (origins.len() > 1).then(|| {
        let options = origins.iter().cloned();
        let options = options.map(|origin| view! { <option value=origin.clone()>{origin.clone()}</option> });
        let options = options.collect_view();
        let choose = move |event: Event| chosen.set(event_target_value(&event));
        view! {
            <div class="setting">
                <label for="phone-address">{t!(phone.address)}</label>
                <select id="phone-address" dir="ltr" aria-describedby="phone-several" on:change=choose>
                    {options}
                </select>
            </div>
            <p id="phone-several" class="hint-line">
                {t!(phone.several_addresses)}
            </p>
        }
    });

    view! {
        <ol>
            <li>{t!(phone.same_network)}</li>
            <li>{t!(phone.scan_or_type)}</li>
            {has_token.then(|| view! { <li>{t!(phone.token_asked_once)}</li> })}
        </ol>
        {choice}
        {code}
        {line}
        {has_token
            .then(|| {
                view! {
                    <label class="setting-switch">
                        <input
                            type="checkbox"
                            aria-describedby="phone-token-warning"
                            prop:checked=move || with_token.get()
                            on:change=move |event| with_token.set(event_target_checked(&event))
                        />
                        <span>{t!(phone.put_the_token_in)}</span>
                    </label>
                    <p id="phone-token-warning" class="hint-line">
                        {t!(phone.token_warning)}
                    </p>
                }
            })}
    }
}

/// The code of a text, black on white in every theme. Empty for a text that is too long for one.
#[component]
fn QrCodeImage(
    /// The text.
    text: String,
    /// What it is of, in words.
    label: String,
) -> impl IntoView {
    let code = QrCode::encode_text(&text, QrCodeEcc::Medium).ok()?;
    let size = code.size();
    let side = size + 2 * QUIET_ZONE;
    let view_box = format!("{0} {0} {side} {side}", -QUIET_ZONE);

    Some(view! {
        <svg class="qr-code" role="img" aria-label=label viewBox=view_box shape-rendering="crispEdges">
            <rect x=-QUIET_ZONE y=-QUIET_ZONE width=side height=side fill="#fff" />
            <path d=dark_modules(&code) fill="#000" />
        </svg>
    })
}

/// The path of the dark modules.
fn dark_modules(code: &QrCode) -> String {
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            // Writing into a string cannot fail.
            _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    path
}
