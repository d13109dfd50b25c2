//! The order of the installed models, and which of them a search shows.

use super::time::parse_time;
use sash_wire::ModelInfo;
use std::cmp::Ordering;

/// A column of the list of installed models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortColumn {
    /// The name.
    Name,
    /// Bytes on disk.
    Size,
    /// The family.
    Family,
    /// The number of parameters.
    Parameters,
    /// The quantization.
    Quantization,
    /// The context length.
    Context,
    /// The capabilities.
    Capabilities,
    /// The last change.
    Modified,
}

impl SortColumn {
    /// All columns, in the order of display.
    pub const ALL: [Self; 8] = [
        Self::Name,
        Self::Size,
        Self::Family,
        Self::Parameters,
        Self::Quantization,
        Self::Context,
        Self::Capabilities,
        Self::Modified,
    ];

    /// Whether the column begins with its largest value: the largest and the newest model are
    /// looked for more often than the smallest and the oldest.
    fn is_largest_first(self) -> bool {
        matches!(
            self,
            Self::Size | Self::Parameters | Self::Context | Self::Modified
        )
    }
}

/// The column that the list is sorted by, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sorting {
    /// The column.
    pub column: SortColumn,
    /// Whether the largest value comes first.
    pub descending: bool,
}

impl Default for Sorting {
    /// The newest change first, as Ollama lists them.
    fn default() -> Self {
        Self::by(SortColumn::Modified)
    }
}

impl Sorting {
    fn by(column: SortColumn) -> Self {
        Self {
            column,
            descending: column.is_largest_first(),
        }
    }

    /// The order after a press on a column's header: the same column turns around.
    #[must_use]
    pub fn pressed(self, column: SortColumn) -> Self {
        match self.column == column {
            true => Self {
                descending: !self.descending,
                ..self
            },
            false => Self::by(column),
        }
    }

    /// Sorts models. Equal ones are in the order of their names, whatever the direction.
    pub fn sort(self, models: &mut [ModelInfo]) {
        models.sort_by(|a, b| {
            let order = compare(self.column, a, b);
            let order = match self.descending {
                true => order.reverse(),
                false => order,
            };
            order.then_with(|| compare(SortColumn::Name, a, b))
        });
    }
}

fn compare(column: SortColumn, a: &ModelInfo, b: &ModelInfo) -> Ordering {
    let number = |model: &ModelInfo| match column {
        SortColumn::Size => model.size as f64,
        SortColumn::Parameters => parameter_count(&model.parameter_size),
        SortColumn::Context => model.context_length.unwrap_or_default() as f64,
        SortColumn::Modified => parse_time(&model.modified_at).unwrap_or_default() as f64,
        _ => 0.0,
    };
    let text = |model: &ModelInfo| match column {
        SortColumn::Name => model.name.to_ascii_lowercase(),
        SortColumn::Family => model.family.to_ascii_lowercase(),
        SortColumn::Quantization => model.quantization.to_ascii_lowercase(),
        SortColumn::Capabilities => model.capabilities.join(" "),
        _ => String::new(),
    };
    number(a)
        .total_cmp(&number(b))
        .then_with(|| text(a).cmp(&text(b)))
}

/// The number that Ollama writes as `3.2B`, `412K` or `8x7B`; 0 if it is unknown.
fn parameter_count(written: &str) -> f64 {
    let digits = written.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match written.as_bytes().last() {
        Some(b'K') => 1e3,
        Some(b'M') => 1e6,
        Some(b'B') => 1e9,
        Some(b'T') => 1e12,
        _ => 1.0,
    };
    let factors = digits
        .split('x')
        .map(|factor| factor.parse::<f64>().unwrap_or_default());
    factors.product::<f64>() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str, size: u64, parameters: &str) -> ModelInfo {
        ModelInfo {
            name: name.to_owned(),
            size,
            parameter_size: parameters.to_owned(),
            ..ModelInfo::default()
        }
    }

    fn names(sorting: Sorting, models: &[ModelInfo]) -> Vec<String> {
        let mut models = models.to_vec();
        sorting.sort(&mut models);
        models.into_iter().map(|model| model.name).collect()
    }

    #[test]
    fn parameters_are_compared_as_numbers() {
        assert_eq!(parameter_count("3.2B"), 3.2e9);
        assert_eq!(parameter_count("412K"), 412e3);
        assert_eq!(parameter_count("8x7B"), 56e9);
        assert_eq!(parameter_count(""), 0.0);
        let models = [
            model("a", 1, "70B"),
            model("b", 2, "8B"),
            model("c", 3, "494M"),
        ];
        let by = Sorting::by(SortColumn::Parameters);
        assert_eq!(names(by, &models), ["a", "b", "c"]);
    }

    #[test]
    fn a_second_press_turns_around_and_equal_models_stay_in_the_order_of_names() {
        let models = [model("c", 5, ""), model("a", 5, ""), model("b", 9, "")];
        let by = Sorting::default().pressed(SortColumn::Size);
        assert_eq!(names(by, &models), ["b", "a", "c"]);
        assert_eq!(
            names(by.pressed(SortColumn::Size), &models),
            ["a", "c", "b"]
        );
        let by = by.pressed(SortColumn::Name);
        assert_eq!(names(by, &models), ["a", "b", "c"]);
    }

    #[test]
    fn a_change_is_compared_as_a_time_and_not_as_a_text() {
        let at = |name: &str, modified_at: &str| ModelInfo {
            modified_at: modified_at.to_owned(),
            ..model(name, 0, "")
        };
        let models = [
            at("old", "2026-11-21T10:00:00Z"),
            at("new", "2026-11-21T05:00:00-08:00"),
            at("unknown", ""),
        ];
        assert_eq!(
            names(Sorting::default(), &models),
            ["new", "old", "unknown"]
        );
    }
}
