//! The address for the phone, and its code.

use super::qr_code::QrCodeImage;
use leptos::prelude::*;
use sash_view::browser::token;
use sash_view::parts::CopyLine;
use sash_words::t;
use web_sys::Event;

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
            {has_token.then(|| view! { <li>{t!(phone.it_asks_for_the_token)}</li> })}
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
