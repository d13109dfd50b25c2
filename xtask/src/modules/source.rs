//! The declarations, imports and paths of one source file.

use super::measures::Measures;
use super::tokens::{inside, is_punct, item_length, punct, without_tests, word};
use proc_macro2::{LexError, TokenTree};
use std::collections::{HashMap, HashSet};

/// A path as it was written, including `super`.
pub type WrittenPath = Vec<String>;

/// What makes an item, before its name.
const ITEMS: [&str; 8] = [
    "const", "enum", "fn", "static", "struct", "trait", "type", "union",
];

/// The paths in an `impl` block.
#[derive(Debug, Default)]
pub struct ImplBlock {
    /// The type that the block is for, if it is a path.
    pub self_type: WrittenPath,
    /// All paths in the block.
    pub paths: HashSet<WrittenPath>,
}

/// A source file without its tests. An inline module is taken for a part of its file.
#[derive(Debug, Default)]
pub struct SourceFile {
    /// Its text.
    pub text: String,
    /// Its tokens.
    pub tokens: Vec<TokenTree>,
    /// What is counted in the file.
    pub measures: Measures,
    /// The modules in files of their own.
    pub modules: HashSet<String>,
    /// The items that the file defines.
    pub items: HashSet<String>,
    /// The imported and re-exported paths, by their local name.
    pub names: HashMap<String, WrittenPath>,
    /// The modules imported with `*`.
    pub globs: Vec<WrittenPath>,
    /// The modules of `globs` that are not re-exported.
    pub used_globs: HashSet<WrittenPath>,
    /// The paths of re-exports: imports with a visibility, such as `pub use`.
    pub re_exports: HashSet<WrittenPath>,
    /// The paths in the code outside of `impl` blocks.
    pub paths: HashSet<WrittenPath>,
    /// The `impl` blocks.
    pub impls: Vec<ImplBlock>,
}

impl SourceFile {
    /// Reads a file.
    ///
    /// # Errors
    /// What the compiler would not read either.
    pub fn parse(text: String) -> Result<Self, LexError> {
        let (tokens, tests) = without_tests(&text)?;
        let mut source = Self {
            measures: Measures::of(&tokens, &text, &tests),
            text,
            ..Self::default()
        };
        source.read_items(&tokens);
        source.add_unnamed_imports();
        source.tokens = tokens;
        Ok(source)
    }

    /// Reads the items of the file.
    fn read_items(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            let length = item_length(&tokens[at..]);
            let item = &tokens[at..at + length];
            let place = item
                .iter()
                .position(|token| matches!(token, TokenTree::Ident(word) if word == "impl"));
            // Elsewhere it stands for a type: `fn a() -> impl B`.
            let is_impl = place.is_some_and(|place| {
                let before = place.checked_sub(1).and_then(|before| item.get(before));
                before.is_none_or(|before| match before {
                    TokenTree::Ident(word) => word == "unsafe",
                    TokenTree::Group(_) => true,
                    _ => false,
                })
            });
            match place.filter(|_| is_impl) {
                Some(place) => {
                    let mut block = ImplBlock {
                        self_type: self_type(&item[place + 1..]),
                        ..ImplBlock::default()
                    };
                    self.scan(item, &mut block.paths);
                    self.impls.push(block);
                }
                None => {
                    self.add_names(item);
                    let mut paths = std::mem::take(&mut self.paths);
                    self.scan(item, &mut paths);
                    self.paths = paths;
                }
            }
            at += length;
        }
    }

    /// Adds what an item defines.
    fn add_names(&mut self, item: &[TokenTree]) {
        let is_declared = punct(item, item.len() - 1) == Some(';');
        for (at, token) in item.iter().enumerate() {
            let TokenTree::Ident(keyword) = token else {
                continue;
            };
            let name = word(item, at + 1);
            if keyword == "mod" && is_declared {
                self.modules.extend(name);
            } else if ITEMS.iter().any(|item| keyword == item) {
                self.items.extend(name);
            } else if keyword == "macro_rules" {
                self.items.extend(word(item, at + 2));
            }
        }
    }

    /// Records the paths of some tokens, those of macros too, whatever they do with them; and the imports among them.
    fn scan(&mut self, tokens: &[TokenTree], paths: &mut HashSet<WrittenPath>) {
        let mut path = WrittenPath::new();
        let mut at = 0;
        while at < tokens.len() {
            let is_after_colons =
                at > 1 && punct(tokens, at - 1) == Some(':') && punct(tokens, at - 2) == Some(':');
            match &tokens[at] {
                // `use<'a>` is none.
                TokenTree::Ident(word) if word == "use" && punct(tokens, at + 1) != Some('<') => {
                    let length = item_length_to_semicolon(&tokens[at..]);
                    self.add_imports(&tokens[at + 1..at + length], is_visible(&tokens[..at]));
                    at += length;
                    continue;
                }
                TokenTree::Ident(word) => {
                    if is_after_colons && !path.is_empty() {
                        path.push(word.to_string());
                    } else {
                        end(&mut path, paths);
                        if !is_after_colons && !is_own_name(tokens, at) {
                            path.push(word.to_string());
                        }
                    }
                }
                TokenTree::Punct(sign) if sign.as_char() == ':' => {}
                token => {
                    end(&mut path, paths);
                    if let TokenTree::Group(group) = token {
                        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                        self.scan(&inner, paths);
                    }
                }
            }
            at += 1;
        }
        end(&mut path, paths);
    }

    fn add_imports(&mut self, tree: &[TokenTree], is_re_export: bool) {
        let mut imports = Vec::new();
        flatten(tree, &[], &mut imports);
        for (path, local_name) in imports {
            if is_re_export {
                self.re_exports.insert(path.clone());
            }
            match local_name {
                Some(name) => {
                    self.names.insert(name, path);
                }
                None => {
                    if !is_re_export {
                        self.used_globs.insert(path.clone());
                    }
                    self.globs.push(path);
                }
            }
        }
    }

    /// Adds the imports that the code does not name: traits that are used by their methods.
    fn add_unnamed_imports(&mut self) {
        let blocks = self.impls.iter().flat_map(|block| &block.paths);
        let paths = self.paths.iter().chain(blocks);
        let named: HashSet<&String> = paths.map(|path| &path[0]).collect();
        let unnamed = self
            .names
            .iter()
            .filter(|(name, path)| !named.contains(name) && !self.re_exports.contains(*path));
        let unnamed: Vec<WrittenPath> = unnamed.map(|(_, path)| path.clone()).collect();
        self.paths.extend(unnamed);
    }
}

