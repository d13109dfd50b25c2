//! Images in words.

use sash_chat::ImageCount;
use sash_wire::short_name;
use sash_words::{count, t};

/// What is to be said of the images of the next request; empty without images.
pub fn image_words(count: ImageCount, model: Option<&str>) -> Vec<String> {
    let mut words = Vec::new();
    if count.sent > 0 {
        let images = count::images(count.sent as usize);
        words.push(t!(files.tokens_unknown, images = &images));
    }
    let is_not_sent = |n: u32| t!(files.images_not_sent, count = n);
    if count.unseen > 0 {
        let model = model.map_or(t!(files.some_model), short_name);
        words.push(t!(
            files.unseen_images,
            unseen = is_not_sent(count.unseen),
            model = &model
        ));
    }
    if count.gone > 0 {
        words.push(t!(files.missing_images, gone = is_not_sent(count.gone)));
    }
    words
}

/// What became of the images of a request that was sent, for its receipt.
pub fn sent_image_facts(count: ImageCount) -> Option<String> {
    let parts = [
        (count.sent, t!(files.sent)),
        (count.unseen, t!(files.not_sent_unseen)),
        (count.gone, t!(files.not_sent_missing)),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    (!parts.is_empty()).then(|| t!(files.images, list = parts.join("; ")))
}
