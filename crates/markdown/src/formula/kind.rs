//! The kinds of formulas, and their delimiters.

use super::signs::{BACKSLASH, DOLLAR, DOLLARS};

/// What kind of formula begins somewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Dollar,
    Dollars,
    Round,
    Square,
    /// `\begin{…}`, at a place of [`ENVIRONMENTS`].
    Environment(usize),
}

/// Environments that are formulas by themselves: how they begin and end.
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

/// Whether a line may become the beginning of an environment, or is it.
pub(crate) fn may_begin(line: &str) -> bool {
    ENVIRONMENTS
        .iter()
        .any(|(begin, _)| begin.starts_with(line))
}

impl Kind {
    /// How many there are.
    pub(super) const COUNT: usize = 4 + ENVIRONMENTS.len();

    /// The environment that a text begins with.
    pub(super) fn environment(text: &str) -> Option<Self> {
        let mut all = ENVIRONMENTS.iter();
        let at = all.position(|(begin, _)| text.starts_with(begin))?;
        Some(Kind::Environment(at))
    }

    /// The place of this kind among all.
    pub(super) fn index(self) -> usize {
        match self {
            Kind::Dollar => 0,
            Kind::Dollars => 1,
            Kind::Round => 2,
            Kind::Square => 3,
            Kind::Environment(at) => 4 + at,
        }
    }

    pub(super) fn opening(self) -> &'static str {
        match self {
            Kind::Dollar => "$",
            Kind::Dollars => "$$",
            Kind::Round => "\\(",
            Kind::Square => "\\[",
            Kind::Environment(at) => ENVIRONMENTS[at].0,
        }
    }

    pub(super) fn closing(self) -> &'static str {
        match self {
            Kind::Dollar => "$",
            Kind::Dollars => "$$",
            Kind::Round => "\\)",
            Kind::Square => "\\]",
            Kind::Environment(at) => ENVIRONMENTS[at].1,
        }
    }

    /// What stands in place of the first byte of its delimiters.
    pub(super) fn mark(self) -> char {
        match self {
            Kind::Dollar => DOLLAR,
            Kind::Dollars => DOLLARS,
            Kind::Round | Kind::Square | Kind::Environment(_) => BACKSLASH,
        }
    }

    /// Whether it stands on lines of its own.
    pub(super) fn is_display(self) -> bool {
        matches!(self, Kind::Dollars | Kind::Square | Kind::Environment(_))
    }
}
