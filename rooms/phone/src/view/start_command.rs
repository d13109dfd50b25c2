//! The command that starts Sash for the network.

use leptos::prelude::*;
use sash_view::parts::CopyLine;
use sash_words::t;

/// The command.
const COMMAND: &str = "sash --listen 0.0.0.0:7274 --token auto";

/// Says that Sash listens on this machine alone, and the command that changes it.
#[component]
pub fn StartCommand() -> impl IntoView {
    view! {
        <p>{t!(phone.listens_here_alone)}</p>
        <CopyLine text=COMMAND.to_owned() label=t!(common.copy_the_command) />
        <p>{t!(phone.then_open_what_it_prints)}</p>
    }
}
