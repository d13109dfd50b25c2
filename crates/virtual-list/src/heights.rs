//! The heights of the rows: measured if they have been on the page, else estimated. All lengths
//! are in pixels.

use crate::ListRow;

/// The rows with their heights.
#[derive(Debug)]
pub struct RowHeights<R> {
    rows: Vec<R>,
    heights: Vec<i32>,
}

impl<R> Default for RowHeights<R> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            heights: Vec::new(),
        }
    }
}

impl<R: ListRow> RowHeights<R> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of rows that are not the mark.
    pub fn len_without_mark(&self) -> usize {
        let has_mark = self.rows.iter().rev().any(|row| row.is_mark());
        self.len() - usize::from(has_mark)
    }

    /// The row at an index.
    pub fn row(&self, place: usize) -> Option<R> {
        self.rows.get(place).copied()
    }

    /// Whether these are the rows.
    pub fn are(&self, rows: &[R]) -> bool {
        self.rows == rows
    }

    /// The heights of all rows, in order.
    pub fn all(&self) -> &[i32] {
        &self.heights
    }

    /// The index of a row. Searches from the end, where most requested rows are.
    pub fn place_of(&self, row: R) -> Option<usize> {
        self.rows.iter().rposition(|known| *known == row)
    }

    /// The distance of a row from the top; after the last row, the total height.
    pub fn top(&self, place: usize) -> i32 {
        self.heights.iter().take(place).sum()
    }

    /// The index of the row at this distance from the top; below all rows, the last one.
    pub fn place_at(&self, distance: i32) -> usize {
        let mut bottom = 0;
        let reaches = |height: &i32| {
            bottom += *height;
            bottom > distance
        };
        let place = self.heights.iter().position(reaches);
        place.unwrap_or_else(|| self.len().saturating_sub(1))
    }

    /// Records a row's measured height.
    pub fn set_measured(&mut self, place: usize, height: i32) {
        if let Some(known) = self.heights.get_mut(place) {
            *known = height;
        }
    }

    /// Sets the rows. Those that were there before keep their height; new ones are estimated. Returns whether content was
    /// added or removed.
    pub fn align(&mut self, mut rows: Vec<R>, estimate: impl Fn(R) -> i32) -> bool {
        // The mark moves: the rows that it passes stay the same, and keep their heights.
        let is_mark = |row: &R| row.is_mark();
        let former = self.rows.iter().rposition(is_mark);
        let height = former.map(|at| {
            self.rows.remove(at);
            self.heights.remove(at)
        });
        let mark = rows.iter().rposition(is_mark);
        let mark = mark.map(|at| (at, rows.remove(at)));
        let changed = self.align_others(rows, &estimate);
        if let Some((at, mark)) = mark {
            self.rows.insert(at, mark);
            let height = height.unwrap_or_else(|| estimate(mark));
            self.heights.insert(at, height);
        }
        changed
    }

    fn align_others(&mut self, rows: Vec<R>, estimate: impl Fn(R) -> i32) -> bool {
        let old = &self.rows;
        let head = old.iter().zip(&rows).take_while(|(a, b)| a == b).count();
        let ends = old[head..].iter().rev().zip(rows[head..].iter().rev());
        let tail = ends.take_while(|(a, b)| a == b).count();
        let (removed, added) = (head..old.len() - tail, head..rows.len() - tail);
        let is_content = |row: &R| row.is_content();
        let changed = old[removed.clone()].iter().any(is_content)
            || rows[added.clone()].iter().any(is_content);
        let rest = self.heights.split_off(removed.end);
        self.heights.truncate(head);
        for row in &rows[added] {
            self.heights.push(estimate(*row));
        }
        self.heights.extend_from_slice(&rest);
        self.rows = rows;
        changed
    }
}
