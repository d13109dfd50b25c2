//! Removing packed messages for good.

use super::NotPacked;
use super::segment::compress;
use super::unpack::read_line;
use crate::{Key, KeyValue, Log, encode_record};
use sash_chat::{Head, Id, Packed};
use std::collections::BTreeSet;

impl<S: KeyValue> Log<S> {
    /// Removes messages from their segments: each such segment is rewritten without them. Their tombstones
    /// stay.
    ///
    /// # Errors
    /// [`NotPacked`]; segments that could not be rewritten are unchanged.
    pub(crate) fn purge_packed(&mut self, chat: Id, ids: &[Id]) -> Result<(), NotPacked> {
        // There may be as many of them as messages.
        let ids: BTreeSet<&Id> = ids.iter().collect();
        let mut gone = 0;
        for n in self.segments(chat) {
            let key = Key::Segment(chat, n);
            let Some(text) = self.unpack_segment(key) else {
                continue;
            };
            let stays =
                |line: &&str| read_line(line).is_none_or(|line| !ids.contains(&line.message.id));
            let kept: Vec<&str> = text.lines().filter(stays).collect();
            let fewer = text.lines().count() - kept.len();
            if fewer > 0 {
                if !kept.is_empty() {
                    let next = self.segments(chat).last().map_or(0, |n| n + 1);
                    let fresh = Key::Segment(chat, next);
                    let kept = kept.join("\n");
                    self.put(fresh, &encode_record(&compress(&kept)))?;
                    if self.unpack_segment(fresh).is_none_or(|text| text != kept) {
                        self.remove(fresh);
                        return Err(NotPacked::Store(crate::StoreError::Refused));
                    }
                }
                self.remove(key);
                gone += fewer;
            }
        }
        if gone > 0 {
            self.reduce_packed_count(chat, u32::try_from(gone).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    /// Lowers the head's number of packed messages. If that fails, the number is too high and nothing else is
    /// wrong.
    fn reduce_packed_count(&mut self, chat: Id, gone: u32) {
        let head = self.read::<Head>(Key::Head(chat));
        let Some((mut head, packed)) = head.and_then(|mut head| {
            let packed = head.packed.take()?;
            Some((head, packed))
        }) else {
            return;
        };
        head.packed = (!self.segments(chat).is_empty()).then(|| Packed {
            count: packed.count.saturating_sub(gone),
            ..packed
        });
        head.rev = head.rev.wrapping_add(1);
        let _ = self.put(Key::Head(chat), &encode_record(&head));
    }
}
