//! Images in words.

use sash_chat::ImageCount;
use sash_wire::short_name;
use sash_words::{count, t};

/// What is to be said of the images of the next request; empty without images.
pub fn image_words(count: ImageCount, model: Option<&str>) -> Vec<String> {
    let mut words = Vec::new();
    if count.sent > 0 {
        let images = count::images(count.sent as usize);
        words.push(t!(files.whose_tokens_are_not_known, images = &images));
    }
    let is_not_sent = |n: u32| t!(files.images_are_not_sent, count = n);
    if count.unseen > 0 {
        let model = model.map_or(t!(files.the_model), short_name);
        words.push(t!(
            files.counted_does_not_see_images,
            unseen = is_not_sent(count.unseen),
            model = &model
        ));
    }
    if count.gone > 0 {
        words.push(t!(
            files.no_longer_kept_in_this_browser,
            gone = is_not_sent(count.gone)
        ));
    }
    words
}

/// What became of the images of a request that was sent, for its receipt.
pub fn sent_image_facts(count: ImageCount) -> Option<String> {
    let parts = [
        (count.sent, t!(files.sent)),
        (count.unseen, t!(files.not_sent_because_the_model_does)),
        (count.gone, t!(files.not_sent_because_they_were_no)),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    (!parts.is_empty()).then(|| t!(files.images, list = parts.join("; ")))
}
