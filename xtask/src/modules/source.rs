//! The declarations, imports and paths of one source file.

use super::attributes::{impl_item_attributes, is_test, parts};
use super::measures::Measures;
use crate::Result;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemUse, Type, UseTree, Visibility};

/// A path as it was written, including `super`.
pub type WrittenPath = Vec<String>;

/// The paths in an `impl` block.
#[derive(Debug, Default)]
pub struct ImplBlock {
    /// The type that the block is for, if it is a path.
    pub self_type: Option<WrittenPath>,
    /// All paths in the block.
    pub paths: HashSet<WrittenPath>,
}

/// A source file without its tests.
#[derive(Debug, Default)]
pub struct SourceFile {
    /// The modules in files of their own, with the file name if it is not the usual one.
    pub modules: Vec<(String, Option<String>)>,
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
    /// What is counted in the file.
    pub measures: Measures,
    /// Whether the visitor is in the last block of `impls`.
    in_impl: bool,
    /// The nesting depth of inline modules at the visitor's position.
    depth: usize,
}

impl SourceFile {
    /// Parses a file.
    pub fn parse(text: &str) -> Result<Self> {
        let file = syn::parse_file(text).map_err(|error| error.to_string())?;
        let mut source = Self {
            measures: Measures::of(&file, text),
            ..Self::default()
        };
        source.visit_file(&file);
        source.add_unnamed_imports();
        Ok(source)
    }

    /// A path relative to the file, not to the inline module that contains it.
    fn relative_to_file(&self, path: WrittenPath) -> WrittenPath {
        let ups = path.iter().take_while(|word| *word == "super").count();
        if self.depth == 0 || (ups == 0 && path[0] != "self") {
            return path;
        }
        let rest = &path[ups.max(1)..];
        let left = vec!["super".to_owned(); ups.saturating_sub(self.depth)];
        let start = if left.is_empty() {
            vec!["self".to_owned()]
        } else {
            left
        };
        start.into_iter().chain(rest.iter().cloned()).collect()
    }

    fn add_path(&mut self, path: WrittenPath) {
        let path = self.relative_to_file(path);
        match self.impls.last_mut().filter(|_| self.in_impl) {
            Some(block) => block.paths.insert(path),
            None => self.paths.insert(path),
        };
    }

    fn add_imports(&mut self, item: &ItemUse) {
        let is_re_export = !matches!(item.vis, Visibility::Inherited);
        let mut imports = Vec::new();
        flatten(&item.tree, Vec::new(), &mut imports);
        for (path, local_name) in imports {
            let path = self.relative_to_file(path);
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
        let named: HashSet<&String> = self
            .paths
            .iter()
            .chain(blocks)
            .map(|path| &path[0])
            .collect();
        let is_unnamed = |(name, path): &(&String, &WrittenPath)| {
            !named.contains(name) && !self.re_exports.contains(*path)
        };
        let unnamed = self.names.iter().filter(is_unnamed);
        let unnamed: Vec<WrittenPath> = unnamed.map(|(_, path)| path.clone()).collect();
        self.paths.extend(unnamed);
    }

    /// Records the paths in a macro's tokens, whatever the macro does with them.
    fn scan(&mut self, tokens: TokenStream) {
        let mut path: WrittenPath = Vec::new();
        // Counts the colons since the last word. `$crate` may be another crate, so the word is left
        // out.
        let (mut colons, mut dollar) = (0, false);
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons != 2 || path.is_empty() {
                        self.end(&mut path);
                    }
                    if !dollar {
                        path.push(word.to_string());
                    }
                    (colons, dollar) = (0, false);
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' && colons < 2 => colons += 1,
                TokenTree::Punct(mark) => {
                    self.end(&mut path);
                    (colons, dollar) = (0, mark.as_char() == '$');
                }
                TokenTree::Group(group) => {
                    self.end(&mut path);
                    colons = 0;
                    self.scan(group.stream());
                }
                TokenTree::Literal(_) => self.end(&mut path),
            }
        }
        self.end(&mut path);
    }

    fn end(&mut self, path: &mut WrittenPath) {
        if !path.is_empty() {
            self.add_path(std::mem::take(path));
        }
    }
}

impl<'a> Visit<'a> for SourceFile {
    fn visit_item(&mut self, item: &'a Item) {
        let Some((attributes, name)) = parts(item) else {
            return;
        };
        if is_test(attributes) {
            return;
        }
        if self.depth == 0 {
            self.items.extend(name);
        }
        match item {
            Item::Use(item) => self.add_imports(item),
            Item::Mod(item) if item.content.is_none() => {
                let file = path_attribute(&item.attrs);
                self.modules.push((item.ident.to_string(), file));
            }
            Item::Impl(item) => {
                let self_type = match &*item.self_ty {
                    Type::Path(path) => Some(self.relative_to_file(words(&path.path))),
                    _ => None,
                };
                self.impls.push(ImplBlock {
                    self_type,
                    ..ImplBlock::default()
                });
                self.in_impl = true;
                visit::visit_item_impl(self, item);
                self.in_impl = false;
            }
            Item::Mod(_) => {
                self.depth += 1;
                visit::visit_item(self, item);
                self.depth -= 1;
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'a ImplItem) {
        if impl_item_attributes(item).is_some_and(|attributes| !is_test(attributes)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.leading_colon.is_none() {
            self.add_path(words(path));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.visit_path(&call.path);
        self.scan(call.tokens.clone());
    }

    /// The paths in `pub(in crate::a)` and `pub(super)` are not dependencies.
    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}
}

/// Splits an import into its paths, each with its local name; `None` means that the path was
/// imported with `*`.
fn flatten(
    tree: &UseTree,
    mut before: WrittenPath,
    imports: &mut Vec<(WrittenPath, Option<String>)>,
) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, imports);
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before.clone(), imports);
            }
        }
        UseTree::Glob(_) if before.is_empty() => {}
        UseTree::Glob(_) => imports.push((before, None)),
        UseTree::Name(name) if name.ident == "self" => {
            let local_name = before.last().cloned();
            imports.push((before, local_name));
        }
        UseTree::Name(name) => {
            before.push(name.ident.to_string());
            imports.push((before, Some(name.ident.to_string())));
        }
        UseTree::Rename(name) => {
            if name.ident != "self" {
                before.push(name.ident.to_string());
            }
            imports.push((before, Some(name.rename.to_string())));
        }
    }
}

fn words(path: &syn::Path) -> WrittenPath {
    let words = path.segments.iter().map(|part| part.ident.to_string());
    words.collect()
}

/// The file in a module's `#[path]` attribute.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let syn::Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        match &pair.value {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(file),
                ..
            }) if pair.path.is_ident("path") => Some(file.value()),
            _ => None,
        }
    })
}
