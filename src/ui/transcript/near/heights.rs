//! How high the rows of the transcript are: measured where they have been on the page, guessed from the length
//! of their text where not. All lengths are in pixels.

use crate::ui::transcript::afresh::Row;

/// The rows of a branch, each with its height.
#[derive(Debug, Default)]
pub struct Heights {
    rows: Vec<Row>,
    heights: Vec<i32>,
}

impl Heights {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The row at a place.
    pub fn row(&self, at: usize) -> Option<Row> {
        self.rows.get(at).copied()
    }

    /// The place of a row. From the end: there most of what is asked for stands.
    pub fn place_of(&self, row: Row) -> Option<usize> {
        self.rows.iter().rposition(|known| *known == row)
    }

    /// How far down a row begins; behind the last, where all end.
    pub fn top(&self, at: usize) -> i32 {
        self.heights.iter().take(at).sum()
    }

    /// The row at that height; the last one below all.
    pub fn at(&self, height: i32) -> usize {
        let mut below = 0;
        let reaches = |h: &i32| {
            below += *h;
            below > height
        };
        let at = self.heights.iter().position(reaches);
        at.unwrap_or_else(|| self.len().saturating_sub(1))
    }

    /// Takes note of a row's true height.
    pub fn measured(&mut self, at: usize, height: i32) {
        if let Some(known) = self.heights.get_mut(at) {
            *known = height;
        }
    }

    /// Takes over a branch; what stood before and still stands keeps its height. Whether messages came or went:
    /// a line between them is none.
    pub fn align(&mut self, rows: Vec<Row>, guess: impl Fn(Row) -> i32) -> bool {
        let old = &self.rows;
        let head = old.iter().zip(&rows).take_while(|(a, b)| a == b).count();
        let ends = old[head..].iter().rev().zip(rows[head..].iter().rev());
        let tail = ends.take_while(|(a, b)| a == b).count();
        let (gone, come) = (head..old.len() - tail, head..rows.len() - tail);
        let message = |row: &Row| matches!(row, Row::Message(_));
        let changed =
            old[gone.clone()].iter().any(message) || rows[come.clone()].iter().any(message);
        let rest = self.heights.split_off(gone.end);
        self.heights.truncate(head);
        for row in &rows[come] {
            self.heights.push(guess(*row));
        }
        self.heights.extend_from_slice(&rest);
        self.rows = rows;
        changed
    }
}
