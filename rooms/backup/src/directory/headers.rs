//! What is known of files by their headers, which are read once: as long as size and time of a file are the same, it is the
//! same file.

use super::slots::{has_words, slots};
use super::{BackupDirectory, text_of};
use crate::call::ListedCopy;
use crate::files::{DirectoryFiles, FileStat, MAX_ENTRIES};
use crate::form::{CopyHeader, CopyId, MAX_HEADER, SHELF, Standing, Unreadable, parse_header};
use crate::lines::image_hashes;
use crate::{BackupFault, BackupKey};
use sash_chat::{Id, ImageHash};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many bytes of a file are read for its header, until the end of its first line is among them.
const HEADER_BYTES: [usize; 3] = [4 * 1024, 64 * 1024, MAX_HEADER + 1];
/// The most images of a file without a seal that stay in memory. Of more, its text is read each time.
const MAX_UNSEALED_IMAGES: usize = 64;

/// What is known of the files of a directory.
#[derive(Debug, Default)]
pub struct HeaderCache(Mutex<BTreeMap<String, KnownFile>>);

/// What is known of a file.
#[derive(Clone, Debug)]
pub(super) struct KnownFile {
    stat: FileStat,
    /// What its header says.
    pub listed: ListedCopy,
    /// How many bytes of each browser's `.gone` file are applied to it; `None`: its header is not believed.
    pub gone: Option<BTreeMap<Id, u64>>,
    /// The images that it names; `None`: its text was not read for them.
    pub images: Option<Arc<[ImageHash]>>,
}

impl HeaderCache {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, KnownFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn insert(&self, path: &str, file: KnownFile) {
        let mut files = self.lock();
        // Those that something else removed are never asked for again.
        if files.len() >= MAX_ENTRIES {
            files.clear();
        }
        files.insert(path.to_owned(), file);
    }

    pub(super) fn forget(&self, path: &str) {
        self.lock().remove(path);
    }
}

impl<F: DirectoryFiles + ?Sized> BackupDirectory<'_, F> {
    /// What is known of a file; `None` if it is not there.
    pub(super) async fn known(
        &self,
        path: &str,
        of: CopyId,
    ) -> Result<Option<KnownFile>, BackupFault> {
        let Some(stat) = self.files.stat(path).await? else {
            return Ok(None);
        };
        let known = self.headers.lock().get(path).cloned();
        if let Some(known) = known.filter(|known| known.stat == stat) {
            return Ok(Some(known));
        }
        let Some(line) = self.first_line(path).await? else {
            return Ok(None);
        };
        let mut known = KnownFile::new(of, stat, &line, self.key);
        if of.chat == SHELF {
            // Its header counts no messages; shelves are few, and short.
            let text = self.read(path).await?.unwrap_or_default();
            let entries = slots(&text, SHELF).into_iter();
            let entries = entries.filter(|(slot, line)| has_words(*slot, line));
            known.listed.messages = entries.count() as u64;
        }
        self.headers.insert(path, known.clone());
        Ok(Some(known))
    }

    /// The first line of a file; an empty one for a line that is too long for a header.
    pub(super) async fn first_line(&self, path: &str) -> Result<Option<String>, BackupFault> {
        for bytes in HEADER_BYTES {
            let Some(mut head) = self.files.head(path, bytes as u64).await? else {
                return Ok(None);
            };
            let end = head.iter().position(|byte| *byte == b'\n');
            if end.is_some() || head.len() < bytes {
                head.truncate(end.unwrap_or(head.len()));
                return Ok(Some(text_of(head)));
            }
        }
        Ok(Some(String::new()))
    }

    /// The images that a file names. A header with a seal names them; of another file all that its text has is taken for one.
    pub(super) async fn images_of(
        &self,
        path: &str,
        of: CopyId,
    ) -> Result<Arc<[ImageHash]>, BackupFault> {
        let Some(mut known) = self.known(path, of).await? else {
            return Ok(Arc::default());
        };
        if let Some(images) = known.images {
            return Ok(images);
        }
        let text = self.read(path).await?.unwrap_or_default();
        let images: Arc<[ImageHash]> = image_hashes(&text).into_iter().collect();
        if images.len() <= MAX_UNSEALED_IMAGES {
            known.images = Some(images.clone());
            self.headers.insert(path, known);
        }
        Ok(images)
    }
}

impl KnownFile {
    fn new(of: CopyId, stat: FileStat, line: &str, key: &BackupKey) -> Self {
        let parsed = parse_header(line, of, key);
        let is_newer = parsed == Err(Unreadable::Newer);
        let (header, mut standing) = parsed.unwrap_or((CopyHeader::default(), Standing::Changed));
        let mut record = header.backup;
        // One that was cut short, or has more, is not the state of its browser.
        if standing == Standing::Sealed && stat.size != line.len() as u64 + 1 + record.bytes {
            standing = Standing::Changed;
            record.state.clear();
        }
        let is_sealed = standing == Standing::Sealed;
        Self {
            stat,
            listed: ListedCopy {
                chat: of.chat,
                browser: of.browser,
                title: record.title,
                messages: header.messages,
                at: match header.exported {
                    0 => stat.modified_ms,
                    at => at,
                },
                write: record.write,
                state: record.state,
                standing,
                is_newer,
                bytes: stat.size,
            },
            gone: is_sealed.then_some(record.gone),
            images: is_sealed.then(|| record.images.into()),
        }
    }
}
