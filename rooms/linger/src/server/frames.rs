//! The frames of an answer in memory: a position is found by the number of frames before it, and what every reader has
//! can be let go.

/// About how much a reader copies at once.
const READ_BYTES: usize = 16 * 1024;
/// The most memory that is taken before it is needed.
const MAX_SPARE_BYTES: usize = 512 * 1024;

/// Lines, one for each frame.
#[derive(Debug, Default)]
pub struct FrameBuffer {
    lines: Vec<u8>,
    /// The bytes of the lines that were let go.
    start: usize,
    /// All frames so far.
    frames: usize,
}

impl FrameBuffer {
    /// Appends whole lines.
    pub fn push(&mut self, lines: &[u8]) {
        let capacity = self.held() + self.growth(lines.len());
        self.lines.reserve_exact(capacity - self.lines.len());
        self.lines.extend_from_slice(lines);
        self.frames += newlines(lines).count();
    }

    /// All frames so far.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The bytes of all lines so far, those that were let go included: there the next line begins.
    pub fn end(&self) -> usize {
        self.start + self.lines.len()
    }

    /// What it takes in memory.
    pub fn held(&self) -> usize {
        self.lines.capacity()
    }

    /// The memory that so many more bytes take. A `Vec` by itself would grow to twice its size, and all of it is
    /// counted.
    pub fn growth(&self, bytes: usize) -> usize {
        let needed = self.lines.len() + bytes;
        match needed > self.held() {
            true => needed + (needed / 5).min(MAX_SPARE_BYTES) - self.held(),
            false => 0,
        }
    }

    /// The beginning of the lines that follow the first `after` frames, of which none was let go. `None` where there are
    /// fewer frames.
    pub fn offset_after(&self, after: usize) -> Option<usize> {
        match after.checked_sub(1) {
            None => Some(0),
            Some(last) => newlines(&self.lines).nth(last).map(|at| at + 1),
        }
    }

    /// Whole lines from `offset` on: some of them, none where the next line begins.
    pub fn read(&self, offset: usize) -> &[u8] {
        let lines = &self.lines[offset - self.start..];
        match lines.get(READ_BYTES..) {
            None => lines,
            // Up to the end of the line that reaches so far.
            Some(rest) => {
                let more = newlines(rest).next().map_or(rest.len(), |at| at + 1);
                &lines[..READ_BYTES + more]
            }
        }
    }

    /// Lets go of the lines before `offset`, once they are half of all: the others are copied.
    pub fn drop_before(&mut self, offset: usize) {
        let count = offset - self.start;
        if 2 * count >= self.lines.len() {
            self.lines = self.lines[count..].to_vec();
            self.start = offset;
        }
    }

    /// Gives back the memory that further lines would have used.
    pub fn shrink(&mut self) {
        self.lines.shrink_to_fit();
    }
}

fn newlines(lines: &[u8]) -> impl Iterator<Item = usize> {
    let bytes = lines.iter().enumerate();
    bytes.filter_map(|(at, byte)| (*byte == b'\n').then_some(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_all(buffer: &FrameBuffer, mut offset: usize) -> String {
        let mut all = Vec::new();
        loop {
            let lines = buffer.read(offset);
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
            prop_assert!(buffer.held() <= buffer.end() * 5 / 4 + 100);
            for after in 0..=lines.len() {
                let offset = buffer.offset_after(after).unwrap();
                prop_assert!(read_all(&buffer, offset) == lines[after..].concat());
            }
            prop_assert_eq!(buffer.offset_after(lines.len() + 1), None);
            buffer.shrink();
            prop_assert_eq!(buffer.held(), buffer.end());
        }
    }

    #[test]
    fn what_was_let_go_is_not_held() {
        let mut buffer = FrameBuffer::default();
        let line = "x".repeat(READ_BYTES / 2) + "\n";
        for _ in 0..10 {
            buffer.push(line.as_bytes());
        }
        let (held, behind) = (buffer.held(), buffer.offset_after(5).unwrap());
        buffer.drop_before(behind);
        assert!(buffer.held() < held * 6 / 10, "{} of {held}", buffer.held());
        assert_eq!(read_all(&buffer, behind), line.repeat(5));
        buffer.drop_before(buffer.end());
        assert_eq!((buffer.held(), buffer.frames()), (0, 10));
        assert!(buffer.read(buffer.end()).is_empty());
    }
}
