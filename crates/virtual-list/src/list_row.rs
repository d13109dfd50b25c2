//! A row of a list.

/// A row of a list, which has each once.
pub trait ListRow: Copy + PartialEq + Send + Sync + 'static {
    /// What the reader may be led to.
    type Id: Copy + Send + Sync + 'static;

    /// The row of it.
    fn of(id: Self::Id) -> Self;

    /// Whether the list is another one when the row comes or goes: the reader is led to the end then.
    fn is_content(self) -> bool;

    /// Whether it is the one row that moves among the others. It keeps its height, and takes no reader along.
    fn is_mark(self) -> bool;
}
