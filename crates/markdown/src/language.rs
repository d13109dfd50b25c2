//! The languages of code blocks: the names that models write in a fence, the display name, and the file
//! extension. Page and server use the same table.

/// One line per language: its name, its file extension, and further names used in fences. The lower-case name
/// and the extension are names too. A text, because a table of structs would be three times as large in the
/// page.
const LANGUAGES: &str = "\
ActionScript|as|
Ada|adb|ads
Apache|conf|apacheconf htaccess httpd
AppleScript|applescript|osascript
AsciiDoc|adoc|
Assembly|asm|nasm yasm x86asm x86 x86_64 s
AWK|awk|gawk
Batch|bat|cmd dosbatch batchfile winbatch
BibTeX|bib|
C|c|h
C#|cs|csharp c-sharp dotnet
C++|cpp|cc cxx hpp hxx arduino ino cuda cu
Clojure|clj|cljs cljc edn
CMake|cmake|cmakelists.txt
CoffeeScript|coffee|
Console|txt|shell-session shellsession terminal bash-session sh-session
Crontab|cron|
Crystal|cr|
CSS|css|
CSV|csv|
D|d|dlang
Dart|dart|flutter
Diff|diff|patch udiff git-diff
Dockerfile|dockerfile|docker containerfile
Dotenv|env|.env
Elixir|ex|exs
Elm|elm|
Erlang|erl|hrl
F#|fs|fsharp f-sharp fsx
Fish|fish|
Fortran|f90|f95 f03 f08 f77 for
GDScript|gd|godot
Git config|gitconfig|
Git ignore|gitignore|.gitignore ignore dockerignore
GLSL|glsl|vert frag shader hlsl
Gnuplot|gp|
Go|go|golang
Go module|mod|gomod go.mod
GraphQL|graphql|gql
Graphviz|dot|gv
Groovy|groovy|gradle jenkinsfile jenkins
Haml|haml|
Haskell|hs|
HTML|html|htm xhtml
HTTP|http|https rest-client
Idris|idr|
INI|ini|cfg conf config systemd service desktop editorconfig reg
Java|java|
JavaScript|js|node nodejs mjs cjs ecmascript es6
JSX|jsx|react javascriptreact
Jinja|j2|jinja2 django jinja-html twig liquid nunjucks
jq|jq|
JSON|json|jsonc json5 jsonl ndjson geojson webmanifest ipynb
Jsonnet|jsonnet|libsonnet
Julia|jl|
Kotlin|kt|kts
LaTeX|tex|
Lean|lean|lean4
Less|less|
Lisp|lisp|common-lisp commonlisp cl elisp emacs-lisp el scheme scm
LiveScript|ls|
LLVM IR|ll|llvm
Log|log|logs syslog
Lua|lua|luau
Makefile|mk|make gnumake mak
Markdown|md|mdown mkd mdx
MATLAB|m|octave
MediaWiki|wiki|wikitext
nginx|conf|nginxconf
Nim|nim|nims
Ninja|ninja|
Nix|nix|
NSIS|nsi|
Objective-C|m|objc obj-c objectivec
Objective-C++|mm|objc++ obj-c++ objectivec++
OCaml|ml|mli reason
Odin|odin|
Org|org|orgmode org-mode
Pascal|pas|delphi objectpascal object-pascal
Perl|pl|pm raku
PHP|php|php8 php-html
PowerShell|ps1|ps pwsh posh psm1
Properties|properties|java-properties javaproperties
Protocol Buffers|proto|protobuf proto3 proto2
Puppet|pp|
PureScript|purs|
Python|py|py3 python3 python2 pyw pyi pycon cython pyx mojo starlark bazel sage gyp ipython jupyter
QML|qml|
R|r|rlang rscript
Racket|rkt|
Rego|rego|opa
Requirements|txt|requirements.txt pip
reStructuredText|rst|rest
Robot Framework|robot|robotframework
Ruby|rb|gemfile rake rakefile irb jruby
ERB|erb|rhtml html+erb
Rust|rs|rust-lang
Sass|sass|
Scala|scala|sbt sc
SCSS|scss|
Shell|sh|bash zsh ksh dash ash bourne shellscript shell-script bashrc zshrc
Slim|slim|
Solidity|sol|
SQL|sql|mysql postgresql postgres pgsql plsql tsql t-sql sqlite sqlite3 mariadb bigquery cql ddl hql
SSH config|conf|sshconfig ssh-config ssh_config
Standard ML|sml|standardml
Stylus|styl|
Svelte|svelte|
Swift|swift|
SystemVerilog|sv|svh
Tcl|tcl|
Terraform|tf|hcl tfvars opentofu
TeX|tex|plaintex
Textile|textile|
TOML|toml|cargo.toml cargo-lock pyproject
TSX|tsx|typescriptreact
TypeScript|ts|mts cts deno
Typst|typ|
Verilog|v|
VHDL|vhdl|vhd
Vim script|vim|viml vimscript vimrc nvim
Vue|vue|vuejs vue-html
Vyper|vy|
WGSL|wgsl|
XML|xml|xsd xsl xslt rss atom svg plist pom csproj xaml opml
YAML|yaml|yml docker-compose compose kubernetes k8s ansible openapi
Zig|zig|zon
";

