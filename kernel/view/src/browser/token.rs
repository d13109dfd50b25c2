//! The token of LAN mode, and other secrets of the page. They are not in the address that Sash prints: it has a one-time code in
//! its fragment, which appears in no log and no Referer, and the page exchanges it. Older addresses, and those that a page
//! shows for a phone, have the secrets themselves. The fragment is removed from the address bar at once; the token is kept in
//! sessionStorage.

use super::storage::{keep_if_room, local, session};
use futures::future::{Either, FutureExt, LocalBoxFuture, ready, select};
use leptos::ev;
use leptos::prelude::{Callback, window};
use leptos::task::spawn_local;
use leptos_use_event_listener::use_event_listener;
use sash_browser_kit::clock;
use sash_server::api::{self, set_token};
use sash_wire::Fault;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::pin::pin;
use std::rc::Rc;

const KEY: &str = "sash:token";
/// The last codes that this browser asked about, joined by commas.
const OPENED: &str = "sash:opened";
/// How many codes are remembered.
const MOST_OPENED: usize = 32;
/// How long the page waits for what a code gives before it is shown, in milliseconds.
const EXCHANGE_WAIT_MS: i32 = 1_000;

/// What an address gives, or will give.
type Arrival = LocalBoxFuture<'static, Result<Secrets, Fault>>;

thread_local! {
    /// What was in the address of the page when it was opened.
    static ARRIVED: Cell<Option<Arrival>> = const { Cell::new(None) };
}

/// Takes the token from the address or from this tab's storage, and what else of `names` is in the address. A server that
/// does not answer keeps the page waiting for a second; what it gives later arrives later.
pub async fn load(names: &[SecretName]) {
    set_token(kept());
    if let Some(secrets) = take_from_address(names) {
        let exchanged = secrets.exchange().boxed_local();
        let wait = pin!(clock::wait(EXCHANGE_WAIT_MS));
        ARRIVED.set(Some(match select(exchanged, wait).await {
            Either::Left((arrived, _)) => ready(arrived).boxed_local(),
            Either::Right((_, exchanged)) => exchanged,
        }));
    }
}

/// Calls `take` with what was in the address, and with what later addresses of the same page have: one that is opened in a
/// tab that shows the page already loads no new one. Of those `needed` leaves what the page needs: a page that opened
/// this one can give it another address too.
pub fn on_arrival(
    names: &'static [SecretName],
    needed: impl Fn(Secrets) -> Secrets + 'static,
    take: impl Fn(Result<Secrets, Fault>) + 'static,
) {
    let take = Rc::new(take);
    let deliver = move |arrival: Arrival| {
        let take = Rc::clone(&take);
        spawn_local(async move { take(arrival.await) });
    };
    if let Some(arrival) = ARRIVED.take() {
        deliver(arrival);
    }
    _ = use_event_listener(window(), ev::hashchange, move |_| {
        if let Some(secrets) = take_from_address(names) {
            deliver(needed(secrets).exchange().boxed_local());
        }
    });
}

/// A secret that the page may need besides the token.
#[derive(Clone, Copy, Debug)]
pub struct SecretName {
    /// What is before it in the fragment of an address.
    pub prefix: &'static str,
    /// Its name in what a code gives.
    pub name: &'static str,
}

/// The secrets that the page needs besides its token, and what is done with those that were exchanged. It is a context of the
/// page.
#[derive(Clone, Copy)]
pub struct UseSecrets {
    /// Their names.
    pub names: &'static [SecretName],
    /// Takes them; the token is set already.
    pub take: Callback<Secrets>,
}

/// What is in the fragment of an address, or in a text that a person pasted: `c=`, `t=` and others, joined by `&`.
#[derive(Debug, Default)]
pub struct Secrets {
    /// A one-time code for the others.
    code: Option<String>,
    /// The token.
    pub token: Option<String>,
    /// The others, by their names.
    pub others: BTreeMap<String, String>,
}

impl Secrets {
    /// Those of an address, or of a fragment alone.
    #[must_use]
    pub fn parse(text: &str, names: &[SecretName]) -> Self {
        let fragment = text.rsplit('#').next().unwrap_or_default().trim();
        let part = |prefix: &str| {
            let mut parts = fragment.split('&');
            parts.find_map(|part| part.strip_prefix(prefix).map(str::to_owned))
        };
        let other = |other: &SecretName| Some((other.name.to_owned(), part(other.prefix)?));
        Self {
            code: part("c="),
            token: part("t="),
            others: names.iter().filter_map(other).collect(),
        }
    }

    /// Those of a text in the place of a token: what is neither an address nor a part of one is the token.
    #[must_use]
    pub fn of_pasted(text: &str, names: &[SecretName]) -> Self {
        let parsed = Self::parse(text, names);
        match parsed.is_empty() {
            true => Self {
                token: text.rsplit('#').next().map(|token| token.trim().to_owned()),
                ..parsed
            },
            false => parsed,
        }
    }

    fn is_empty(&self) -> bool {
        self.code.is_none() && self.token.is_none() && self.others.is_empty()
    }

    /// With what the code gives; the token is used from now on.
    ///
    /// # Errors
    /// The server's: above all that the code was used or has expired.
    pub async fn exchange(mut self) -> Result<Self, Fault> {
        // To ask again would end what the code gave. So it is noted first: another tab may have the same address, and the
        // answer may be lost.
        let code = self.code.take().filter(|code| note_opened(code));
        if let Some(code) = code {
            let given = api::exchange(code.clone()).await;
            let given = given.map_err(Fault::from);
            if let Err(Fault::TooManyConnections | Fault::RequestTimeout) = given {
                // The server did not come to look at the code.
                forget_opened(&code);
            }
            let given = given?;
            self.token = given.token.or(self.token);
            self.others.extend(given.others);
        }
        if let Some(token) = &self.token {
            remember(token.clone());
        }
        Ok(self)
    }
}

/// The codes that this browser asked about, the newest first.
fn opened() -> Vec<String> {
    let codes = local().and_then(|storage| storage.get_item(OPENED).ok()?);
    let codes = codes.unwrap_or_default();
    codes.split(',').map(str::to_owned).collect()
}

/// Notes a code; false if it was noted before. Without room a second look at the address in this browser ends what it gave.
fn note_opened(code: &str) -> bool {
    let mut codes = opened();
    let is_new = codes.iter().all(|other| other != code);
    if is_new {
        codes.insert(0, code.to_owned());
        codes.truncate(MOST_OPENED);
        keep_if_room(local(), OPENED, Some(&codes.join(",")));
    }
    is_new
}

/// Takes the note back.
fn forget_opened(code: &str) {
    let mut codes = opened();
    codes.retain(|other| other != code);
    keep_if_room(local(), OPENED, Some(&codes.join(",")));
}

/// The token stored for this tab.
#[must_use]
pub fn kept() -> Option<String> {
    session()?.get_item(KEY).ok()?
}

/// Stores and uses a token.
pub fn remember(token: String) {
    // If there is no room, the token is used until the page is closed.
    keep_if_room(session(), KEY, Some(&token));
    set_token(Some(token));
}

fn take_from_address(names: &[SecretName]) -> Option<Secrets> {
    let location = window().location();
    let secrets = Secrets::parse(location.hash().ok()?.strip_prefix('#')?, names);
    if secrets.is_empty() {
        return None;
    }
    let rest = location.pathname().ok()? + &location.search().ok()?;
    let history = window().history().ok()?;
    history
        .replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&rest))
        .ok()?;
    Some(secrets)
}
