//! Parses an answer while it streams. Prints, after each piece, how many blocks are frozen and what the open
//! one shows.
//!
//! `cargo run -p sash-markdown --example stream`

use sash_markdown::{Document, plain};

const PIECES: [&str; 7] = [
    "# Tides\n",
    "\nThe **moon",
    "** pulls.\n\n```ru",
    "st\nfn pull() {",
    "}\n```\n\n- first\n",
    "- sec",
    "ond\n",
];

fn main() {
    let mut document = Document::new();
    for piece in PIECES {
        document.append(piece);
        let blocks = document.blocks();
        let open = blocks.last().map(|block| plain(&[(*block.node).clone()]));
        println!(
            "{piece:24?} {} of {} blocks frozen, the last shows {:?}",
            document.frozen(),
            blocks.len(),
            open.unwrap_or_default()
        );
    }
    document.finish();
    println!();
    for block in document.blocks() {
        println!("{:?}", block.node);
    }
}
