//! The awaits of a source file.

use crate::Result;
use crate::modules::is_test;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ImplItemFn, ItemFn, ItemMod, Stmt};

/// How often each function waits and goes on: an await whose value is what the function or its `async` block returns
/// is not counted, because nothing is written after it.
pub fn awaits(text: &str) -> Result<BTreeMap<String, usize>> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut visitor = AwaitVisitor::default();
    visitor.visit_file(&file);
    Ok(visitor.found)
}

#[derive(Default)]
struct AwaitVisitor {
    /// The functions around the visitor's position; the first one names the entry.
    functions: Vec<String>,
    found: BTreeMap<String, usize>,
}

impl AwaitVisitor {
    fn function(&mut self, name: String, block: &Block) {
        self.functions.push(name);
        self.body(block);
        self.functions.pop();
    }

    fn count(&mut self) {
        if let Some(function) = self.functions.first() {
            *self.found.entry(function.clone()).or_default() += 1;
        }
    }

    fn scan(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) if word == "await" => self.count(),
                TokenTree::Group(group) => self.scan(group.stream()),
                _ => {}
            }
        }
    }

    /// Visits the body of a function or of an `async` block.
    fn body(&mut self, block: &Block) {
        let Some((last, before)) = block.stmts.split_last() else {
            return;
        };
        for statement in before {
            self.visit_stmt(statement);
        }
        match last {
            Stmt::Expr(value, None) => self.returned(value),
            statement => self.visit_stmt(statement),
        }
    }

    /// Visits what is returned: the await that makes it ends the work.
    fn returned(&mut self, value: &Expr) {
        match value {
            Expr::Await(last) => self.visit_expr(&last.base),
            Expr::Try(tried) => self.returned(&tried.expr),
            Expr::Block(block) => self.body(&block.block),
            Expr::If(choice) => {
                self.visit_expr(&choice.cond);
                self.body(&choice.then_branch);
                if let Some((_, other)) = &choice.else_branch {
                    self.returned(other);
                }
            }
            Expr::Match(choice) => {
                self.visit_expr(&choice.expr);
                for arm in &choice.arms {
                    if let Some((_, guard)) = &arm.guard {
                        self.visit_expr(guard);
                    }
                    self.returned(&arm.body);
                }
            }
            value => self.visit_expr(value),
        }
    }
}

impl<'a> Visit<'a> for AwaitVisitor {
    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        if !is_test(&item.attrs) {
            self.function(item.sig.ident.to_string(), &item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        if !is_test(&item.attrs) {
            self.function(item.sig.ident.to_string(), &item.block);
        }
    }

    fn visit_expr_async(&mut self, expression: &'a syn::ExprAsync) {
        self.body(&expression.block);
    }

    fn visit_expr_await(&mut self, expression: &'a syn::ExprAwait) {
        self.count();
        visit::visit_expr_await(self, expression);
    }

    /// What a macro does with its words is not known, so each await in it counts.
    fn visit_macro(&mut self, call: &'a syn::Macro) {
        self.scan(call.tokens.clone());
    }
}
