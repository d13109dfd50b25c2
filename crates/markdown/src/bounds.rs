//! Upper bounds on the elements of an answer.

/// Nesting depth of elements; deeper ones leave only their text. The parser goes to 100,002 and Chromium's
/// renderer crashes near 10,000 (measured).
pub const MAX_DEPTH: usize = 100;
/// Columns of a table; a wider one is shown as its source.
pub const MAX_COLUMNS: usize = 64;
/// Pieces of text in a paragraph, a heading, a cell or an emphasis; elements after that many leave only their
/// text. The time a browser needs for a text is that of its elements, which it makes one by one.
pub const MAX_PIECES: usize = 2000;
/// Rows of a table, without its head; further rows are shown as their source.
pub const MAX_ROWS: usize = 2000;
/// Cells of a table; the table ends with the last row that fits.
pub const MAX_CELLS: usize = 20_000;
/// Links, formulas and marks for hidden characters in an answer; further ones are shown as text.
pub const MAX_LINKS: usize = 2000;

/// The most rows, without its head, of a table with that many columns.
pub(super) fn max_rows(columns: usize) -> usize {
    MAX_ROWS.min(MAX_CELLS / columns.max(1))
}
