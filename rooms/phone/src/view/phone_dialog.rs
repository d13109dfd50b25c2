//! The dialog *This page on my phone*.

use super::address_choice::AddressChoice;
use crate::call::addresses;
use crate::network_addresses::NetworkAddresses;
use leptos::either::Either;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_stores::hooks::Command;
use sash_ui_kit::{Dialog, DialogWidth};
use sash_view::parts::{CopyLine, failed_note};
use sash_view::stores::use_kernel;
use sash_wire::Fault;
use sash_words::t;

/// The command that starts Sash for the network.
const COMMAND: &str = "sash --listen 0.0.0.0:7274 --token auto";

/// Whether the dialog is open.
#[derive(Clone, Copy)]
struct PhoneShown(RwSignal<bool>);

/// Shows how the page is used from a phone.
pub fn phone_command() -> Command {
    let shown = RwSignal::new(false);
    provide_context(PhoneShown(shown));
    let words = || t!(phone.menu_entry);
    Command::new("phone", words, move || shown.set(true))
}

/// The dialog: where the page is found from a phone, or how Sash is started so that it is.
#[component]
pub fn PhoneDialog() -> impl IntoView {
    let PhoneShown(shown) = expect_context();

    view! {
        <Dialog class="phone" title=t!(phone.dialog_title) shown width=DialogWidth::Narrow focus_title=true>
            <PhoneHelp />
        </Dialog>
    }
}

/// What to do. The server is asked each time: it may have been started anew, or the machine be in another network.
#[component]
fn PhoneHelp() -> impl IntoView {
    let kernel = use_kernel();
    let PhoneShown(shown) = expect_context();
    let answer = LocalResource::new(|| async { addresses().await.map_err(Fault::from) });
    let choice = |found| match origins(found) {
        origins if origins.is_empty() => Either::Left(view! { <StartCommand /> }),
        origins => Either::Right(view! { <AddressChoice origins /> }),
    };
    let to_library = move |_| {
        shown.set(false);
        kernel.view().show_all_chats("transfer");
    };

    view! {
        <div class="phone-help">
            <ErrorBoundary fallback=failed_note>
                <Suspense fallback=|| {
                    view! { <p>{t!(phone.looking_for_addresses)}</p> }
                }>{move || answer.get().map(|found| found.map(choice))}</Suspense>
            </ErrorBoundary>
        </div>
        <p>{t!(phone.chats_stay_hint)}</p>
        <p>
            <button type="button" class="link" on:click=to_library>
                {t!(phone.take_chats_along)}
            </button>
        </p>
        {(!page::is_https()).then(|| view! { <PlainHttp /> })}
    }
}

/// Says that Sash listens on this machine alone, and the command that changes it.
#[component]
fn StartCommand() -> impl IntoView {
    view! {
        <p>{t!(phone.listens_here_alone)}</p>
        <CopyLine text=COMMAND.to_owned() label=t!(common.copy_the_command) />
        <p>{t!(phone.restart_hint)}</p>
    }
}

/// What is not there at an address that begins with `http://`, and the way to an address by HTTPS.
#[component]
fn PlainHttp() -> impl IntoView {
    let missing = [
        t!(phone.lacks_notices),
        t!(phone.lacks_installing),
        t!(phone.lacks_persistence),
        t!(phone.lacks_locks),
        t!(phone.lacks_privacy),
    ];
    let missing = missing.map(|words| view! { <li>{words}</li> });

    view! {
        <details class="plain-http">
            <summary>{t!(phone.http_limits)}</summary>
            <p>{t!(phone.over_http)}</p>
            <ul>{missing.collect_view()}</ul>
            <p>{t!(phone.over_https)}</p>
            <pre dir="ltr">
                <code>"tailscale serve 7274" "\n" "sash --allow-host MACHINE.TAILNET.ts.net"</code>
            </pre>
        </details>
    }
}

/// The addresses for another device. That of this page is the first, unless it is for this machine alone: it works, and
/// may be a proxy's.
fn origins(found: NetworkAddresses) -> Vec<String> {
    let own = page::origin();
    let is_loopback = page::is_loopback();
    let others = found.origins.into_iter().filter(|origin| *origin != own);
    let own = (!is_loopback).then(|| own.clone());
    own.into_iter().chain(others).collect()
}
