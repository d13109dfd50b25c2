//! The declarations, imports and paths of one source file.

use crate::Result;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, UseTree};

/// A path as it was written, including `super`.
pub type Written = Vec<String>;

/// A source file without its tests.
#[derive(Debug, Default)]
pub struct Source {
    /// The modules in files of their own, with the file name if it is not the usual one.
    pub modules: Vec<(String, Option<String>)>,
    /// The items that the file defines.
    pub items: HashSet<String>,
    /// The imported and re-exported paths, by their local name.
    pub names: HashMap<String, Written>,
    /// The modules imported with `*`.
    pub globs: Vec<Written>,
    /// All paths in the file, including those of imports.
    pub paths: HashSet<Written>,
    /// The nesting depth of inline modules at the visitor's position.
    depth: usize,
}

impl Source {
    /// Parses a file.
    pub fn parse(text: &str) -> Result<Self> {
        let file = syn::parse_file(text).map_err(|error| error.to_string())?;
        let mut source = Self::default();
        source.visit_file(&file);
        Ok(source)
    }

    /// Records a path relative to the file, not to the inline module that contains it.
    fn note(&mut self, path: Written) -> Written {
        let ups = path.iter().take_while(|word| *word == "super").count();
        let path = match self.depth {
            depth if depth > 0 && (ups > 0 || path[0] == "self") => {
                let rest = &path[ups.max(usize::from(ups == 0))..];
                let left = vec!["super".to_owned(); ups.saturating_sub(depth)];
                let start = if left.is_empty() {
                    vec!["self".to_owned()]
                } else {
                    left
                };
                start.into_iter().chain(rest.iter().cloned()).collect()
            }
            _ => path,
        };
        self.paths.insert(path.clone());
        path
    }

    fn import(&mut self, tree: &UseTree, mut before: Written) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before.clone());
                }
            }
            UseTree::Glob(_) => {
                if !before.is_empty() {
                    let module = self.note(before);
                    self.globs.push(module);
                }
            }
            UseTree::Name(name) => self.import_as(before, &name.ident, &name.ident),
            UseTree::Rename(name) => self.import_as(before, &name.ident, &name.rename),
        }
    }

    fn import_as(&mut self, mut path: Written, name: &syn::Ident, here: &syn::Ident) {
        let here = match name == "self" && here == "self" {
            true => path.last().cloned().unwrap_or_default(),
            false => here.to_string(),
        };
        if name != "self" {
            path.push(name.to_string());
        }
        let path = self.note(path);
        self.names.insert(here, path);
    }

    /// Records the paths in a macro's tokens, whatever the macro does with them.
    fn scan(&mut self, tokens: TokenStream) {
        let mut path: Written = Vec::new();
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

    fn end(&mut self, path: &mut Written) {
        if !path.is_empty() {
            self.note(std::mem::take(path));
        }
    }
}

impl<'a> Visit<'a> for Source {
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
            Item::Use(item) => self.import(&item.tree, Vec::new()),
            Item::Mod(item) if item.content.is_none() => {
                let file = path_attribute(&item.attrs);
                self.modules.push((item.ident.to_string(), file));
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
        let attributes = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            _ => return,
        };
        if !is_test(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.leading_colon.is_none() {
            let words = path.segments.iter().map(|part| part.ident.to_string());
            self.note(words.collect());
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

/// An item's attributes, and its name if it has one.
fn parts(item: &Item) -> Option<(&[Attribute], Option<String>)> {
    let (attributes, name) = match item {
        Item::Const(item) => (&item.attrs, Some(&item.ident)),
        Item::Enum(item) => (&item.attrs, Some(&item.ident)),
        Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
        Item::Impl(item) => (&item.attrs, None),
        Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
        Item::Mod(item) => (&item.attrs, None),
        Item::Static(item) => (&item.attrs, Some(&item.ident)),
        Item::Struct(item) => (&item.attrs, Some(&item.ident)),
        Item::Trait(item) => (&item.attrs, Some(&item.ident)),
        Item::Type(item) => (&item.attrs, Some(&item.ident)),
        Item::Union(item) => (&item.attrs, Some(&item.ident)),
        Item::Use(item) => (&item.attrs, None),
        _ => return None,
    };
    Some((attributes, name.map(ToString::to_string)))
}

/// Whether an item is compiled only for tests.
pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return attribute.path().is_ident("test");
        };
        let words = list.tokens.to_string().replace(' ', "");
        list.path.is_ident("cfg")
            && words.split(['(', ')', ',']).any(|word| word == "test")
            && !words.contains("not(test)")
    })
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
