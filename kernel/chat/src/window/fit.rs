//! The fit of a request into the context of the loaded model.

/// How the size of a request relates to the loaded context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextFit {
    /// The model is not loaded, so its context is not known.
    Unknown,
    /// The request fits, and an answer too.
    Fits,
    /// The request fits, but a longer answer does not: Ollama reserves no room for one.
    Near,
    /// The request does not fit. Ollama refuses it, because requests say `truncate: false`.
    Over,
}

impl ContextFit {
    /// Tokens of a context that are reserved for an answer: a fifth, like clients that summarise at 0.8 of
    /// the context, and at most 1,024.
    #[must_use]
    pub fn answer(context: u64) -> u64 {
        (context / 5).clamp(context.min(256) / 2, 1024)
    }

    /// How a request of `tokens` fits into `context`.
    #[must_use]
    pub fn of(tokens: u64, context: Option<u64>) -> Self {
        let Some(context) = context else {
            return ContextFit::Unknown;
        };
        // llama-server accepts a prompt only if it leaves room for one token.
        if tokens >= context {
            ContextFit::Over
        } else if tokens + Self::answer(context) > context {
            ContextFit::Near
        } else {
            ContextFit::Fits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_turns_before_it_overflows() {
        assert_eq!(ContextFit::of(9_999_999, None), ContextFit::Unknown);
        for context in [64, 256, 2_048, 4_096, 131_072] {
            let mut before = ContextFit::Fits;
            let mut near = 0;
            for tokens in 0..=context {
                let fit = ContextFit::of(tokens, Some(context));
                match (before, fit) {
                    (a, b) if a == b => {}
                    (ContextFit::Fits, ContextFit::Near) | (ContextFit::Near, ContextFit::Over) => {
                        before = fit
                    }
                    other => panic!("{other:?} at {tokens} of {context}"),
                }
                near += u64::from(fit == ContextFit::Near);
            }
            assert_eq!(before, ContextFit::Over);
            assert!(near >= context.min(1_280) / 8, "{near} of {context}");
        }
    }
}
