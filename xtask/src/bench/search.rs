//! The cost of the search: `benches/search.rs` prints a line for each query.

use super::row::BenchRow;
use crate::{Result, exec};

/// Runs the benchmark; the row reports its slowest query.
pub fn measure() -> Result<Vec<BenchRow>> {
    let text = exec::output(exec::cargo().args([
        "bench",
        "--quiet",
        "--package",
        "sash-search",
        "--bench",
        "search",
    ]))?;
    rows(&text).ok_or_else(|| format!("the search printed something else:\n{text}"))
}

fn rows(text: &str) -> Option<Vec<BenchRow>> {
    let mut lines = text
        .lines()
        .skip_while(|line| !line.contains("index built"));
    let built = lines.next()?;
    // After the table's head, each line has the query, the number of matches, and the milliseconds
    // to find and to show them.
    let longest = lines.skip(1).map(|line| {
        let (rest, show) = line.trim_end().rsplit_once(' ')?;
        let (rest, find) = rest.trim_end().rsplit_once(' ')?;
        let (query, _) = rest.trim_end().rsplit_once(' ')?;
        let number = |text: &str| text.parse::<f64>().ok();
        Some((number(find)? + number(show)?, query.trim().to_owned()))
    });
    let longest: Option<Vec<(f64, String)>> = longest.collect();
    let (time, query) = longest?.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(vec![
        BenchRow::reported("search", built.to_owned(), ""),
        BenchRow::reported(
            "slowest query, its results shown",
            format!("{time:.1} ms ({query})"),
            "10 ms in 10,000 messages",
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_query_is_told() {
        let text = "10000 messages, 14.7 MB: index built in 265 ms\n\
            query                            found   find ms  snippets ms\n\
            the g                             9500     0.200        1.600\n\
            数据库的备份                          500     5.500        0.500\n";
        let rows = rows(text).unwrap();
        assert_eq!(
            rows[0].value,
            "10000 messages, 14.7 MB: index built in 265 ms"
        );
        assert_eq!(rows[1].value, "6.0 ms (数据库的备份)");
        assert!(super::rows("nothing").is_none());
    }
}
