//! How much of each thing an answer may have.

/// How deep elements nest; deeper ones give only their text. The parser goes to 100,002 and
/// Chromium's renderer crashes near 10,000 (measured).
pub const MAX_DEPTH: usize = 100;
/// How many columns a table has; a wider one is shown as it was written.
pub const MAX_COLUMNS: usize = 64;
/// How many pieces the text of a paragraph, a heading, a cell or an emphasis has; behind them elements within it give
/// only their text. The time that a text takes is that of its elements, which a browser makes one by one.
pub const MAX_PIECES: usize = 2000;
/// How many rows a table has, its head apart; further ones are shown as they were written.
pub const MAX_ROWS: usize = 2000;
/// How many cells a table has; it ends with the last row that fits.
pub const MAX_CELLS: usize = 20_000;
/// How many links, formulas and marks for hidden characters an answer has; further ones are shown as text.
pub const MAX_LINKS: usize = 2000;

/// How many rows a table with so many columns has, its head apart.
pub(super) fn max_rows(columns: usize) -> usize {
    MAX_ROWS.min(MAX_CELLS / columns.max(1))
}
