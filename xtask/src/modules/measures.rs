//! What is counted in one source file, without its tests.

use super::attributes::{impl_item_attributes, is_test, parts};
use proc_macro2::Span;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprCall, ExprMethodCall, ImplItem, ImplItemFn, Item, ItemFn};

/// The most lines of a function that fits on a screen or two.
const MAX_FUNCTION_LINES: usize = 80;
/// The methods that write a signal.
const SETTERS: [&str; 5] = ["set", "try_set", "update", "try_update", "maybe_update"];
/// The types whose constructors make an effect.
const EFFECTS: [&str; 3] = ["Effect", "RenderEffect", "ImmediateEffect"];

/// What is counted in one source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// The lines.
    pub lines: usize,
    /// The functions that are too long: their names and lines.
    pub long_functions: Vec<(String, usize)>,
    /// References with the lifetime `'static`, those to texts left out.
    pub static_references: usize,
    /// Reads of signals that follow nothing.
    pub untracked: usize,
    /// The lines of the effects that write a signal.
    pub writing_effects: Vec<usize>,
}

impl Measures {
    /// Counts a file.
    pub fn of(file: &syn::File, text: &str) -> Self {
        let mut counter = Counter::default();
        counter.visit_file(file);
        let mut measures = counter.measures;
        for (at, line) in (1..).zip(text.lines()) {
            if counter.tests.contains(&at) {
                continue;
            }
            measures.lines += 1;
            let code = line.split("//").next().unwrap_or_default();
            let references = code.split("&'static ").skip(1);
            measures.static_references += references.filter(|to| !is_str(to)).count();
            measures.untracked += code.matches("untrack").count();
        }
        measures
    }
}

/// Whether a type is `str`.
fn is_str(text: &str) -> bool {
    let rest = text.strip_prefix("str");
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[derive(Default)]
struct Counter {
    measures: Measures,
    /// The lines of items that are compiled only for tests.
    tests: BTreeSet<usize>,
}

impl Counter {
    fn add_test(&mut self, attributes: &[Attribute], end: Span) {
        let start = attributes
            .first()
            .map_or(end, |first| first.pound_token.span);
        self.tests.extend(start.start().line..=end.end().line);
    }

    fn add_function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let end = block.brace_token.span.close().end().line;
        let lines = end + 1 - signature.fn_token.span.start().line;
        if lines > MAX_FUNCTION_LINES {
            let name = signature.ident.to_string();
            self.measures.long_functions.push((name, lines));
        }
    }
}

impl<'a> Visit<'a> for Counter {
    fn visit_item(&mut self, item: &'a Item) {
        match parts(item) {
            Some((attributes, _)) if is_test(attributes) => self.add_test(attributes, end_of(item)),
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'a ImplItem) {
        match impl_item_attributes(item) {
            Some(attributes) if is_test(attributes) => self.add_test(attributes, item.span()),
            _ => visit::visit_impl_item(self, item),
        }
    }

    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        self.add_function(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'a ImplItemFn) {
        self.add_function(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_expr_call(&mut self, call: &'a ExprCall) {
        if makes_effect(&call.func) {
            let mut writes = Writes(false);
            writes.visit_expr_call(call);
            let line = call.paren_token.span.open().start().line;
            self.measures
                .writing_effects
                .extend(writes.0.then_some(line));
        }
        visit::visit_expr_call(self, call);
    }
}

/// Where an item ends. The span of a whole item would take as long as all else.
fn end_of(item: &Item) -> Span {
    match item {
        Item::Mod(item) => match &item.content {
            Some((brace, _)) => brace.span.close(),
            None => item.ident.span(),
        },
        Item::Fn(item) => item.block.brace_token.span.close(),
        Item::Impl(item) => item.brace_token.span.close(),
        other => other.span(),
    }
}

fn makes_effect(function: &Expr) -> bool {
    let Expr::Path(path) = function else {
        return false;
    };
    let mut segments = path.path.segments.iter().rev().skip(1);
    let owner = segments.next();
    owner.is_some_and(|owner| EFFECTS.iter().any(|effect| owner.ident == effect))
}

/// Whether an expression writes a signal.
struct Writes(bool);

impl<'a> Visit<'a> for Writes {
    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        self.0 |= SETTERS.iter().any(|setter| call.method == setter);
        visit::visit_expr_method_call(self, call);
    }
}
