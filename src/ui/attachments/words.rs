//! Images in words.

use crate::ui::parts::plural;
use sash_chat::ImageCount;
use sash_wire::short_name;

/// What is to be said of the images of the next request; empty without images.
pub fn image_words(count: ImageCount, model: Option<&str>) -> Vec<String> {
    let mut words = Vec::new();
    if count.sent > 0 {
        let images = plural(count.sent as usize, "image");
        words.push(format!("{images} whose tokens are not known"));
    }
    let is_not_sent = |n: u32| match n {
        1 => "1 image is not sent".to_owned(),
        n => format!("{n} images are not sent"),
    };
    if count.unseen > 0 {
        let model = model.map_or("the model", short_name);
        words.push(format!(
            "{}: {model} does not see images",
            is_not_sent(count.unseen)
        ));
    }
    if count.gone > 0 {
        words.push(format!(
            "{}: no longer kept in this browser",
            is_not_sent(count.gone)
        ));
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
