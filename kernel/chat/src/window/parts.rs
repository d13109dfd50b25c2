//! Parts of a prompt besides the messages of its branch and what is quoted for it.

use crate::{Head, Tool};

/// What is offered to go with a request, whichever messages the policy chooses. It takes its room before them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// The number of the summary in use.
    pub summary: Option<u32>,
    /// The tools that the model may call.
    pub tools: Vec<Tool>,
}

impl Parts {
    /// The summary that a head has in use, alone.
    #[must_use]
    pub fn summary_of(head: &Head) -> Self {
        Self {
            summary: head.settings.summary,
            tools: Vec::new(),
        }
    }

    /// What several offer: the first summary, and the tools of all, of one name the first.
    #[must_use]
    pub fn joined(offers: impl IntoIterator<Item = Self>) -> Self {
        offers.into_iter().fold(Self::default(), |mut all, next| {
            all.summary = all.summary.or(next.summary);
            for tool in next.tools {
                if all.tools.iter().all(|known| known.name() != tool.name()) {
                    all.tools.push(tool);
                }
            }
            all
        })
    }
}
