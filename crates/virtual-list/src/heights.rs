//! The heights of the transcript's rows: measured if they have been on the page, else estimated. All lengths
//! are in pixels.

use crate::ui::transcript::row::Row;

/// The rows of a branch with their heights.
#[derive(Debug, Default)]
pub struct RowHeights {
    rows: Vec<Row>,
    heights: Vec<i32>,
}

impl RowHeights {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The row at an index.
    pub fn row(&self, place: usize) -> Option<Row> {
        self.rows.get(place).copied()
    }

    /// Whether these are the rows.
    pub fn are(&self, rows: &[Row]) -> bool {
        self.rows == rows
    }

    /// The heights of all rows, in order.
    pub fn all(&self) -> &[i32] {
        &self.heights
    }

    /// The index of a row. Searches from the end, where most requested rows are.
    pub fn place_of(&self, row: Row) -> Option<usize> {
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

    /// Sets the rows of a branch. Rows that were there before keep their height; new ones are estimated.
    /// Returns whether messages were added or removed; the line of a clearing or of the window does not count.
    pub fn align(&mut self, mut rows: Vec<Row>, estimate: impl Fn(Row) -> i32) -> bool {
        // The line of the window moves: the rows that it passes stay the same, and keep their heights.
        let is_edge = |row: &Row| *row == Row::WindowEdge;
        let former = self.rows.iter().rposition(is_edge);
        let height = former.map(|at| {
            self.rows.remove(at);
            self.heights.remove(at)
        });
        let edge = rows.iter().rposition(is_edge);
        if let Some(at) = edge {
            rows.remove(at);
        }
        let changed = self.align_others(rows, &estimate);
        if let Some(at) = edge {
            self.rows.insert(at, Row::WindowEdge);
            let height = height.unwrap_or_else(|| estimate(Row::WindowEdge));
            self.heights.insert(at, height);
        }
        changed
    }

    fn align_others(&mut self, rows: Vec<Row>, estimate: impl Fn(Row) -> i32) -> bool {
        let old = &self.rows;
        let head = old.iter().zip(&rows).take_while(|(a, b)| a == b).count();
        let ends = old[head..].iter().rev().zip(rows[head..].iter().rev());
        let tail = ends.take_while(|(a, b)| a == b).count();
        let (removed, added) = (head..old.len() - tail, head..rows.len() - tail);
        let is_message = |row: &Row| matches!(row, Row::Message(_));
        let changed = old[removed.clone()].iter().any(is_message)
            || rows[added.clone()].iter().any(is_message);
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
