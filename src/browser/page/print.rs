//! Printing the conversation.

use crate::browser::clock;
use crate::browser::console::LogError;
use leptos::prelude::{document, window};

/// The pause before it is looked again whether all answers are built, in milliseconds.
const PAUSE_MS: i32 = 50;
/// How often that is looked at: a page that is not built after so long is printed as it is.
const MAX_PAUSES: usize = 600;

/// Opens the browser's print dialog once every answer on the page is built. Returns when it is closed.
pub async fn print_when_built() {
    for _ in 0..MAX_PAUSES {
        // At least once: what is to be printed is put on the page after this call.
        clock::wait(PAUSE_MS).await;
        let busy = document().query_selector(".messages [aria-busy=true]");
        if busy.is_ok_and(|found| found.is_none()) {
            break;
        }
    }
    window().print().log_error();
}
