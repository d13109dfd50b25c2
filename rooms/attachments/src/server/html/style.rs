//! The rules of a page's styles that hide or show elements, by `display` and `visibility`. Selectors of names, classes,
//! ids and attributes are understood, of an element, of one within another and of a child; a rule with any other one
//! is passed over, and so is a rule within a rule.

use super::condition::{media_holds, supports_holds};
use super::node::{attribute, name, parent};
use crate::server::comments::without_comments;
use htmd::Node;
use std::iter::Peekable;
use std::str::Chars;

/// The most rules that are kept: each is compared with each element. Of more rules none is kept, because a later one
/// may show what an earlier one hides.
const MAX_RULES: usize = 2_000;

/// Whether an element is shown, as far as styles say so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// By `display`: with `false`, nothing in it is.
    pub display: Option<bool>,
    /// By `visibility`: with `false`, what is in it may say otherwise.
    pub visibility: Option<bool>,
}

/// The rules of a page, the weakest first.
#[derive(Debug, Default)]
pub struct Styles(Vec<Rule>);

#[derive(Debug)]
struct Rule {
    selector: Vec<SelectorPart>,
    declared: Declared,
}

/// What declarations say, each with whether it is `!important`.
#[derive(Clone, Copy, Debug, Default)]
struct Declared {
    display: Option<(bool, bool)>,
    visibility: Option<(bool, bool)>,
}

/// Where a block of a style sheet is.
#[derive(Clone, Copy)]
struct Scope<'a> {
    /// The selectors of the rule around it.
    selectors: Option<&'a [Vec<SelectorPart>]>,
    /// Whether the conditions around it are known to hold. If not, what its rules show is shown, and what they hide
    /// is shown as well.
    is_certain: bool,
}

/// An element of a selector, from the outside in.
#[derive(Clone, Debug, Default)]
struct SelectorPart {
    /// Whether it is the child of the step before.
    is_child: bool,
    name: Option<String>,
    ids: Vec<String>,
    classes: Vec<String>,
    attributes: Vec<(String, Option<String>)>,
}

impl Styles {
    /// The rules of style sheets, in their order, each with the media for which it is.
    pub fn parse(sheets: impl Iterator<Item = (String, String)>) -> Self {
        let mut rules = Vec::new();
        for (sheet, media) in sheets {
            let holds = media_holds(&media);
            if holds != Some(false) {
                let scope = Scope {
                    selectors: None,
                    is_certain: holds.is_some(),
                };
                scope.collect(&without_comments(&sheet, "/*", "*/"), &mut rules);
            }
        }
        if rules.len() > MAX_RULES {
            rules.clear();
        }
        rules.sort_by_key(|rule: &Rule| specificity(&rule.selector));
        Self(rules)
    }

    /// What the rules and the element's own style say of it.
    pub fn of(&self, element: &Node) -> Shown {
        let own = attribute(element, "style");
        let own = own.map(|style| declarations(&without_comments(&style, "/*", "*/")));
        let rules = self
            .0
            .iter()
            .filter(|rule| matches(&rule.selector, element));
        let all: Vec<Declared> = rules.map(|rule| rule.declared).chain(own).collect();
        let winner = |of: fn(&Declared) -> Option<(bool, bool)>| {
            let said = || all.iter().rev().filter_map(of);
            let important = said().find(|(_, important)| *important);
            important.or_else(|| said().next()).map(|(shown, _)| shown)
        };
        Shown {
            display: winner(|declared| declared.display),
            visibility: winner(|declared| declared.visibility),
        }
    }
}

impl Scope<'_> {
    /// The rules of a block, and of the groups in it that hold for the window of a desktop.
    fn collect(self, css: &str, rules: &mut Vec<Rule>) {
        let mut rest = css;
        while let Some((head, after)) = rest.split_once('{') {
            let end = block_end(after);
            let block = after.get(..end).unwrap_or_default();
            rest = after.get(end + 1..).unwrap_or_default();
            // Statements or declarations may stand before.
            let (before, head) = head.rsplit_once(';').unwrap_or(("", head));
            self.declare(before, rules);
            let head = head.trim();
            match (head.strip_prefix('@'), self.selectors) {
                (Some(group), _) => {
                    let holds = group_holds(&group.to_ascii_lowercase());
                    let is_certain = self.is_certain && holds.is_some();
                    if holds != Some(false) {
                        Self { is_certain, ..self }.collect(block, rules);
                    }
                }
                (None, None) => {
                    let selectors: Vec<_> = listed(head).filter_map(selector).collect();
                    let selectors = Some(&*selectors);
                    Scope { selectors, ..self }.collect(block, rules);
                }
                (None, Some(_)) => {}
            }
        }
        self.declare(rest, rules);
    }

    /// What declarations say of the elements that the selectors name.
    fn declare(self, block: &str, rules: &mut Vec<Rule>) {
        let Some(selectors) = self.selectors else {
            return;
        };
        let mut declared = declarations(block);
        if !self.is_certain {
            for slot in [&mut declared.display, &mut declared.visibility] {
                *slot = slot.filter(|(shown, _)| *shown);
            }
        }
        if declared.display.is_some() || declared.visibility.is_some() {
            rules.extend(selectors.iter().map(|selector| Rule {
                selector: selector.clone(),
                declared,
            }));
        }
    }
}

/// Whether the rules of a group hold; `None` if that is unknown.
fn group_holds(group: &str) -> Option<bool> {
    let end = group.find(|c: char| !c.is_ascii_alphabetic());
    let (name, condition) = group.split_at(end.unwrap_or(group.len()));
    match name {
        "media" => media_holds(condition),
        "supports" => supports_holds(condition),
        "layer" => Some(true),
        "container" | "scope" => None,
        _ => Some(false),
    }
}

