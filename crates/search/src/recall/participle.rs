//! German verbs and their participles, whose endings and beginnings the stemmer leaves: "kaufen" and "gekauft",
//! "verdünne" and "verdünnt".

/// Calls `each` with the stems under which other forms of a German stem may stand. Most of them are no words, and
/// then the log does not have them.
pub(super) fn participles(own: &str, each: &mut dyn FnMut(&str)) {
    each(&format!("{own}t"));
    each(&format!("ge{own}t"));
    let Some(present) = own.strip_suffix('t').filter(|stem| stem.len() >= 4) else {
        return;
    };
    each(present);
    if let Some(present) = present.strip_prefix("ge").filter(|stem| stem.len() >= 3) {
        each(present);
    }
}
