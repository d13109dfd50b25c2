//! The frames of an answer in memory: a position is found by the number of frames before it, and what every reader has
//! can be let go.

use std::collections::VecDeque;

/// The size of a block. A reader copies what it reads at once, at most a block.
const BLOCK_BYTES: usize = 16 * 1024;

/// Lines, one for each frame.
#[derive(Debug, Default)]
pub struct FrameBuffer {
    blocks: VecDeque<Block>,
    /// Where the next line begins: the bytes of all lines so far, those that were let go included.
    end: usize,
    /// All frames so far.
    frames: usize,
    /// What the blocks take in memory.
    held: usize,
}

/// Whole lines.
#[derive(Debug)]
struct Block {
    start: usize,
    first_frame: usize,
    lines: Vec<u8>,
}

impl Block {
    fn end(&self) -> usize {
        self.start + self.lines.len()
    }

    /// Appends lines that fit. A `Vec` by itself would grow to nearly twice the size of a block.
    fn push(&mut self, lines: &[u8]) {
        let (len, capacity) = (self.lines.len(), self.lines.capacity());
        let needed = len + lines.len();
        if needed > capacity {
            let wanted = (2 * capacity).min(BLOCK_BYTES).max(needed);
            self.lines.reserve_exact(wanted - len);
        }
        self.lines.extend_from_slice(lines);
    }

    /// What it takes in memory.
    fn held(&self) -> usize {
        size_of::<Self>() + self.lines.capacity()
    }
}

impl FrameBuffer {
    /// Appends whole lines.
    pub fn push(&mut self, lines: &[u8]) {
        let fits = |block: &Block| block.lines.len() + lines.len() <= BLOCK_BYTES;
        if !self.blocks.back().is_some_and(fits) {
            let block = Block {
                start: self.end,
                first_frame: self.frames,
                lines: Vec::with_capacity(lines.len()),
            };
            self.held += block.held();
            self.blocks.push_back(block);
        }
        if let Some(block) = self.blocks.back_mut() {
            let before = block.held();
            block.push(lines);
            self.held += block.held() - before;
        }
        self.end += lines.len();
        self.frames += lines.iter().filter(|byte| **byte == b'\n').count();
    }

    /// All frames so far.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Where the next line begins.
    pub fn end(&self) -> usize {
        self.end
    }

    /// What it takes in memory.
    pub fn held(&self) -> usize {
        self.held
    }

    /// Where the lines begin that follow the first `after` frames. `None` where there are fewer frames, or these lines
    /// were let go.
    pub fn offset_after(&self, after: usize) -> Option<usize> {
        if after == self.frames {
            return Some(self.end);
        }
        let behind = self
            .blocks
            .partition_point(|block| block.first_frame <= after);
        let block = self.blocks.get(behind.checked_sub(1)?)?;
        let skipped = after - block.first_frame;
        let Some(last) = skipped.checked_sub(1) else {
            return Some(block.start);
        };
        let mut ends = block.lines.iter().enumerate();
        let ends = ends.by_ref().filter(|(_, byte)| **byte == b'\n');
        ends.map(|(at, _)| block.start + at + 1).nth(last)
    }

    /// Whole lines from `offset` on: some of them, none where the next line begins. `None` if they were let go.
    pub fn read(&self, offset: usize) -> Option<&[u8]> {
        if offset == self.end {
            return Some(&[]);
        }
        let behind = self.blocks.partition_point(|block| block.start <= offset);
        let block = self.blocks.get(behind.checked_sub(1)?)?;
        block.lines.get(offset - block.start..)
    }

    /// Lets go of the blocks before `offset`.
    pub fn drop_before(&mut self, offset: usize) {
        while let Some(block) = self.blocks.pop_front_if(|block| block.end() <= offset) {
            self.held -= block.held();
        }
    }

    /// Gives back the memory that further lines would have used.
    pub fn shrink(&mut self) {
        if let Some(block) = self.blocks.back_mut() {
            let before = block.held();
            block.lines.shrink_to_fit();
            self.held -= before - block.held();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_all(buffer: &FrameBuffer, mut offset: usize) -> String {
        let mut all = Vec::new();
        loop {
            let lines = buffer.read(offset).unwrap();
            if lines.is_empty() {
                return String::from_utf8(all).unwrap();
            }
            assert!(lines.ends_with(b"\n"), "whole lines");
            all.extend_from_slice(lines);
            offset += lines.len();
        }
    }

    proptest! {
        #[test]
        fn behind_any_number_of_frames_are_exactly_the_others(
            chunks in prop::collection::vec(prop::collection::vec(1..6000_usize, 1..4), 0..20)
        ) {
            let mut buffer = FrameBuffer::default();
            let mut lines = Vec::new();
            for chunk in &chunks {
                let new: Vec<_> = chunk.iter().map(|bytes| "x".repeat(*bytes) + "\n").collect();
                buffer.push(new.concat().as_bytes());
                lines.extend(new);
            }
            prop_assert_eq!(buffer.frames(), lines.len());
            for after in 0..=lines.len() {
                let offset = buffer.offset_after(after).unwrap();
                prop_assert!(read_all(&buffer, offset) == lines[after..].concat());
            }
            prop_assert_eq!(buffer.offset_after(lines.len() + 1), None);
            buffer.shrink();
            let blocks: usize = buffer.blocks.iter().map(Block::held).sum();
            prop_assert_eq!(buffer.held(), blocks);
            prop_assert!(buffer.held() <= 2 * buffer.end() + 100);
        }
    }

    #[test]
    fn what_was_let_go_is_not_held_and_not_read() {
        let mut buffer = FrameBuffer::default();
        let line = "x".repeat(BLOCK_BYTES / 2) + "\n";
        for _ in 0..10 {
            buffer.push(line.as_bytes());
        }
        let (held, behind) = (buffer.held(), buffer.offset_after(5).unwrap());
        buffer.drop_before(behind);
        assert!(buffer.held() < held * 6 / 10, "{} of {held}", buffer.held());
        assert_eq!(buffer.read(0), None);
        assert_eq!(buffer.offset_after(1), None);
        assert_eq!(read_all(&buffer, behind), line.repeat(5));
        buffer.drop_before(buffer.end());
        assert_eq!((buffer.held(), buffer.frames()), (0, 10));
        assert_eq!(buffer.read(buffer.end()), Some(&b""[..]));
    }
}
