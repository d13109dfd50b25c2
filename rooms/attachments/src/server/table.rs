//! A table as Markdown.

/// The table of rows of cells; its first row is its head.
pub fn markdown(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut out = String::new();
    for (n, row) in rows.iter().enumerate() {
        for column in 0..columns {
            out.push_str("| ");
            out.push_str(&row.get(column).map_or_else(String::new, |text| cell(text)));
            out.push(' ');
        }
        out.push_str("|\n");
        if n == 0 {
            out.push_str(&"| --- ".repeat(columns));
            out.push_str("|\n");
        }
    }
    out
}

/// A cell is one line, and a pipe in it ends no cell.
fn cell(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("<br>").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn every_cell_is_one_line_of_its_column() {
        let rows = [vec!["a|b", "x\n\n y"], vec!["1"]];
        let rows = rows.map(|row| row.into_iter().map(String::from).collect());
        let text = "| a\\|b | x<br>y |\n| --- | --- |\n| 1 |  |\n";
        assert_eq!(markdown(&rows), text);
    }
}
