//! The records at the end of a ZIP file.

/// The record that ends an archive.
const END_MARK: &[u8] = b"PK\x05\x06";
/// Its length without a comment.
const END_BYTES: usize = 22;
/// The record that says where the one of ZIP64 is; it stands before the end.
const LOCATOR_MARK: &[u8] = b"PK\x06\x07";
const LOCATOR_BYTES: usize = 20;
/// The record of ZIP64, which stands before its locator.
const ZIP64_MARK: &[u8] = b"PK\x06\x06";
const ZIP64_BYTES: usize = 56;

/// What the end of an archive says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EndRecord {
    /// The number of this file among those of the archive, and of the file in which the directory begins.
    disks: [u16; 2],
    /// How much further in the file the record of ZIP64 is than its locator says.
    pub shift: Option<u64>,
}

impl EndRecord {
    /// Finds the record in the last bytes of a file, which begin at `from`.
    pub(super) fn find(tail: &[u8], from: u64) -> Option<Self> {
        let last = tail.len().checked_sub(END_BYTES)?;
        let is_end = |at: &usize| {
            tail.get(*at..)
                .is_some_and(|rest| rest.starts_with(END_MARK))
        };
        let at = (0..=last).rev().find(is_end)?;
        let zip64 = at.checked_sub(LOCATOR_BYTES + ZIP64_BYTES);
        Some(Self {
            disks: [u16_at(tail, at + 4)?, u16_at(tail, at + 6)?],
            shift: zip64.and_then(|zip64| shift(tail, zip64, from)),
        })
    }

    /// Whether the archive is in several files.
    pub(super) fn is_split(&self) -> bool {
        self.disks.iter().any(|disk| !matches!(*disk, 0 | u16::MAX))
    }
}

fn shift(tail: &[u8], zip64: usize, from: u64) -> Option<u64> {
    let locator = tail.get(zip64 + ZIP64_BYTES..)?;
    let is_there = tail.get(zip64..)?.starts_with(ZIP64_MARK) && locator.starts_with(LOCATOR_MARK);
    let said = locator
        .get(8..16)?
        .try_into()
        .ok()
        .map(u64::from_le_bytes)?;
    let shift = (from + zip64 as u64).checked_sub(said)?;
    (is_there && shift > 0).then_some(shift)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(u16::from_le_bytes(two))
}

/// Whether a file ends as a ZIP file does, whatever it begins with; `tail` are its last bytes.
#[must_use]
pub fn ends_as_archive(tail: &[u8]) -> bool {
    let Some(last) = tail.len().checked_sub(END_BYTES) else {
        return false;
    };
    let is_end = |at: usize| {
        let comment = u16_at(tail, at + 20).map(usize::from);
        tail[at..].starts_with(END_MARK) && comment == Some(last - at)
    };
    (0..=last).rev().any(is_end)
}
