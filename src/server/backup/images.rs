//! The images of the messages, each a file under its hash.

use super::Backup;
use super::disk;
use super::error::failed;
use sash_chat::{ImageFormat, ImageHash, MAX_IMAGE_BYTES};
use sash_log::image::{decode_image, encode_image, hash_image, kept_format};
use sash_wire::{BackupGetImageRequest, BackupProblem, BackupPutImageRequest, BackupText, Fault};

const FORMATS: [ImageFormat; 2] = [ImageFormat::Png, ImageFormat::Jpeg];

impl Backup {
    /// Keeps an image.
    ///
    /// # Errors
    /// [`Fault::InvalidField`] if the bytes are no image of this hash, and that the folder cannot be written.
    pub fn put_image(&self, request: &BackupPutImageRequest) -> Result<(), Fault> {
        let wrong = || Fault::InvalidField {
            field: "data".to_owned(),
            reason: "it is no image of this hash".to_owned(),
        };
        let bytes = decode_image(&request.data).ok_or_else(wrong)?;
        let format = kept_format(&bytes).ok_or_else(wrong)?;
        if bytes.len() as u64 > MAX_IMAGE_BYTES || hash_image(&bytes) != request.hash {
            return Err(wrong());
        }
        let path = self.folder.image(request.hash, format);
        self.write(|| match path.symlink_metadata() {
            Ok(found) if found.is_file() && found.len() == bytes.len() as u64 => Ok(()),
            Ok(found) if !found.is_file() => Err(failed(BackupProblem::NotPlain)),
            _ => self.folder.replace(&path, &bytes),
        })
    }

    /// The bytes of an image in base64.
    ///
    /// # Errors
    /// [`Fault::NotInBackup`], also for a file that has other bytes than its name says.
    pub fn get_image(&self, request: &BackupGetImageRequest) -> Result<BackupText, Fault> {
        for format in FORMATS {
            let path = self.folder.image(request.hash, format);
            self.folder.check_folder_of(&path)?;
            let bytes = disk::read_bytes(&path, MAX_IMAGE_BYTES);
            let bytes = bytes.map_err(|error| disk::problem(&error))?;
            if let Some(bytes) = bytes.filter(|bytes| hash_image(bytes) == request.hash) {
                let text = encode_image(&bytes);
                return Ok(BackupText { text });
            }
        }
        Err(Fault::NotInBackup)
    }

    /// The images that are there.
    pub(super) fn images(&self) -> Result<Vec<ImageHash>, Fault> {
        let entries = self.folder.entries(&self.folder.path("images"))?;
        let hashes = entries.into_iter().filter_map(|(name, is_file)| {
            let (hash, _) = name.split_once('.')?;
            is_file.then(|| hash.parse().ok())?
        });
        Ok(hashes.collect())
    }

    pub(super) fn remove_image(&self, hash: ImageHash) -> Result<(), Fault> {
        for format in FORMATS {
            let removed = disk::remove(&self.folder.image(hash, format));
            removed.map_err(|error| disk::problem(&error))?;
        }
        Ok(())
    }
}
