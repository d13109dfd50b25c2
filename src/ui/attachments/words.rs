//! Images in words.

use crate::ui::parts::plural;
use sash_chat::ImageCount;
use sash_wire::short_name;

/// What the images of the next request add to the line about it; empty without images.
pub fn image_words(count: ImageCount, model: Option<&str>) -> String {
    let mut words = match count.sent {
        0 => String::new(),
        n => format!(
            " and {} whose tokens are not known",
            plural(n as usize, "image")
        ),
    };
    let is_not_sent = |n: u32| match n {
        1 => "1 image is not sent".to_owned(),
        n => format!("{n} images are not sent"),
    };
    if count.unseen > 0 {
        let model = model.map_or("the model", short_name);
        words += &format!(
            " · {}: {model} does not see images",
            is_not_sent(count.unseen)
        );
    }
    if count.gone > 0 {
        words += &format!(
            " · {}: no longer kept in this browser",
            is_not_sent(count.gone)
        );
    }
    words
}

/// What became of the images of a request that was sent, for its receipt.
pub fn sent_image_facts(count: ImageCount) -> Option<String> {
    let parts = [
        (count.sent, "sent"),
        (
            count.unseen,
            "not sent, because the model does not see images",
        ),
        (count.gone, "not sent, because they were no longer kept"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    (!parts.is_empty()).then(|| format!("Images: {}", parts.join("; ")))
}
