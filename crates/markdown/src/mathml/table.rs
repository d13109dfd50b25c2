//! Matrices, cases and aligned lines.

use super::build::{MathBuilder, MathStyle, RowEnd};
use super::element::{Element, MathTag};
use super::row::{Atom, Item, arrange};
use pulldown_latex::event::{ArrayColumn, ColumnAlignment, EnvironmentFlow, Grouping};

/// The alignment of columns.
enum Columns {
    All(ColumnAlignment),
    /// Right and left in turn: both sides of an equals sign.
    Pairs,
    /// As given in the source, with the lines between columns.
    Given(Vec<ArrayColumn>),
}

impl Columns {
    /// The classes of a cell.
    fn classes(&self, index: usize) -> Vec<&'static str> {
        let align = |align: ColumnAlignment| match align {
            ColumnAlignment::Left => "left",
            ColumnAlignment::Center => "",
            ColumnAlignment::Right => "right",
        };
        match self {
            Columns::All(all) => vec![align(*all)],
            Columns::Pairs => vec![if index.is_multiple_of(2) {
                "right"
            } else {
                "left"
            }],
            Columns::Given(columns) => {
                let mut classes = Vec::new();
                let is_column = |column: &&ArrayColumn| matches!(column, ArrayColumn::Column(_));
                let last = columns.iter().filter(is_column).count() == index + 1;
                let mut at = 0;
                for column in columns {
                    match column {
                        ArrayColumn::Column(found) => {
                            if at == index {
                                classes.push(align(*found));
                            }
                            at += 1;
                        }
                        ArrayColumn::Separator(_) if at == index => classes.push("rule-left"),
                        ArrayColumn::Separator(_) if last && at == index + 1 => {
                            classes.push("rule-right");
                        }
                        ArrayColumn::Separator(_) => {}
                    }
                }
                classes
            }
        }
    }
}

impl MathBuilder<'_> {
    /// Reads a table to its end; its beginning was read already.
    pub(super) fn table(&mut self, grouping: Grouping, state: MathStyle) -> Option<Item> {
        let (columns, lines) = match grouping {
            Grouping::Array(columns) => (Columns::Given(columns.into_vec()), false),
            Grouping::Matrix { alignment } | Grouping::SubArray { alignment } => {
                (Columns::All(alignment), false)
            }
            Grouping::Cases { left } => {
                let table = self.rows(&Columns::All(ColumnAlignment::Left), false, state)?;
                let brace = |sign: char, form| {
                    let brace = Element::token(MathTag::Operator, sign);
                    brace.with("form", form).with("stretchy", "true")
                };
                let children = match left {
                    true => vec![brace('{', "prefix"), table],
                    false => vec![table, brace('}', "postfix")],
                };
                return Some(Item::new(Element::new(MathTag::Row, children), Atom::Inner));
            }
            Grouping::Align { .. }
            | Grouping::Aligned
            | Grouping::Alignat { .. }
            | Grouping::Alignedat { .. }
            | Grouping::Split => (Columns::Pairs, true),
            Grouping::Gather { .. }
            | Grouping::Gathered
            | Grouping::Multline
            | Grouping::Equation { .. } => (Columns::All(ColumnAlignment::Center), true),
            Grouping::Normal | Grouping::LeftRight(..) => return None,
        };
        let table = self.rows(&columns, lines, state)?;
        Some(Item::new(table, Atom::Inner))
    }

    /// The rows of a table. With `lines`, they are lines of a calculation, each as large as a formula of its
    /// own.
    fn rows(&mut self, columns: &Columns, lines: bool, state: MathStyle) -> Option<Element> {
        let inner = MathStyle {
            font: None,
            display: lines,
            ..state
        };
        let mut rows = Vec::new();
        let mut cells = Vec::new();
        let mut ruled = false;
        loop {
            let (items, stop) = self.row(inner)?;
            if let RowEnd::Flow(EnvironmentFlow::StartLines { .. }) = stop {
                ruled = true;
                continue;
            }
            let last = matches!(stop, RowEnd::End);
            // After a final line break there is no further row.
            if last && items.is_empty() && cells.is_empty() && !rows.is_empty() {
                if ruled {
                    rule_below(&mut rows);
                }
                break;
            }
            let mut classes = columns.classes(cells.len());
            if ruled {
                classes.push("rule-above");
            }
            let mut cell = Element::new(MathTag::TableCell, arrange(items));
            classes.retain(|class| !class.is_empty());
            if !classes.is_empty() {
                cell.set("class", classes.join(" "));
            }
            cells.push(cell);
            match stop {
                RowEnd::Flow(EnvironmentFlow::Alignment) => {}
                RowEnd::Flow(EnvironmentFlow::NewLine {
                    horizontal_lines, ..
                }) => {
                    rows.push(Element::new(MathTag::TableRow, std::mem::take(&mut cells)));
                    ruled = !horizontal_lines.is_empty();
                }
                RowEnd::End => {
                    rows.push(Element::new(MathTag::TableRow, std::mem::take(&mut cells)));
                    break;
                }
                RowEnd::Flow(EnvironmentFlow::StartLines { .. }) | RowEnd::Out => return None,
            }
        }
        let table = Element::new(MathTag::Table, rows);
        Some(match lines {
            true => table.with("class", "lines").with("displaystyle", "true"),
            false => table,
        })
    }
}

/// Draws a line below the last row.
fn rule_below(rows: &mut [Element]) {
    if let Some(Element {
        content: super::ElementContent::Children(cells),
        ..
    }) = rows.last_mut()
    {
        for cell in cells {
            match cell.attributes.first_mut() {
                Some((_, class)) => class.to_mut().push_str(" rule-below"),
                None => cell.set("class", "rule-below"),
            }
        }
    }
}