/// A language of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeLanguage {
    /// Its display name.
    pub name: &'static str,
    /// Its file extension, without a dot.
    pub ending: &'static str,
}

/// The language that a fence names, ignoring case; `None` if it is not in the table.
#[must_use]
pub fn named(fence: &str) -> Option<CodeLanguage> {
    let is = |name: &str| name.eq_ignore_ascii_case(fence);
    // A further name takes precedence over an extension: `conf` may be one of many languages, `m` is the
    // extension of two.
    let by = |place: usize| {
        entries().find(|(language, more)| match place {
            0 => is(language.name) || more.split(' ').any(is),
            _ => is(language.ending),
        })
    };
    let found = by(0).or_else(|| by(1));
    found
        .map(|(language, _)| language)
        .filter(|_| !fence.is_empty())
}

/// All languages.
pub fn languages() -> impl Iterator<Item = CodeLanguage> {
    entries().map(|(language, _)| language)
}

fn entries() -> impl Iterator<Item = (CodeLanguage, &'static str)> {
    LANGUAGES.lines().filter_map(|line| {
        let mut parts = line.split('|');
        let (name, ending) = (parts.next()?, parts.next()?);
        Some((CodeLanguage { name, ending }, parts.next()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_as_models_write_them() {
        for (fence, name, ending) in [
            ("rs", "Rust", "rs"),
            ("Rust", "Rust", "rs"),
            ("c++", "C++", "cpp"),
            ("CPP", "C++", "cpp"),
            ("sh", "Shell", "sh"),
            ("shell", "Shell", "sh"),
            ("bash", "Shell", "sh"),
            ("py", "Python", "py"),
            ("jsx", "JSX", "jsx"),
            ("console", "Console", "txt"),
            ("objc", "Objective-C", "m"),
            ("m", "MATLAB", "m"),
            ("conf", "INI", "ini"),
            ("js", "JavaScript", "js"),
            ("yml", "YAML", "yaml"),
            ("csharp", "C#", "cs"),
            ("h", "C", "c"),
            ("mod", "Go module", "mod"),
        ] {
            assert_eq!(named(fence), Some(CodeLanguage { name, ending }), "{fence}");
        }
        for unknown in ["", " ", "text", "plaintext", "klingon", "ru st", "|"] {
            assert_eq!(named(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_name_belongs_to_one_language() {
        let mut seen = Vec::new();
        for (language, more) in entries() {
            let name = language.name.to_lowercase();
            let more = more.split(' ').filter(|more| !more.is_empty());
            for word in more.map(str::to_owned).chain([name]) {
                assert!(!seen.contains(&word), "{word}");
                seen.push(word);
            }
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
            assert!(language.ending.chars().all(plain), "{}", language.ending);
        }
        assert!(languages().count() > 100);
    }
}
