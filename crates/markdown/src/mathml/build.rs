//! Builds elements from the parser's events.

use super::element::{Element, MathTag};
use super::letters::styled;
use super::limits::MAX_DEPTH;
use super::prepare::{BOXED, PHANTOM};
use super::row::{Atom, Item, arrange, em, is_letter};
use super::text::{function_name, words};
use pulldown_latex::event::{
    Content, DelimiterSize, DelimiterType, DimensionUnit, EnvironmentFlow, Event, Font, Grouping,
    ScriptPosition, ScriptType, StateChange, Style, Visual,
};
use pulldown_latex::{Parser, Storage};

/// The most events of a formula. Without macros there are never many more than bytes.
const MAX_EVENTS: usize = 20_000;

/// The elements of a formula; `None` if it contains anything unknown.
pub(super) fn build(source: &str, display: bool, depth: usize) -> Option<Vec<Element>> {
    let storage = Storage::new();
    let mut events = Vec::new();
    for event in Parser::new(source, &storage) {
        if events.len() == MAX_EVENTS {
            return None;
        }
        events.push(event.ok()?);
    }
    let mut builder = MathBuilder {
        events: events.into_iter(),
    };
    let state = MathStyle {
        font: None,
        display,
        depth,
    };
    match builder.row(state)? {
        (items, RowEnd::Out) => Some(arrange(items)),
        _ => None,
    }
}

pub(super) struct MathBuilder<'a> {
    events: std::vec::IntoIter<Event<'a>>,
}

/// State that an element inherits from its surroundings.
#[derive(Clone, Copy)]
pub(super) struct MathStyle {
    pub font: Option<Font>,
    /// Whether sums have their limits above and below.
    pub display: bool,
    pub depth: usize,
}

/// Why a row ended.
pub(super) enum RowEnd {
    /// The formula ended.
    Out,
    /// The group ended.
    End,
    /// The cell or the row of a table ended.
    Flow(EnvironmentFlow),
}

impl<'a> MathBuilder<'a> {
    /// Reads elements up to the end of the group or cell.
    pub(super) fn row(&mut self, mut state: MathStyle) -> Option<(Vec<Item>, RowEnd)> {
        let mut items = Vec::new();
        loop {
            match self.events.next() {
                None => return Some((items, RowEnd::Out)),
                Some(Event::End) => return Some((items, RowEnd::End)),
                Some(Event::EnvironmentFlow(flow)) => return Some((items, RowEnd::Flow(flow))),
                Some(Event::StateChange(StateChange::Font(font))) => state.font = font,
                Some(Event::StateChange(StateChange::Color(_))) => {}
                Some(Event::StateChange(StateChange::Style(style))) => {
                    state.display = matches!(style, Style::Display);
                    state.depth = deeper(state)?.depth;
                    let (rest, stop) = self.row(state)?;
                    let mut sized = Element::new(MathTag::Style, arrange(rest));
                    sized.set("displaystyle", if state.display { "true" } else { "false" });
                    let level = match style {
                        Style::Display | Style::Text => "0",
                        Style::Script => "1",
                        Style::ScriptScript => "2",
                    };
                    sized.set("scriptlevel", level);
                    items.push(Item::new(sized, Atom::Ordinary));
                    return Some((items, stop));
                }
                Some(event) => {
                    let item = self.element(event, state)?;
                    items.push(item);
                }
            }
        }
    }

    /// Reads the next element as an argument, which is independent of its neighbours.
    fn argument(&mut self, state: MathStyle) -> Option<Item> {
        let event = self.events.next()?;
        self.element(event, deeper(state)?)
    }

    fn element(&mut self, event: Event<'a>, state: MathStyle) -> Option<Item> {
        match event {
            Event::Content(content) => token(content, state),
            Event::Begin(grouping) => self.group(grouping, deeper(state)?),
            Event::Visual(visual) => self.visual(visual, state),
            Event::Script { ty, position } => self.script(ty, position, state),
            Event::Space { width, .. } => {
                let width = width.map_or(0.0, |width| {
                    let ems = match width.unit {
                        DimensionUnit::Em => 1.0,
                        DimensionUnit::Mu => 1.0 / 18.0,
                        DimensionUnit::Ex => 0.45,
                        DimensionUnit::Pt | DimensionUnit::Bp => 0.1,
                        DimensionUnit::Mm => 0.28,
                        DimensionUnit::Cm | DimensionUnit::Pc => 1.2,
                        _ => 0.0,
                    };
                    width.value * ems
                });
                Some(Item::new(em(width), Atom::Space))
            }
            // A state change as an argument has no effect.
            Event::StateChange(_) => Some(Item::new(
                Element::new(MathTag::Row, Vec::new()),
                Atom::Space,
            )),
            Event::End | Event::EnvironmentFlow(_) => None,
        }
    }

