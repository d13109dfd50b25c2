//! The classes of highlighted code. `tests/native/server/highlight.rs` shows that nothing blocks the server.

use super::grammar::ParseLimits;
use super::grammars;

fn runs(language: &str, code: &str) -> String {
    let lines = ParseLimits {
        longest: 1000,
        may_continue: &|| true,
    };
    grammars::highlight(language, code, &lines)
}

/// The pieces of a text with the letters of their classes; plain ones have `-`.
fn pieces(language: &str, code: &str) -> Vec<(char, String)> {
    let runs = runs(language, code);
    let units: Vec<u16> = code.encode_utf16().collect();
    let mut at = 0;
    let mut pieces = Vec::new();
    for run in runs.split(' ').filter(|run| !run.is_empty()) {
        let letter = run.chars().next().filter(char::is_ascii_alphabetic);
        let length: usize = run[letter.map_or(0, char::len_utf8)..].parse().unwrap();
        let text = String::from_utf16(&units[at..at + length]).unwrap();
        pieces.push((letter.unwrap_or('-'), text));
        at += length;
    }
    assert!(runs.is_empty() || at == units.len(), "{runs} over {code:?}");
    pieces
}

/// Checks that a piece of each class has the expected text.
fn has(language: &str, code: &str, expected: &[(char, &str)]) {
    let pieces = pieces(language, code);
    for (letter, text) in expected {
        let found = pieces.iter().any(|(l, t)| l == letter && t.trim() == *text);
        assert!(found, "{language}: {letter} {text:?} is not in {pieces:?}");
    }
}

#[test]
fn what_is_what_in_the_languages_of_most_answers() {
    let rust =
        "// Adds.\n#[must_use]\nfn add(a: u32) -> Sum { println!(\"{a}\\n\"); Sum(a + 1) }\n";
    let expected = [
        ('c', "// Adds."),
        ('k', "fn"),
        ('f', "add"),
        ('n', "1"),
        ('e', "{a}\\n"),
    ];
    has("rust", rust, &expected);
    let python = "import os\nclass A(B):\n    @property\n    def f(self) -> int:\n        return f'{x}a' and None # no\n";
    let expected = [
        ('k', "import"),
        ('y', "A"),
        ('f', "f"),
        ('c', "# no"),
        ('n', "None"),
        ('k', "and"),
    ];
    has("py", python, &expected);
    let typescript =
        "interface A { b: string }\nconst c = async (): Promise<A> => `x${c()}y`; // d\n";
    let expected = [
        ('k', "interface"),
        ('y', "A"),
        ('k', "const"),
        ('c', "// d"),
        ('s', "`x"),
    ];
    has("typescript", typescript, &expected);
    has(
        "json",
        "{\"a\": [1, true, \"b\"]}",
        &[('a', "\"a\""), ('n', "1"), ('n', "true"), ('s', "\"b\"")],
    );
    has(
        "bash",
        "# c\nfor i in *; do echo \"$i\"; done\n",
        &[('c', "# c"), ('k', "for"), ('f', "echo")],
    );
    has(
        "html",
        "<p class=\"a\">b</p><!-- c -->",
        &[
            ('t', "p"),
            ('a', "class"),
            ('s', "\"a\""),
            ('c', "<!-- c -->"),
        ],
    );
    has(
        "diff",
        "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n",
        &[('d', "-old"), ('i', "+new")],
    );
    has(
        "sql",
        "SELECT a FROM b WHERE c = 'd' -- e\n",
        &[('k', "SELECT"), ('s', "'d'"), ('c', "-- e")],
    );
    has(
        "console",
        "$ ls -l # all\ntotal 0 # plain\n",
        &[
            ('m', "$"),
            ('f', "ls"),
            ('c', "# all"),
            ('-', "total 0 # plain"),
        ],
    );
    let powershell = "<# a\nb #>\nfunction Get-It([string] $Name) { if ($Name -eq \"x`\"y\") { return 1 } } # c\n";
    let expected = [
        ('c', "<# a\nb #>"),
        ('k', "function"),
        ('f', "Get-It"),
        ('y', "[string]"),
        ('a', "$Name"),
        ('k', "-eq"),
        ('s', "\"x`\"y\""),
        ('n', "1"),
        ('c', "# c"),
    ];
    has("powershell", powershell, &expected);
}

#[test]
fn lengths_are_utf16_and_ends_of_lines_stay() {
    for code in [
        "let a = \"😀é\"; // 日本😀\nlet b = 1;",
        "let a = 1; // x\r\nlet b = 2;\r\n",
        "\n\n\nlet a;\n\n",
        "\r\n\r",
        "\u{feff}let a;\u{2028}let b;\0",
        "x",
    ] {
        let all: String = pieces("js", code)
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        assert_eq!(all, code);
    }
    has(
        "js",
        "let a = 1; // x\r\nlet b = 2;\r\n",
        &[('c', "// x"), ('k', "let")],
    );
}

#[test]
fn what_takes_too_long_stays_plain_from_there_on() {
    let asked = std::cell::Cell::new(0);
    let lines = ParseLimits {
        longest: 20,
        may_continue: &|| {
            asked.set(asked.get() + 1);
            asked.get() <= 2
        },
    };
    let code = "let a;\nlet b = \"a long line, too long\";\nlet c;\nlet d;\n";
    // The first line, the second one, which is too long, and two for which no time was left.
    assert_eq!(grammars::highlight("rust", code, &lines), "k3 51");
    assert_eq!(asked.get(), 3);
    assert_eq!(grammars::highlight("ps1", "# a\n# b\n", &lines), "8");
}