fn end(path: &mut WrittenPath, paths: &mut HashSet<WrittenPath>) {
    if !path.is_empty() {
        paths.insert(std::mem::take(path));
    }
}

/// Whether a word names something new, a field or a method, and nothing of another module. What stands behind `$` may be
/// of another crate.
fn is_own_name(tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let is_named = match before {
        Some(TokenTree::Ident(word)) => word == "mod" || ITEMS.iter().any(|item| word == item),
        Some(TokenTree::Punct(sign)) => matches!(sign.as_char(), '.' | '$' | '\''),
        _ => false,
    };
    // `a..b` is no field.
    let is_range =
        at > 1 && punct(tokens, at - 1) == Some('.') && punct(tokens, at - 2) == Some('.');
    let is_field = punct(tokens, at + 1) == Some(':') && punct(tokens, at + 2) != Some(':');
    is_named && !is_range || is_field
}

/// Whether a visibility stands at the end of some tokens.
fn is_visible(tokens: &[TokenTree]) -> bool {
    let is_pub =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Ident(word)) if word == "pub");
    match tokens.last() {
        Some(TokenTree::Group(_)) => is_pub(tokens.iter().nth_back(1)),
        last => is_pub(last),
    }
}

fn item_length_to_semicolon(tokens: &[TokenTree]) -> usize {
    let end = tokens.iter().position(|token| is_punct(Some(token), ';'));
    end.map_or(tokens.len(), |end| end + 1)
}

/// The type of an `impl` block, whose tokens behind `impl` these are; empty if it is no path.
fn self_type(tokens: &[TokenTree]) -> WrittenPath {
    let mut depth = 0_usize;
    let mut start = None;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '<' => depth += 1,
            TokenTree::Punct(sign) if sign.as_char() == '>' => {
                let is_arrow = at > 0 && punct(tokens, at - 1) == Some('-');
                depth -= usize::from(!is_arrow).min(depth);
            }
            TokenTree::Ident(word) if word == "where" => break,
            TokenTree::Ident(word) if word == "for" && depth == 0 => {
                start = Some(at + 1);
                break;
            }
            _ if depth == 0 => {
                start.get_or_insert(at);
            }
            _ => {}
        }
    }
    let rest = &tokens[start.unwrap_or(tokens.len())..];
    let is_path = |token: &&TokenTree| match token {
        TokenTree::Ident(word) => word != "where",
        token => is_punct(Some(*token), ':'),
    };
    let path = rest.iter().take_while(is_path);
    let words = path.filter(|token| matches!(token, TokenTree::Ident(_)));
    words.map(ToString::to_string).collect()
}

/// Splits an import into its paths, each with its local name; `None` means that the path was
/// imported with `*`.
fn flatten(
    tree: &[TokenTree],
    before: &[String],
    imports: &mut Vec<(WrittenPath, Option<String>)>,
) {
    for part in tree.split(|token| is_punct(Some(token), ',') || is_punct(Some(token), ';')) {
        let mut path = before.to_vec();
        let mut alias = None;
        let mut is_done = part.is_empty();
        for (at, token) in part.iter().enumerate() {
            match token {
                TokenTree::Ident(name) if name == "as" => {
                    alias = word(part, at + 1);
                    break;
                }
                TokenTree::Ident(name) if name == "self" && !path.is_empty() => {}
                TokenTree::Ident(name) => path.push(name.to_string()),
                TokenTree::Punct(sign) if sign.as_char() == '*' => {
                    is_done = true;
                    if !path.is_empty() {
                        imports.push((path.clone(), None));
                    }
                }
                TokenTree::Group(_) => {
                    is_done = true;
                    flatten(&inside(part, at).unwrap_or_default(), &path, imports);
                }
                _ => {}
            }
        }
        if !is_done {
            let name = alias.or_else(|| path.last().cloned());
            imports.push((path, name));
        }
    }
}
