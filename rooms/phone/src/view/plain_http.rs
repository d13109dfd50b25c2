//! Features that browsers leave out over plain HTTP.

use leptos::prelude::*;
use sash_words::t;

/// What is not there at an address that begins with `http://`, and the way to an address by HTTPS.
#[component]
pub fn PlainHttp() -> impl IntoView {
    let missing = [
        t!(phone.no_notices),
        t!(phone.no_installing),
        t!(phone.no_promise),
        t!(phone.no_locks),
        t!(phone.no_privacy),
    ];
    let missing = missing.map(|words| view! { <li>{words}</li> });

    view! {
        <details class="plain-http">
            <summary>{t!(phone.what_plain_http_leaves_out)}</summary>
            <p>{t!(phone.over_plain_http)}</p>
            <ul>{missing.collect_view()}</ul>
            <p>{t!(phone.by_https)}</p>
            <pre dir="ltr">
                <code>"tailscale serve 7274" "\n" "sash --allow-host MACHINE.TAILNET.ts.net"</code>
            </pre>
        </details>
    }
}
