//! Counts of one source file, without its tests.

use super::tokens::{inside, item_length, punct, word};
use proc_macro2::TokenTree;
use std::collections::BTreeSet;

/// The most lines of a function that fits on a screen or two.
const MAX_FUNCTION_LINES: usize = 80;
/// The methods that write a signal.
const SETTERS: [&str; 5] = ["set", "try_set", "update", "try_update", "maybe_update"];
/// The types whose constructors make an effect.
const EFFECTS: [&str; 3] = ["Effect", "RenderEffect", "ImmediateEffect"];

/// What is counted in one source file.
#[derive(Debug, Default)]
pub struct Measures {
    /// The lines.
    pub lines: usize,
    /// The functions that are too long: their names and lines.
    pub long_functions: Vec<(String, usize)>,
    /// Reads of signals that follow nothing.
    pub untracked: usize,
    /// The lines of the effects that write a signal.
    pub writing_effects: Vec<usize>,
}

impl Measures {
    /// Counts a file, whose tests are in these lines.
    pub fn of(tokens: &[TokenTree], text: &str, tests: &BTreeSet<usize>) -> Self {
        let mut measures = Self::default();
        let lines = (1..).zip(text.lines());
        for (_, line) in lines.filter(|(at, _)| !tests.contains(at)) {
            measures.lines += 1;
            let code = line.split("//").next().unwrap_or_default();
            measures.untracked += code.matches("untrack").count();
        }
        measures.walk(tokens);
        measures
    }

    fn walk(&mut self, tokens: &[TokenTree]) {
        for (at, token) in tokens.iter().enumerate() {
            let TokenTree::Ident(name) = token else {
                if let Some(inner) = inside(tokens, at) {
                    self.walk(&inner);
                }
                continue;
            };
            let line = name.span().start().line;
            let next = word(tokens, at + 1);
            if let Some(function) = next.filter(|_| name == "fn") {
                let end = at + item_length(&tokens[at..]) - 1;
                let lines = tokens[end].span().end().line + 1 - line;
                if lines > MAX_FUNCTION_LINES {
                    self.long_functions.push((function, lines));
                }
            }
            // `Effect::new(…)`
            let is_effect = EFFECTS.iter().any(|effect| name == effect);
            if is_effect && punct(tokens, at + 1) == Some(':') {
                let writes = inside(tokens, at + 4).is_some_and(|body| writes(&body));
                self.writing_effects.extend(writes.then_some(line));
            }
        }
    }
}

/// Whether some tokens write a signal.
fn writes(tokens: &[TokenTree]) -> bool {
    (0..tokens.len()).any(|at| {
        let is_setter = |name: String| SETTERS.contains(&&*name);
        let is_called = matches!(tokens.get(at + 2), Some(TokenTree::Group(_)));
        let writes_here =
            punct(tokens, at) == Some('.') && word(tokens, at + 1).is_some_and(is_setter);
        writes_here && is_called || inside(tokens, at).is_some_and(|inner| writes(&inner))
    })
}
