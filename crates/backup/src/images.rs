//! The images of the messages, each a file under its hash.

use crate::files::FolderFiles;
use crate::folder::{BackupFolder, IMAGES, image_path, images_among};
use sash_calls::{BackupFault, BackupPutImageRequest};
use sash_chat::{ImageFormat, ImageHash, MAX_IMAGE_BYTES};
use sash_log::image::{decode_image, encode_image, hash_image, kept_format};
use sash_wire::Fault;

const FORMATS: [ImageFormat; 2] = [ImageFormat::Png, ImageFormat::Jpeg];

impl<F: FolderFiles + ?Sized> BackupFolder<'_, F> {
    /// Keeps an image.
    ///
    /// # Errors
    /// [`Fault::InvalidField`] if the bytes are no image of this hash, and that the folder cannot be written.
    pub async fn put_image(&self, request: &BackupPutImageRequest) -> Result<(), Fault> {
        let wrong = || Fault::InvalidField {
            field: "data".to_owned(),
            reason: "it is no image of this hash".to_owned(),
        };
        let bytes = decode_image(&request.data).ok_or_else(wrong)?;
        let format = kept_format(&bytes).ok_or_else(wrong)?;
        if bytes.len() as u64 > MAX_IMAGE_BYTES || hash_image(&bytes) != request.hash {
            return Err(wrong());
        }
        let path = image_path(request.hash, format);
        match self.files.size(&path).await? == Some(bytes.len() as u64) {
            true => Ok(()),
            false => self.files.write(&path, &bytes).await,
        }
    }

    /// The bytes of an image in base64.
    ///
    /// # Errors
    /// [`BackupFault::Absent`], also for a file that has other bytes than its name says.
    pub async fn get_image(&self, hash: ImageHash) -> Result<String, Fault> {
        for format in FORMATS {
            let path = image_path(hash, format);
            let bytes = self.files.read(&path, MAX_IMAGE_BYTES).await?;
            if let Some(bytes) = bytes.filter(|bytes| hash_image(bytes) == hash) {
                return Ok(encode_image(&bytes));
            }
        }
        Err(BackupFault::Absent.into())
    }

    /// The images that are there.
    pub(crate) async fn images(&self) -> Result<Vec<ImageHash>, Fault> {
        Ok(images_among(&self.entries(IMAGES).await?))
    }

    pub(crate) async fn remove_image(&self, hash: ImageHash) -> Result<(), Fault> {
        for format in FORMATS {
            self.files.remove(&image_path(hash, format)).await?;
        }
        Ok(())
    }
}
