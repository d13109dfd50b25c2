//! The images of the messages, each a file under its hash.

use super::BackupDirectory;
use super::paths::{copy_path, image_path, image_paths};
use crate::BackupFault;
use crate::call::{FileText, PutImageRequest};
use crate::files::DirectoryFiles;
use crate::form::CopyId;
use sash_chat::{ImageHash, MAX_IMAGE_BYTES};
use sash_log::image::{decode_image, encode_image, hash_image, kept_format};
use sash_wire::Fault;

impl<F: DirectoryFiles + ?Sized> BackupDirectory<'_, F> {
    /// Keeps an image that a copy names. One that comes after its message was deleted for good is not taken.
    ///
    /// # Errors
    /// [`Fault::InvalidField`] if the bytes are no image of this hash, [`BackupFault::Absent`] if the copy does not name it,
    /// and that it cannot be written.
    pub async fn put_image(&self, request: &PutImageRequest) -> Result<(), Fault> {
        let wrong = || Fault::InvalidField {
            field: "data".to_owned(),
            reason: "it is no image of this hash".to_owned(),
        };
        let bytes = decode_image(&request.data).ok_or_else(wrong)?;
        let format = kept_format(&bytes).ok_or_else(wrong)?;
        if hash_image(&bytes) != request.hash {
            return Err(wrong());
        }
        let of = CopyId::new(request.chat, request.browser);
        let copy = self.known(&copy_path(of), of).await?;
        let named = copy.and_then(|copy| copy.images).unwrap_or_default();
        if !named.contains(&request.hash) {
            return Err(BackupFault::Absent.into());
        }
        let path = image_path(request.hash, format);
        Ok(self.files.write(&path, &bytes).await?)
    }

    /// The bytes of an image in base64.
    ///
    /// # Errors
    /// [`BackupFault::Absent`], also for a file that has other bytes than its name says; and that it cannot be read.
    pub async fn get_image(&self, hash: ImageHash) -> Result<FileText, BackupFault> {
        for path in image_paths(hash) {
            let bytes = match self.files.read(&path, MAX_IMAGE_BYTES).await {
                Err(BackupFault::TooLong) => None,
                read => read?,
            };
            if let Some(bytes) = bytes.filter(|bytes| hash_image(bytes) == hash) {
                let text = encode_image(&bytes);
                return Ok(FileText { text });
            }
        }
        Err(BackupFault::Absent)
    }

    /// Whether there is a file of an image. An empty one is what a write left that was broken off on a device.
    pub(super) async fn has_image(&self, hash: ImageHash) -> bool {
        for path in image_paths(hash) {
            if let Ok(Some(stat)) = self.files.stat(&path).await
                && stat.size > 0
            {
                return true;
            }
        }
        false
    }
}
