//! Maps the scopes of grammars, of which there are hundreds, to the few classes of the wire. The scope names
//! are Sublime Text's (<https://www.sublimetext.com/docs/scope_naming.html>) and those that grammars derive
//! from them.

use crate::HighlightClass;
use std::collections::HashMap;
use syntect::parsing::{Scope, ScopeStack};

/// The meaning of a scope for its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeMeaning {
    /// The text has this class.
    Is(HighlightClass),
    /// The text is plain, whatever contains it: for example code within a string.
    Plain,
    /// Strings within it are keys.
    Keys,
    /// No meaning: the enclosing scope decides.
    Nothing,
}

use HighlightClass as C;
use ScopeMeaning::{Is, Keys, Nothing, Plain};

/// Prefixes of scopes; the first match counts.
const RULES: [(&str, ScopeMeaning); 76] = [
    ("comment", Is(C::Comment)),
    ("punctuation.definition.comment", Is(C::Comment)),
    // Strings and what they contain.
    ("constant.character.escape", Is(C::Escape)),
    ("constant.other.placeholder", Is(C::Escape)),
    ("keyword.control.regexp", Is(C::Escape)),
    ("string.unquoted.plain.in", Nothing),
    ("string.unquoted.heredoc", Is(C::String)),
    ("string.unquoted.argument", Nothing),
    ("string", Is(C::String)),
    ("meta.interpolation", Plain),
    ("meta.template.expression", Plain),
    ("meta.string.template.expression", Plain),
    ("source", Plain),
    ("text", Plain),
    ("invalid", Nothing),
    // Numbers and constants.
    ("constant.language", Is(C::Number)),
    ("storage.type.numeric", Is(C::Number)),
    ("keyword.other.unit", Is(C::Number)),
    ("constant", Is(C::Number)),
    ("support.constant", Is(C::Number)),
    ("entity.name.constant", Is(C::Number)),
    // Keywords.
    ("keyword.operator.word", Is(C::Keyword)),
    ("keyword.operator.logical.python", Is(C::Keyword)),
    ("keyword.operator.new", Is(C::Keyword)),
    ("keyword.operator.assignment.augmented", Nothing),
    ("keyword.operator", Nothing),
    ("keyword.declaration.function.arrow", Nothing),
    ("storage.type.function.arrow", Nothing),
    ("keyword.control.directive", Is(C::Meta)),
    ("keyword.control.import.include", Is(C::Meta)),
    ("keyword", Is(C::Keyword)),
    ("storage.modifier.lifetime", Is(C::Meta)),
    ("storage.type.annotation", Is(C::Meta)),
    ("storage", Is(C::Keyword)),
    ("variable.language", Is(C::Keyword)),
    // Functions.
    ("variable.function.shell", Is(C::Function)),
    ("entity.name.function", Is(C::Function)),
    ("variable.function", Is(C::Function)),
    ("support.macro", Is(C::Function)),
    ("support.function", Is(C::Function)),
    // Annotations and directives.
    ("variable.annotation", Is(C::Meta)),
    ("entity.name.macro", Is(C::Meta)),
    ("meta.annotation", Is(C::Meta)),
    ("meta.preprocessor", Is(C::Meta)),
    ("meta.directive", Is(C::Meta)),
    ("support.directive", Is(C::Meta)),
    ("entity.name.label", Is(C::Meta)),
    // Markup.
    ("meta.diff.header", Is(C::Meta)),
    ("meta.diff.range", Is(C::Meta)),
    ("markup.inserted", Is(C::Inserted)),
    ("markup.deleted", Is(C::Deleted)),
    ("markup.heading", Is(C::Heading)),
    ("entity.name.section", Is(C::Heading)),
    ("markup.raw", Is(C::String)),
    ("markup.underline.link", Is(C::String)),
    ("markup.quote", Is(C::Comment)),
    // Keys, tags and types.
    ("support.type.property-name", Is(C::Attribute)),
    ("support.type.key", Is(C::Attribute)),
    ("entity.other.attribute-name", Is(C::Attribute)),
    ("meta.mapping.key", Keys),
    ("meta.structure.dictionary.key", Keys),
    ("entity.other.inherited-class", Is(C::Type)),
    ("entity.name.tag.toml", Is(C::Attribute)),
    ("entity.name.tag.yaml", Is(C::Attribute)),
    ("entity.name.tag", Is(C::Tag)),
    ("entity.name.type", Is(C::Type)),
    ("entity.name.class", Is(C::Type)),
    ("entity.name.struct", Is(C::Type)),
    ("entity.name.enum", Is(C::Type)),
    ("entity.name.trait", Is(C::Type)),
    ("entity.name.interface", Is(C::Type)),
    ("entity.name.union", Is(C::Type)),
    ("entity.name.impl", Is(C::Type)),
    ("entity.name.namespace", Is(C::Type)),
    ("support.type", Is(C::Type)),
    ("support.class", Is(C::Type)),
];

/// Classes of scope stacks. Scope names are in a table behind a lock, so each is looked up once.
#[derive(Default)]
pub(super) struct Classes(HashMap<Scope, ScopeMeaning>);

impl Classes {
    /// The class of a text with these scopes: the innermost scope with a meaning decides.
    pub(super) fn of(&mut self, scopes: &ScopeStack) -> Option<HighlightClass> {
        let mut inner = scopes.as_slice().iter().rev();
        let class = loop {
            match self.meaning_of(*inner.next()?) {
                Is(class) => break class,
                Plain => return None,
                Keys | Nothing => {}
            }
        };
        if class == C::String {
            let outer = inner.map(|scope| self.meaning_of(*scope));
            let is_key = outer
                .take_while(|says| *says != Plain)
                .any(|says| says == Keys);
            if is_key {
                return Some(C::Attribute);
            }
        }
        Some(class)
    }

    fn meaning_of(&mut self, scope: Scope) -> ScopeMeaning {
        *self.0.entry(scope).or_insert_with(|| {
            let name = scope.build_string();
            let begins = |rule: &str| {
                let rest = name.strip_prefix(rule);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            let rule = RULES.iter().find(|(rule, _)| begins(rule));
            rule.map_or(Nothing, |(_, says)| *says)
        })
    }
}