    fn group(&mut self, grouping: Grouping, state: MathStyle) -> Option<Item> {
        match grouping {
            Grouping::Normal => {
                let items = self.closed(state)?;
                Some(grouped(items))
            }
            Grouping::LeftRight(left, right) => {
                let mut items = vec![fence(left, "prefix")];
                items.extend(self.closed(state)?);
                items.push(fence(right, "postfix"));
                let row = Element::new(MathTag::Row, arrange(items));
                Some(Item::new(row, Atom::Inner))
            }
            grouping => self.table(grouping, state),
        }
    }

    /// Reads elements up to the end of the group, which must exist.
    fn closed(&mut self, state: MathStyle) -> Option<Vec<Item>> {
        match self.row(state)? {
            (items, RowEnd::End) => Some(items),
            _ => None,
        }
    }

    fn visual(&mut self, visual: Visual, state: MathStyle) -> Option<Item> {
        let small = MathStyle {
            display: false,
            ..state
        };
        let element = match visual {
            Visual::SquareRoot => Element::new(MathTag::Sqrt, vec![self.argument(state)?.element]),
            Visual::Root => {
                let radicand = self.argument(state)?.element;
                let index = self.argument(small)?.element;
                Element::new(MathTag::Root, vec![radicand, index])
            }
            Visual::Fraction(line) => {
                let upper = self.argument(small)?.element;
                let lower = self.argument(small)?.element;
                let mut fraction = Element::new(MathTag::Fraction, vec![upper, lower]);
                if line.is_some_and(|line| line.value <= 0.0) {
                    fraction.set("linethickness", "0");
                }
                fraction
            }
            Visual::Negation => {
                let mut struck = self.argument(state)?;
                match &mut struck.element.content {
                    super::ElementContent::Text(text)
                        if struck.element.tag == MathTag::Operator && text.chars().count() == 1 =>
                    {
                        text.push('\u{338}');
                    }
                    _ => {
                        struck.element = Element::new(MathTag::Row, vec![struck.element])
                            .with("class", "struck");
                    }
                }
                return Some(struck);
            }
        };
        Some(Item::new(element, Atom::Inner))
    }

    fn script(
        &mut self,
        ty: ScriptType,
        position: ScriptPosition,
        state: MathStyle,
    ) -> Option<Item> {
        let above = match position {
            ScriptPosition::Right => false,
            ScriptPosition::AboveBelow => true,
            ScriptPosition::Movable => state.display,
        };
        let small = MathStyle {
            display: false,
            ..state
        };
        let base = self.argument(state)?;
        let mut accent = false;
        let mut children = vec![base.element];
        for _ in 0..if ty == ScriptType::SubSuperscript {
            2
        } else {
            1
        } {
            let next = self.events.as_slice().first();
            let sign = match next {
                Some(Event::Content(Content::Ordinary { content, stretchy })) if above => {
                    accent_sign(*content, *stretchy)
                }
                _ => None,
            };
            children.push(match sign {
                Some(sign) => {
                    self.events.next();
                    accent = true;
                    sign
                }
                None => self.argument(small)?.element,
            });
        }
        let tag = match (ty, above) {
            (ScriptType::Subscript, false) => MathTag::Sub,
            (ScriptType::Superscript, false) => MathTag::Sup,
            (ScriptType::SubSuperscript, false) => MathTag::SubSup,
            (ScriptType::Subscript, true) => MathTag::Under,
            (ScriptType::Superscript, true) => MathTag::Over,
            (ScriptType::SubSuperscript, true) => MathTag::UnderOver,
        };
        let mut element = Element::new(tag, children);
        if accent {
            let name = match tag {
                MathTag::Under => "accentunder",
                _ => "accent",
            };
            element.set(name, "true");
        }
        let atom = match base.atom {
            Atom::Binary | Atom::Relation | Atom::Function | Atom::Large if !accent => base.atom,
            _ => Atom::Ordinary,
        };
        Some(Item::new(element, atom))
    }
}

/// One level deeper; `None` beyond the maximum depth.
pub(super) fn deeper(state: MathStyle) -> Option<MathStyle> {
    let depth = state.depth + 1;
    (depth <= 4 * MAX_DEPTH).then_some(MathStyle { depth, ..state })
}

/// A group in braces as one element. A group of one element is that element, without its spacing.
fn grouped(mut items: Vec<Item>) -> Item {
    let mark = items.first().map(|item| item.element.text());
    let mark = mark.and_then(|text| text.chars().next());
    if matches!(mark, Some(BOXED | PHANTOM)) {
        items.remove(0);
        let children = arrange(items);
        let element = match mark {
            Some(BOXED) => Element::new(MathTag::Row, children).with("class", "boxed"),
            _ => Element::new(MathTag::Phantom, children),
        };
        return Item::new(element, Atom::Inner);
    }
    if items.len() == 1
        && let Some(item) = items.pop()
    {
        return Item {
            braced: true,
            ..item
        };
    }
    Item::new(Element::row(arrange(items)), Atom::Ordinary)
}

