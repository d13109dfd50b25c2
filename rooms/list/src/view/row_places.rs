//! Places of the rows of the list of chats.

use crate::ListRow;
use leptos::prelude::*;
use std::collections::HashMap;

/// Where the rows on the page stand in the list.
#[derive(Clone, Copy)]
pub struct RowPlaces {
    /// The numbers of the rows, from 0 on, and whether they stand in a folder.
    pub places: Memo<HashMap<ListRow, usize>>,
    /// How many rows the list has.
    pub total: Memo<usize>,
}

impl RowPlaces {
    /// The number of a row, from 1 on.
    pub fn number(self, row: ListRow) -> usize {
        self.places
            .with(|places| places.get(&row).map_or(1, |at| at + 1))
    }

    /// How many rows the list has.
    pub fn total(self) -> usize {
        self.total.get()
    }
}
