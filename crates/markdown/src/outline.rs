//! The levels at which the headings of an answer are shown.

/// Gives each heading of an answer, in order, its depth below the heading of the message: the first one is at depth
/// 1 whatever level the model wrote, and no level is skipped.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The written levels of the headings that enclose the current place.
    enclosing: Vec<u8>,
}

impl Outline {
    /// The depth of the next heading, from 1, whose written level this is.
    pub fn depth(&mut self, written: u8) -> u8 {
        while self.enclosing.pop_if(|level| *level >= written).is_some() {}
        self.enclosing.push(written);
        u8::try_from(self.enclosing.len()).unwrap_or(u8::MAX)
    }
}
