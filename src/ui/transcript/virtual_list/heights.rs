//! How high the rows of the transcript are: measured where they have been on the page, estimated where not. All
//! lengths are in pixels.

use crate::ui::transcript::row::Row;

/// The rows of a branch, each with its height.
#[derive(Debug, Default)]
pub struct RowHeights {
    rows: Vec<Row>,
    heights: Vec<i32>,
}

impl RowHeights {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The row at a place.
    pub fn row(&self, place: usize) -> Option<Row> {
        self.rows.get(place).copied()
    }

    /// The place of a row. The search begins at the end, where most of what is asked for stands.
    pub fn place_of(&self, row: Row) -> Option<usize> {
        self.rows.iter().rposition(|known| *known == row)
    }

    /// How far down a row begins; behind the last row, where all of them end.
    pub fn top(&self, place: usize) -> i32 {
        self.heights.iter().take(place).sum()
    }

    /// The place of the row at that distance from the top; below all rows, that of the last one.
    pub fn place_at(&self, distance: i32) -> usize {
        let mut bottom = 0;
        let reaches = |height: &i32| {
            bottom += *height;
            bottom > distance
        };
        let place = self.heights.iter().position(reaches);
        place.unwrap_or_else(|| self.len().saturating_sub(1))
    }

    /// Takes note of a row's measured height.
    pub fn set_measured(&mut self, place: usize, height: i32) {
        if let Some(known) = self.heights.get_mut(place) {
            *known = height;
        }
    }

    /// Takes over a branch. A row that stood there before and still stands keeps its height; the others are
    /// estimated. Returns whether messages came or went: a line between messages is none.
    pub fn align(&mut self, rows: Vec<Row>, estimate: impl Fn(Row) -> i32) -> bool {
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
