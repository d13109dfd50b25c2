//! Refuses formulas before parsing, and rewrites commands that the parser does not know.

use super::limits::{MAX_BYTES, MAX_DEPTH};

/// Marks at the beginning of a group, from Unicode's private use area.
pub(super) const BOXED: char = '\u{e000}';
pub(super) const PHANTOM: char = '\u{e001}';

/// The most commands in a row with at most one argument between them: each may be the argument of the one
/// before (`\sqrt\sqrt…`, `\frac{1}\frac{1}…`), and the parser recurses for each, with a large stack frame.
const MAX_RUN: usize = 60;

/// Commands in a row within one pair of braces.
#[derive(Clone, Copy, Default)]
struct CommandRun {
    commands: usize,
    /// Letters and groups since the last command.
    between: usize,
    /// Whether square brackets after the last command would be its option, and whether the position is inside
    /// them.
    takes_option: bool,
    optional: bool,
}

/// How a command is rewritten.
enum CommandRewrite {
    /// It is replaced.
    To(&'static str),
    /// Its argument is put between these two texts.
    Around(&'static str, &'static str),
    /// It is removed with its argument.
    Drop,
    /// The formula is not shown: macros are refused, so that no expansion can grow.
    Refuse,
}

fn change(name: &str) -> Option<CommandRewrite> {
    use CommandRewrite::{Around, Drop, Refuse, To};
    Some(match name {
        "def"
        | "edef"
        | "gdef"
        | "xdef"
        | "let"
        | "futurelet"
        | "newcommand"
        | "renewcommand"
        | "providecommand"
        | "DeclareMathOperator"
        | "newenvironment" => Refuse,
        "mathscr" => To("\\mathcal "),
        "mathds" | "mathbbm" => To("\\mathbb "),
        "bm" | "pmb" => To("\\boldsymbol "),
        "mbox" | "hbox" | "textnormal" | "textup" => To("\\text "),
        "nonumber" | "notag" | "displaylimits" | "smash" | "allowbreak" | "relax" => To(" "),
        "argmax" => To("\\mathop{arg\\,max}"),
        "argmin" => To("\\mathop{arg\\,min}"),
        "operatorname*" => To("\\mathop "),
        "R" => To("\\mathbb{R}"),
        "N" => To("\\mathbb{N}"),
        "Z" => To("\\mathbb{Z}"),
        "Q" => To("\\mathbb{Q}"),
        "hdots" => To("\\ldots "),
        "lbrack" => To("["),
        "rbrack" => To("]"),
        "qed" => To("\\square "),
        "newline" => To("\\\\"),
        // With their many arguments, the count of commands in a row would be wrong.
        "genfrac" | "sideset" => Refuse,
        // Colours of a model do not fit the page's themes: they would be invisible in one of them.
        "color" | "textcolor" | "label" | "require" | "vspace" | "vspace*" => Drop,
        "tag" => Around("\\qquad\\text{(", ")}"),
        "tag*" => Around("\\qquad\\text{", "}"),
        "boxed" => Around("{\u{e000}{", "}}"),
        "phantom" | "hphantom" | "vphantom" => Around("{\u{e001}{", "}}"),
        "ket" => Around("{|", "\\rangle}"),
        "bra" => Around("{\\langle ", "|}"),
        "braket" => Around("{\\langle ", "\\rangle}"),
        "abs" => Around("{|", "|}"),
        "norm" => Around("{\\|", "\\|}"),
        _ => return None,
    })
}

/// The source for the parser; `None` if the formula is refused.
pub(super) fn prepare(source: &str) -> Option<String> {
    let private = |c: char| ('\u{e000}'..='\u{f8ff}').contains(&c);
    if source.len() > MAX_BYTES || source.trim().is_empty() || source.contains(private) {
        return None;
    }
    let mut out = String::with_capacity(source.len() + 16);
    // For each open brace: the text that closes it, and the run outside of it.
    let mut open: Vec<(&str, CommandRun)> = Vec::new();
    let mut environments = 0_usize;
    let mut run = CommandRun::default();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '{' => open.push(("}", std::mem::take(&mut run))),
            '}' => {
                let (closing, outside) = open.pop()?;
                out.push_str(closing);
                run = outside;
                run.between += usize::from(!run.optional);
                continue;
            }
            // A percent sign begins a comment in TeX, but models write it literally: 20%.
            '%' => {
                out.push_str("\\%");
                continue;
            }
            '\\' => {
                let (name, after) = command(rest);
                let next = after.trim_start();
                if run.between > 1 {
                    run.commands = 0;
                }
                run.commands += 1;
                run.between = 0;
                run.takes_option = name == "sqrt" || name.starts_with('x');
                match name {
                    "begin" | "left" => environments += 1,
                    "end" | "right" => environments = environments.saturating_sub(1),
                    "\\" => run = CommandRun::default(),
                    _ => {}
                }
                rest = after;
                match change(name) {
                    Some(CommandRewrite::Refuse) => return None,
                    Some(CommandRewrite::To(other)) => out.push_str(other),
                    Some(CommandRewrite::Around(before, closing)) => {
                        rest = next.strip_prefix('{')?;
                        out.push_str(before);
                        open.push((closing, std::mem::take(&mut run)));
                    }
                    Some(CommandRewrite::Drop) => rest = skip_group(next)?,
                    None => {
                        out.push('\\');
                        out.push_str(name);
                    }
                }
            }
            '&' => run = CommandRun::default(),
            '[' if run.between == 0 => run.optional = run.takes_option,
            ']' => run.optional = false,
            c if c.is_whitespace() => {}
            _ => run.between += usize::from(!run.optional),
        }
        if open.len() + environments > MAX_DEPTH || run.commands > MAX_RUN {
            return None;
        }
        if c != '\\' {
            out.push(c);
        }
    }
    open.is_empty().then_some(out)
}

/// The name of the command that `rest` begins with, and the text after it. A star is part of the name where
/// the starred command is a different one.
fn command(rest: &str) -> (&str, &str) {
    let letters = rest
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    let length = match letters {
        0 => rest.chars().next().map_or(0, char::len_utf8),
        _ => letters,
    };
    let star = rest[length..].starts_with('*')
        && matches!(&rest[..length], "operatorname" | "tag" | "vspace");
    rest.split_at(length + usize::from(star))
}

/// The text after the group that `rest` begins with.
fn skip_group(rest: &str) -> Option<&str> {
    let inner = rest.strip_prefix('{')?;
    let end = inner.find(['{', '}', '\\'])?;
    inner[end..].strip_prefix('}')
}
