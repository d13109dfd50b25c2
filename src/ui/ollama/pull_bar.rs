//! The progress bar of a pull.

use leptos::prelude::*;

/// A bar with its name and its progress.
#[component]
pub fn PullBar(
    /// Its classes.
    class: &'static str,
    /// Its name.
    #[prop(into)]
    name: String,
    /// The bytes received and the total; the total is 0 while it is unknown.
    part: Signal<(u64, u64)>,
) -> impl IntoView {
    view! {
        <label class=class>
            <span>{name}</span>
            <progress
                max=move || part.get().1.max(1).to_string()
                value=move || part.get().0.to_string()
            />
            <span>{move || amount(part.get())}</span>
        </label>
    }
}

/// "1.2 of 2.0 GB"
fn amount((done, all): (u64, u64)) -> String {
    let (tenth, name) = match all {
        1_000_000_000.. => (100_000_000, "GB"),
        1_000_000.. => (100_000, "MB"),
        1.. => (100, "kB"),
        0 => return String::new(),
    };
    let decimal = |bytes: u64| format!("{}.{}", bytes / tenth / 10, bytes / tenth % 10);
    format!("{} of {} {name}", decimal(done), decimal(all))
}
