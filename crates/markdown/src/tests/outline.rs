//! Headings begin one level below the message's and skip none.

use crate::{Outline, html};

fn depths(written: &[u8]) -> Vec<u8> {
    let mut outline = Outline::default();
    written.iter().map(|level| outline.depth(*level)).collect()
}

#[test]
fn depths_begin_at_one_and_skip_none() {
    assert_eq!(depths(&[1, 2, 3]), [1, 2, 3]);
    assert_eq!(depths(&[3, 3, 4, 3]), [1, 1, 2, 1]);
    assert_eq!(depths(&[2, 6, 4, 2]), [1, 2, 2, 1]);
    assert_eq!(depths(&[4, 2, 3]), [1, 1, 2]);
}

#[test]
fn a_shared_page_begins_below_the_message_and_skips_no_level() {
    let shown = html("### A\n\n##### B\n\n> ###### C\n\n### D\n", &|_, _| None);
    let levels: Vec<_> = shown.split("<h").skip(1).map(|rest| &rest[..1]).collect();
    assert_eq!(levels, ["3", "4", "5", "3"], "{shown}");
}
