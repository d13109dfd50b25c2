//! The images of files that are imported: they are read one by one.

use super::choice::Choice;
use super::{ImageSource, Imports};
use crate::plan::ImportPlan;
use sash_chat::ImageHash;
use sash_form::check_image;
use sash_log::image::MAX_SOURCE_BYTES;
use std::collections::BTreeSet;

/// What became of an image of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImageKept {
    /// It is kept.
    Kept,
    /// It is not what the file says, or cannot be read: left out, as a damaged record is.
    Damaged,
    /// The browser does not keep it beyond this page.
    NoRoom,
}

impl Imports {
    /// Those images that messages refer to and that are not here yet.
    pub(super) async fn missing(
        self,
        images: &[(ImageHash, ImageSource)],
        plan: &ImportPlan,
    ) -> BTreeSet<ImageHash> {
        let of_file = images.iter().map(|(hash, _)| *hash);
        let mut missing: BTreeSet<ImageHash> = of_file.collect();
        missing.retain(|hash| plan.images.contains(hash));
        for hash in missing.clone() {
            if self.is_kept(hash).await {
                missing.remove(&hash);
            }
        }
        missing
    }

    /// Reads an image, checks it, and keeps it.
    pub(super) async fn keep_image(
        self,
        choice: &Choice,
        hash: ImageHash,
        source: &ImageSource,
    ) -> ImageKept {
        let Some(bytes) = self.read_image(choice, hash, source).await else {
            return ImageKept::Damaged;
        };
        let keep = self.edges.with_images(|images| images.keep(hash, bytes));
        if keep.await {
            return ImageKept::Kept;
        }
        // It is in memory alone, where another attempt would find it and take it for kept.
        let delete = self.edges.with_images(|images| images.delete(vec![hash]));
        delete.await;
        ImageKept::NoRoom
    }

    /// The bytes of an image; `None` if they are not what the plan says.
    async fn read_image(
        self,
        choice: &Choice,
        hash: ImageHash,
        source: &ImageSource,
    ) -> Option<Vec<u8>> {
        match source {
            ImageSource::Line { place, at } => {
                let read = choice.picked(*place)?.read_range(at.clone());
                check_image(hash, &read.await?).ok()
            }
            ImageSource::Scaled { place } => {
                let source = choice.read_all(*place, MAX_SOURCE_BYTES, |_| true).await;
                let source = source.ok()?;
                let scale = self.edges.with_images(|images| images.scale(source));
                let scaled = scale.await.ok()?;
                (scaled.describe().hash == hash).then_some(scaled.bytes)
            }
        }
    }

    async fn is_kept(self, hash: ImageHash) -> bool {
        let kept = self.edges.with_images(|images| images.is_kept(hash));
        kept.await == Ok(true)
    }
}