fn fence(sign: Option<char>, form: &'static str) -> Item {
    let atom = match form {
        "prefix" => Atom::Open,
        _ => Atom::Close,
    };
    let Some(sign) = sign else {
        // An empty element: it makes a following sign a prefix and not a binary operator.
        return Item::new(Element::new(MathTag::Row, Vec::new()), atom);
    };
    let fence = Element::token(MathTag::Operator, sign)
        .with("form", form)
        .with("fence", "true")
        .with("stretchy", "true")
        .with("symmetric", "true");
    Item::new(fence, atom)
}

/// The operator for an accent, a brace or a line above or below its base.
fn accent_sign(sign: char, stretchy: bool) -> Option<Element> {
    let sign = match sign {
        '^' => 'ˆ',
        '~' => '˜',
        '\u{203e}' => '¯',
        '_' | '´' | '˘' | 'ˇ' | '˙' | '¨' | '`' | '→' | '˚' | '←' | '⇒' | '↔' | '↼' | '⇀' | '⏜'
        | '⏝' | '⏞' | '⏟' | '⎴' | '⎵' | '⏠' | '⏡' => sign,
        _ => return None,
    };
    let stretchy = stretchy || sign == '¯';
    let value = if stretchy { "true" } else { "false" };
    Some(Element::token(MathTag::Operator, sign).with("stretchy", value))
}

fn token(content: Content, state: MathStyle) -> Option<Item> {
    let operator = |text: String, atom| Item::new(Element::token(MathTag::Operator, text), atom);
    Some(match content {
        Content::Text(text) => {
            let inner = |formula: &str| {
                let depth = state.depth + 1;
                (state.depth <= MAX_DEPTH).then(|| build(formula, false, depth))?
            };
            Item::new(words(text, state.font, inner)?, Atom::Ordinary)
        }
        Content::Number(digits) => {
            let digits = digits.chars().map(|c| match state.font {
                Some(font) => styled(font, c),
                None => c,
            });
            let digits = digits.collect::<String>();
            Item::new(Element::token(MathTag::Number, digits), Atom::Ordinary)
        }
        Content::Function(name) => {
            let name = function_name(name)?;
            let single = name.chars().count() == 1;
            let mut function = Element::token(MathTag::Identifier, name);
            if single {
                function.set("mathvariant", "normal");
            }
            Item::new(function, Atom::Function)
        }
        Content::Ordinary { content, .. } => letter(content, state),
        Content::LargeOp { content, small } => {
            let mut large = operator(content.to_string(), Atom::Large);
            // The element determines where the limits stand.
            large.element.set("movablelimits", "false");
            if small {
                large.element.set("largeop", "false");
            }
            large
        }
        Content::BinaryOp { content, .. } => operator(content.to_string(), Atom::Binary),
        Content::Relation { content, .. } => {
            let mut buffer = [0; 8];
            let text = content.encode_utf8_to_buf(&mut buffer);
            operator(std::str::from_utf8(text).ok()?.to_owned(), Atom::Relation)
        }
        Content::Delimiter { content, size, ty } => {
            let (form, atom) = match ty {
                DelimiterType::Open => ("prefix", Atom::Open),
                DelimiterType::Fence => ("infix", Atom::Relation),
                DelimiterType::Close => ("postfix", Atom::Close),
            };
            let mut delimiter = operator(content.to_string(), atom);
            delimiter.element.set("form", form);
            let height = match size {
                // `\middle` has this size too; it is as high as the content around it.
                Some(DelimiterSize::Big) if ty == DelimiterType::Fence => Some(None),
                Some(DelimiterSize::Big) => Some(Some("1.2em")),
                Some(DelimiterSize::BIG) => Some(Some("1.8em")),
                Some(DelimiterSize::Bigg) => Some(Some("2.4em")),
                Some(DelimiterSize::BIGG) => Some(Some("3em")),
                None => None,
            };
            let stretchy = if height.is_some() { "true" } else { "false" };
            delimiter.element.set("stretchy", stretchy);
            if let Some(height) = height {
                delimiter.element.set("symmetric", "true");
                if let Some(height) = height {
                    delimiter.element.set("minsize", height);
                    delimiter.element.set("maxsize", height);
                }
            }
            delimiter
        }
        Content::Punctuation(sign) => operator(sign.to_string(), Atom::Punctuation),
    })
}

fn letter(c: char, state: MathStyle) -> Item {
    if ('′'..='‷').contains(&c) || c == '⁗' {
        let prime = Element::token(MathTag::Operator, c)
            .with("lspace", "0")
            .with("rspace", "0");
        return Item::new(prime, Atom::Prime);
    }
    // The parser returns the micro sign for mu.
    let c = if c == 'µ' { 'μ' } else { c };
    let shown = state.font.map_or(c, |font| styled(font, c));
    let mut letter = Element::token(MathTag::Identifier, shown);
    // TeX's capital Greek letters are upright; MathML would slant them.
    let upright = matches!(state.font, Some(Font::UpRight))
        || (state.font.is_none() && ('Α'..='Ω').contains(&c));
    if upright || !is_letter(c) {
        letter.set("mathvariant", "normal");
    }
    Item::new(letter, Atom::Ordinary)
}
