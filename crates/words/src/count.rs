//! Counts with their nouns: "1 message", "1,024 tokens".

use crate::t;

/// A number in groups of three digits.
#[must_use]
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A function for each noun that is counted, under the key of the same name.
macro_rules! counts {
    ($($noun:ident)*) => {$(
        #[doc = concat!("So many ", stringify!($noun), ".")]
        #[must_use]
        pub fn $noun(n: usize) -> String {
            t!(count.$noun, count = n as u64, number = grouped(n as u64))
        }
    )*};
}

counts! {
    answers chats earlier_messages exchanges files images lines messages models older_messages questions records tokens tools
    values
}
