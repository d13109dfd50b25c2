//! Maps languages to grammars. The grammars are Sublime Text's, as collected by bat.

use super::grammar::{ParseLimits, highlight as by_lines, session};
use super::powershell;
use sash_markdown::named;

/// Highlights code in the language that a fence names; without runs if the language is unknown.
pub(super) fn highlight(fence: &str, code: &str, lines: &ParseLimits) -> String {
    let Some(language) = named(fence) else {
        return String::new();
    };
    if language.name == "PowerShell" {
        return powershell::highlight(code, lines);
    }
    let set = two_face::syntax::extra_newlines();
    match (
        language.name,
        set.find_syntax_by_name(grammar(language.name)),
    ) {
        (_, None) => String::new(),
        ("Console", Some(syntax)) => session(&set, syntax, code, lines),
        (_, Some(syntax)) => by_lines(&set, syntax, code, lines),
    }
}

/// The name of a language's grammar, where it differs from the language's.
fn grammar(language: &str) -> &str {
    match language {
        "Apache" => "Apache Conf",
        "AsciiDoc" => "AsciiDoc (Asciidoctor)",
        "Assembly" => "x86_64 Assembly",
        "Batch" => "Batch File",
        "Console" | "Shell" => "Bourne Again Shell (bash)",
        "CSV" => "Comma Separated Values",
        "Dockerfile" => "Dockerfile (with bash)",
        "Dotenv" => "DotENV",
        "Fortran" => "Fortran (Modern)",
        "GDScript" => "GDScript (Godot Engine)",
        "Git config" => "Git Config",
        "Git ignore" => "Git Ignore",
        "Gnuplot" => "gnuplot",
        "Go module" => "Gomod",
        "Graphviz" => "Graphviz (DOT)",
        "HTTP" => "HTTP Request and Response",
        "Haml" => "Ruby Haml",
        "JSX" | "TSX" => "TypeScriptReact",
        "Jinja" => "HTML (Jinja2)",
        "jq" => "JQ",
        "Jsonnet" => "jsonnet",
        "LLVM IR" => "LLVM",
        "Lean" => "Lean 4",
        "Log" => "log",
        "Org" => "orgmode",
        "Properties" => "Java Properties",
        "Protocol Buffers" => "Protocol Buffer",
        "Requirements" => "Requirements.txt",
        "ERB" => "HTML (Rails)",
        "SSH config" => "SSH Config",
        "Slim" => "Ruby Slim",
        "Standard ML" => "SML",
        "Vim script" => "VimL",
        "Vue" => "Vue Component",
        same => same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_markdown::languages;

    #[test]
    fn every_language_of_the_table_has_a_grammar() {
        let set = two_face::syntax::extra_newlines();
        let missing: Vec<_> = languages()
            .filter(|language| set.find_syntax_by_name(grammar(language.name)).is_none())
            .map(|language| language.name)
            .collect();
        assert_eq!(missing, ["PowerShell"], "which we read ourselves");
        assert!(languages().count() >= 100);
    }
}
