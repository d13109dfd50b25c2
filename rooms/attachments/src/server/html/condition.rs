//! The conditions of style sheets, for the window of a desktop browser.

/// The width of the window in pixels.
const WINDOW_WIDTH: f64 = 1_280.0;
/// The size of the font in pixels, by which `em` and `rem` count.
const FONT_SIZE: f64 = 16.0;
/// The longest condition that is read.
const MAX_BYTES: usize = 1_000;

/// Whether one of the media queries of a list holds; `None` if that is unknown.
pub fn media_holds(list: &str) -> Option<bool> {
    let list = list.trim().to_ascii_lowercase();
    if list.is_empty() {
        return Some(true);
    }
    let queries = list.split(',').map(|query| condition(query, media_feature));
    queries.fold(Some(false), either)
}

/// Whether a condition of `@supports` holds; `None` if that is unknown.
pub fn supports_holds(text: &str) -> Option<bool> {
    // A page is made for browsers that have what it asks for; names with a prefix are of one browser.
    let supported = |declaration: &str| {
        let is_prefixed = declaration.starts_with('-') && !declaration.starts_with("--");
        (!is_prefixed).then_some(true)
    };
    condition(&text.to_ascii_lowercase(), supported)
}

fn condition(text: &str, holds: fn(&str) -> Option<bool>) -> Option<bool> {
    if text.len() > MAX_BYTES {
        return None;
    }
    match units(text).as_slice() {
        ["only", rest @ ..] => all_of(rest, holds),
        rest => all_of(rest, holds),
    }
}

fn all_of(units: &[&str], holds: fn(&str) -> Option<bool>) -> Option<bool> {
    match units {
        ["not", rest @ ..] => all_of(rest, holds).map(|holds| !holds),
        [one] => unit_holds(one, holds),
        [one, "and", rest @ ..] => {
            // Both hold unless one of them does not.
            let (one, rest) = (unit_holds(one, holds), all_of(rest, holds));
            either(one.map(|holds| !holds), rest.map(|holds| !holds)).map(|fails| !fails)
        }
        [one, "or", rest @ ..] => either(unit_holds(one, holds), all_of(rest, holds)),
        _ => None,
    }
}

fn either(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

fn unit_holds(unit: &str, holds: fn(&str) -> Option<bool>) -> Option<bool> {
    let inner = unit
        .strip_prefix('(')
        .and_then(|unit| unit.strip_suffix(')'));
    match inner.map(str::trim) {
        Some(inner) if inner.starts_with('(') || inner.starts_with("not") => {
            condition(inner, holds)
        }
        Some(inner) => holds(inner),
        None => holds(unit),
    }
}

/// The words and the parentheses of a condition. What follows a parenthesis without a space is another unit: `(a)and (b)`.
fn units(text: &str) -> Vec<&str> {
    let (mut units, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut add = |from: usize, to: usize| {
        let unit = text.get(from..to).unwrap_or_default().trim();
        if !unit.is_empty() {
            units.push(unit);
        }
        to
    };
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    start = add(start, at + 1);
                }
            }
            c if depth == 0 && c.is_whitespace() => start = add(start, at),
            _ => {}
        }
    }
    add(start, text.len());
    units
}

fn media_feature(feature: &str) -> Option<bool> {
    match feature {
        "all" | "screen" => return Some(true),
        "print" | "speech" => return Some(false),
        _ => {}
    }
    let Some((name, value)) = feature.split_once(':') else {
        return range(feature);
    };
    let value = value.trim();
    match name.trim() {
        "min-width" | "min-device-width" => Some(WINDOW_WIDTH >= pixels(value)?),
        "max-width" | "max-device-width" => Some(WINDOW_WIDTH <= pixels(value)?),
        "orientation" => Some(value == "landscape"),
        "hover" | "any-hover" => Some(value == "hover"),
        "pointer" => Some(value == "fine"),
        "prefers-color-scheme" => Some(value == "light"),
        "prefers-reduced-motion" | "prefers-contrast" => Some(value == "no-preference"),
        _ => None,
    }
}

/// `width >= 48rem`, `400px <= width < 700px`.
fn range(text: &str) -> Option<bool> {
    let spaced = text
        .replace(">=", " ≥ ")
        .replace("<=", " ≤ ")
        .replace('>', " > ")
        .replace('<', " < ");
    let side = |word: &str| match word {
        "width" => Some(WINDOW_WIDTH),
        length => pixels(length),
    };
    let mut words = spaced.split_whitespace();
    let mut left = side(words.next()?)?;
    let mut holds = true;
    while let Some(sign) = words.next() {
        let right = side(words.next()?)?;
        holds &= match sign {
            "≥" => left >= right,
            "≤" => left <= right,
            ">" => left > right,
            "<" => left < right,
            _ => return None,
        };
        left = right;
    }
    Some(holds)
}

fn pixels(length: &str) -> Option<f64> {
    let (number, unit) = match length.strip_suffix("px") {
        Some(number) => (number, 1.0),
        None => match length
            .strip_suffix("rem")
            .or_else(|| length.strip_suffix("em"))
        {
            Some(number) => (number, FONT_SIZE),
            None => (length, 0.0),
        },
    };
    // Only zero needs no unit.
    let number = number.trim().parse::<f64>().ok()?;
    (unit > 0.0 || number == 0.0).then_some(number * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_queries_are_those_of_a_desktop_window() {
        for (query, holds) in [
            ("", Some(true)),
            (" screen", Some(true)),
            ("print", Some(false)),
            ("print, SCREEN", Some(true)),
            ("not print", Some(true)),
            ("not screen and (min-width:768px)", Some(false)),
            ("only screen and (min-width: 768px)", Some(true)),
            ("(min-width:576px)and (max-width:767.98px)", Some(false)),
            ("(max-width: 90em)", Some(true)),
            ("(min-width: 1281px)", Some(false)),
            ("(width>=48rem)", Some(true)),
            ("(400px <= width < 700px)", Some(false)),
            ("not all and (min-width: 1024px)", Some(false)),
            ("not (min-width: 2000px)", Some(true)),
            (
                "((min-width: 2000px) or (orientation: landscape))",
                Some(true),
            ),
            ("(prefers-color-scheme: dark)", Some(false)),
            ("(min-resolution: 2dppx)", None),
            ("print and (min-resolution: 2dppx)", Some(false)),
            ("(min-width: 40)", None),
            ("(min-width", None),
        ] {
            assert_eq!(media_holds(query), holds, "{query}");
        }
        assert_eq!(media_holds(&"(".repeat(100_000)), None);
    }

    #[test]
    fn what_browsers_support_holds() {
        for (condition, holds) in [
            ("(display:grid)", Some(true)),
            ("not (display: grid)", Some(false)),
            (
                "(display: grid) and (not (display: inline-grid))",
                Some(false),
            ),
            (
                "((-webkit-backdrop-filter: none) or (backdrop-filter: none))",
                Some(true),
            ),
            ("(-webkit-touch-callout: none)", None),
            ("(--css: variables)", Some(true)),
            ("selector(:has(a, b))", Some(true)),
        ] {
            assert_eq!(supports_holds(condition), holds, "{condition}");
        }
    }
}