/// Where the block ends whose text this is: at the brace that closes it.
fn block_end(text: &str) -> usize {
    let mut depth = 0;
    let end = text.char_indices().find(|(_, c)| {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return true,
            '}' => depth -= 1,
            _ => {}
        }
        false
    });
    end.map_or(text.len(), |(at, _)| at)
}

fn declarations(block: &str) -> Declared {
    let mut declared = Declared::default();
    for declaration in block.split(';') {
        let Some((property, value)) = declaration.split_once(':') else {
            continue;
        };
        let value = value.trim().to_ascii_lowercase();
        let (value, important) = match value.split_once('!') {
            Some((value, _)) => (value.trim(), true),
            None => (&*value, false),
        };
        let (slot, shown) = match (&*property.trim().to_ascii_lowercase(), value) {
            ("display", "none") => (&mut declared.display, false),
            ("display", _) => (&mut declared.display, true),
            ("content-visibility", "hidden") => (&mut declared.display, false),
            ("visibility", "hidden" | "collapse") => (&mut declared.visibility, false),
            ("visibility", "visible") => (&mut declared.visibility, true),
            _ => continue,
        };
        *slot = Some((shown, important));
    }
    declared
}

/// The selectors of a rule. A comma behind a backslash is a part of a name.
fn listed(selectors: &str) -> impl Iterator<Item = &str> {
    let mut is_escaped = false;
    selectors.split(move |c| {
        let separates = c == ',' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        separates
    })
}

/// The steps of a selector; `None` if something in it is not understood.
fn selector(text: &str) -> Option<Vec<SelectorPart>> {
    let mut chars = text.trim().chars().peekable();
    let (mut steps, mut step, mut is_empty) = (Vec::new(), SelectorPart::default(), true);
    while let Some(c) = chars.peek().copied() {
        if c == '>' || c.is_whitespace() {
            let mut is_child = false;
            while let Some(c) = chars.next_if(|c| *c == '>' || c.is_whitespace()) {
                is_child |= c == '>';
            }
            let next = SelectorPart {
                is_child,
                ..SelectorPart::default()
            };
            steps.push(std::mem::replace(&mut step, next));
            if std::mem::replace(&mut is_empty, true) {
                return None;
            }
            continue;
        }
        let mark = chars.next_if(|c| matches!(c, '*' | '.' | '#' | '['));
        match mark {
            Some('*') => {}
            Some('.') => step.classes.push(escaped_name(&mut chars)?),
            Some('#') => step.ids.push(escaped_name(&mut chars)?),
            Some(_) => {
                let inner: String = chars.by_ref().take_while(|c| *c != ']').collect();
                step.attributes.push(attribute_of(&inner)?);
            }
            None => step.name = Some(escaped_name(&mut chars)?.to_ascii_lowercase()),
        }
        is_empty = false;
    }
    steps.push(step);
    (!is_empty).then_some(steps)
}

/// A name, with escaped characters: `md\:block`, `\32 xl`.
fn escaped_name(chars: &mut Peekable<Chars<'_>>) -> Option<String> {
    let mut name = String::new();
    let is_part =
        |c: &char| !c.is_ascii() || c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '\\');
    while let Some(c) = chars.next_if(is_part) {
        name.extend(match c {
            '\\' => escaped(chars),
            c => Some(c),
        });
    }
    (!name.is_empty()).then_some(name)
}

/// The character of an escape, behind its backslash.
fn escaped(chars: &mut Peekable<Chars<'_>>) -> Option<char> {
    let mut code = String::new();
    while code.len() < 6
        && let Some(digit) = chars.next_if(char::is_ascii_hexdigit)
    {
        code.push(digit);
    }
    if code.is_empty() {
        return chars.next();
    }
    _ = chars.next_if(|c| c.is_whitespace());
    u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)
}

fn attribute_of(part: &str) -> Option<(String, Option<String>)> {
    let (name, value) = match part.split_once('=') {
        Some((name, value)) => (name, Some(value.trim_matches(['"', '\'']).to_owned())),
        None => (part, None),
    };
    let is_plain = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    is_plain.then(|| (name.to_ascii_lowercase(), value))
}

/// How strong a selector is.
fn specificity(selector: &[SelectorPart]) -> (usize, usize, usize) {
    selector
        .iter()
        .fold((0, 0, 0), |(ids, classes, names), step| {
            (
                ids + step.ids.len(),
                classes + step.classes.len() + step.attributes.len(),
                names + usize::from(step.name.is_some()),
            )
        })
}

/// Whether an element is one that a selector names.
fn matches(selector: &[SelectorPart], element: &Node) -> bool {
    let Some((last, before)) = selector.split_last() else {
        return true;
    };
    if !last.is(element) {
        return false;
    }
    if before.is_empty() {
        return true;
    }
    let mut outer = parent(element);
    while let Some(node) = outer {
        if matches(before, &node) {
            return true;
        }
        if last.is_child {
            return false;
        }
        outer = parent(&node);
    }
    false
}

impl SelectorPart {
    fn is(&self, element: &Node) -> bool {
        let has_class = |wanted: &String| {
            let classes = attribute(element, "class").unwrap_or_default();
            classes.split_whitespace().any(|class| class == wanted)
        };
        let has_id = |wanted: &String| attribute(element, "id").as_ref() == Some(wanted);
        !name(element).is_empty()
            && self
                .name
                .as_deref()
                .is_none_or(|wanted| wanted == name(element))
            && self.ids.iter().all(has_id)
            && self.classes.iter().all(has_class)
            && self.attributes.iter().all(|(name, wanted)| {
                let value = attribute(element, name);
                value.is_some_and(|value| wanted.as_ref().is_none_or(|wanted| *wanted == value))
            })
    }
}
