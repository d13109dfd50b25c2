//! Reads the address of the page: `/?q=…&model=…`. It only fills in the field: whoever makes a link must not be able to
//! have something sent.

use form_urlencoded::parse;

/// The most characters of a prompt that an address may bring.
pub const MAX_FILLED: usize = 8_000;
/// The most characters of a model's name.
const MAX_MODEL: usize = 200;

/// What an address fills in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FillQuery {
    /// The prompt, or how many characters it has where they are more than `MAX_FILLED`: it is not cut.
    pub prompt: Option<Result<String, usize>>,
    /// The name of the model.
    pub model: Option<String>,
}

impl FillQuery {
    /// Reads the query of an address, without its question mark; `None` if it fills in nothing. Of two values with one
    /// name the first counts.
    #[must_use]
    pub fn parse(query: &str) -> Option<Self> {
        let value = |name: &str| {
            let mut pairs = parse(query.as_bytes());
            let found = pairs.find(|(key, _)| key == name);
            found
                .map(|(_, value)| value.into_owned())
                .filter(|value| !value.trim().is_empty())
        };
        let prompt = value("q").map(|text| match text.chars().count() {
            0..=MAX_FILLED => Ok(text),
            more => Err(more),
        });
        let model = value("model").map(|name| name.trim().chars().take(MAX_MODEL).collect());
        (prompt.is_some() || model.is_some()).then_some(Self { prompt, model })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, prompt: Option<&str>, model: Option<&str>) {
        let expect = FillQuery {
            prompt: prompt.map(|prompt| Ok(prompt.to_owned())),
            model: model.map(str::to_owned),
        };
        assert_eq!(FillQuery::parse(query), Some(expect), "{query}");
    }

    #[test]
    fn an_address_fills_in_a_prompt_a_model_or_both() {
        check("q=Hello+there%21%0ATwo", Some("Hello there!\nTwo"), None);
        check("model=qwen3%3A4b", None, Some("qwen3:4b"));
        check("x=1&q=%E6%9D%B1&model=a&q=later", Some("東"), Some("a"));
        // Bytes that are no text are shown as such.
        check("q=%ff", Some("\u{fffd}"), None);
    }

    #[test]
    fn an_address_without_words_fills_in_nothing() {
        for query in [
            "", "q", "q=", "q=%20%0A", "model=+", "Q=a", "prompt=a", "&&=",
        ] {
            assert_eq!(FillQuery::parse(query), None, "{query}");
        }
    }

    #[test]
    fn a_prompt_that_is_too_long_is_counted_and_not_cut() {
        let fits = "ä".repeat(MAX_FILLED);
        check(&format!("q={fits}"), Some(&fits), None);
        let parsed = FillQuery::parse(&format!("q={fits}b"));
        assert_eq!(
            parsed.and_then(|parsed| parsed.prompt),
            Some(Err(MAX_FILLED + 1))
        );
    }
}
