//! The kinds of formulas and their delimiters.

use super::signs::{BACKSLASH, DOLLAR, DOLLARS};

/// The kind of a formula, by its opening delimiter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DelimiterKind {
    Dollar,
    Dollars,
    Round,
    Square,
    /// `\begin{…}`; an index into [`ENVIRONMENTS`].
    Environment(usize),
}

/// Environments that are formulas without other delimiters: how they begin and end.
const ENVIRONMENTS: [(&str, &str); 11] = [
    ("\\begin{align}", "\\end{align}"),
    ("\\begin{align*}", "\\end{align*}"),
    ("\\begin{aligned}", "\\end{aligned}"),
    ("\\begin{alignat}", "\\end{alignat}"),
    ("\\begin{alignat*}", "\\end{alignat*}"),
    ("\\begin{equation}", "\\end{equation}"),
    ("\\begin{equation*}", "\\end{equation*}"),
    ("\\begin{gather}", "\\end{gather}"),
    ("\\begin{gather*}", "\\end{gather*}"),
    ("\\begin{gathered}", "\\end{gathered}"),
    ("\\begin{multline}", "\\end{multline}"),
];

/// Whether a line is the beginning of an environment, or may become one.
pub(crate) fn may_begin(line: &str) -> bool {
    ENVIRONMENTS
        .iter()
        .any(|(begin, _)| begin.starts_with(line))
}

impl DelimiterKind {
    /// The number of kinds.
    pub(super) const COUNT: usize = 4 + ENVIRONMENTS.len();

    /// The environment that a text begins with.
    pub(super) fn environment(text: &str) -> Option<Self> {
        let mut all = ENVIRONMENTS.iter();
        let at = all.position(|(begin, _)| text.starts_with(begin))?;
        Some(DelimiterKind::Environment(at))
    }

    /// The index of this kind.
    pub(super) fn index(self) -> usize {
        match self {
            DelimiterKind::Dollar => 0,
            DelimiterKind::Dollars => 1,
            DelimiterKind::Round => 2,
            DelimiterKind::Square => 3,
            DelimiterKind::Environment(at) => 4 + at,
        }
    }

    pub(super) fn opening(self) -> &'static str {
        match self {
            DelimiterKind::Dollar => "$",
            DelimiterKind::Dollars => "$$",
            DelimiterKind::Round => "\\(",
            DelimiterKind::Square => "\\[",
            DelimiterKind::Environment(at) => ENVIRONMENTS[at].0,
        }
    }

    pub(super) fn closing(self) -> &'static str {
        match self {
            DelimiterKind::Dollar => "$",
            DelimiterKind::Dollars => "$$",
            DelimiterKind::Round => "\\)",
            DelimiterKind::Square => "\\]",
            DelimiterKind::Environment(at) => ENVIRONMENTS[at].1,
        }
    }

    /// The character that replaces the first byte of its delimiters.
    pub(super) fn mark(self) -> char {
        match self {
            DelimiterKind::Dollar => DOLLAR,
            DelimiterKind::Dollars => DOLLARS,
            DelimiterKind::Round | DelimiterKind::Square | DelimiterKind::Environment(_) => {
                BACKSLASH
            }
        }
    }

    /// Whether it is displayed on lines of its own.
    pub(super) fn is_display(self) -> bool {
        matches!(
            self,
            DelimiterKind::Dollars | DelimiterKind::Square | DelimiterKind::Environment(_)
        )
    }
}
