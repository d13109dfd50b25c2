//! Secrets for which a page exchanges the code of its address.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The answer of `POST /api/v1/exchange`. `Debug` does not print it.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSecrets {
    /// What opens this Sash in the place of its token, if that was made at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// What else the page may need, by its name.
    #[serde(flatten)]
    pub others: BTreeMap<String, String>,
}

impl fmt::Debug for PageSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageSecrets(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_secret_is_a_field_of_its_own_name_and_what_is_not_needed_is_absent() {
        let secrets = PageSecrets {
            token: Some("t".to_owned()),
            others: [("key".to_owned(), "k".to_owned())].into(),
        };
        let written = r#"{"token":"t","key":"k"}"#;
        assert_eq!(serde_json::to_string(&secrets).unwrap(), written);
        let read: PageSecrets = serde_json::from_str(written).unwrap();
        assert!(read == secrets);
        assert!(serde_json::from_str::<PageSecrets>("{}").unwrap() == PageSecrets::default());
    }
}
