//! Merging copies: messages, fields, shelf, what was deleted for good, and all of it broken off anywhere.

mod broken_off;
mod fields;
mod frail;
mod gone;
mod history;
mod messages;
mod shelf;

use super::{CHAT, message};
use frail::{Copies, Frail, FrailLog, write};
use sash_chat::{Head, Id};
use sash_log::Log;

const NOW: u64 = 1_000;
const A: u64 = 0xa1;
const B: u64 = 0xb1;
const C: u64 = 0xc1;

fn open_as(store: Frail, install: Id) -> FrailLog {
    Log::open(store, install, sash_records::KINDS)
        .map_err(|(_, error)| error)
        .unwrap()
}

fn browser(id: u64) -> FrailLog {
    open_as(Frail::default(), Id(id))
}

/// Two browsers that have the same chat of a question and its answer, and have handed it over.
fn two_browsers() -> (FrailLog, FrailLog, Copies) {
    let (mut a, mut b, mut copies) = (browser(A), browser(B), Copies::default());
    a.save_head(&Head::new(CHAT, 5)).unwrap();
    write(&mut a, CHAT, &message(101, 0, 1, "A question"));
    write(&mut a, CHAT, &message(102, 101, 2, "An answer"));
    copies.follow_all(&mut [&mut a, &mut b], &[CHAT]);
    (a, b, copies)
}
