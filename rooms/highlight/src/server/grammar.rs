//! Converts code to runs, line by line.

use super::runs::Runs;
use super::scopes::Classes;
use crate::HighlightClass;
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

/// The limits while parsing lines. Nothing can stop the regex engine within a line, so lines must be short,
/// and `may_continue` is called before each.
pub(super) struct ParseLimits<'a> {
    /// The longest line that is highlighted, in bytes; a longer one stays plain.
    pub longest: usize,
    /// Whether there is time left and a client is waiting; otherwise the rest stays plain.
    pub may_continue: &'a dyn Fn() -> bool,
}

/// Highlights code with a grammar.
pub(super) fn highlight(
    set: &SyntaxSet,
    syntax: &SyntaxReference,
    code: &str,
    lines: &ParseLimits,
) -> String {
    let mut runs = Runs::default();
    let mut reader = GrammarState::new(set, syntax);
    for line in code.split_inclusive('\n') {
        reader.line(line, lines, &mut runs);
    }
    runs.written()
}

/// Highlights a terminal session: lines that begin with a prompt are commands, the others are output.
pub(super) fn session(
    set: &SyntaxSet,
    shell: &SyntaxReference,
    code: &str,
    lines: &ParseLimits,
) -> String {
    const PROMPTS: [&str; 5] = ["$ ", "# ", "% ", "> ", "❯ "];
    let mut runs = Runs::default();
    for line in code.split_inclusive('\n') {
        match PROMPTS.iter().find_map(|prompt| line.strip_prefix(prompt)) {
            Some(command) => {
                runs.add(
                    Some(HighlightClass::Meta),
                    &line[..line.len() - command.len()],
                );
                GrammarState::new(set, shell).line(command, lines, &mut runs);
            }
            None => runs.add(None, line),
        }
    }
    runs.written()
}

/// The state of a grammar in a text.
struct GrammarState<'a> {
    set: &'a SyntaxSet,
    state: ParseState,
    scopes: ScopeStack,
    classes: Classes,
    given_up: bool,
}

impl<'a> GrammarState<'a> {
    fn new(set: &'a SyntaxSet, syntax: &SyntaxReference) -> Self {
        Self {
            set,
            state: ParseState::new(syntax),
            scopes: ScopeStack::new(),
            classes: Classes::default(),
            given_up: false,
        }
    }

    fn line(&mut self, line: &str, lines: &ParseLimits, runs: &mut Runs) {
        self.given_up = self.given_up || !(lines.may_continue)();
        if self.given_up || line.len() > lines.longest {
            return runs.add(None, line);
        }
        // Grammars accept only `\n` as a line end; the last line may have none.
        let text = line.trim_end_matches('\n').trim_end_matches('\r');
        let Ok(changes) = self.state.parse_line(&format!("{text}\n"), self.set) else {
            self.given_up = true;
            return runs.add(None, line);
        };
        let mut at = 0;
        for (end, change) in changes {
            let end = end.min(text.len());
            runs.add(self.classes.of(&self.scopes), &text[at..end]);
            at = end;
            if self.scopes.apply(&change).is_err() {
                self.given_up = true;
                break;
            }
        }
        runs.add(self.classes.of(&self.scopes), &text[at..]);
        runs.add(None, &line[text.len()..]);
    }
}
