//! A change of the language, in a process of its own: the tests beside it would speak the other one meanwhile.

use sash_words::count::{grouped, messages, percent, tenths};
use sash_words::t;

#[test]
fn a_text_is_a_string_and_a_count_takes_its_form() {
    // A process speaks one language, so they follow each other in one test.
    for (code, close, one, two, number, fraction) in [
        (
            "en",
            "Close",
            "1 message",
            "2 messages",
            "1,234,567",
            "1,234.5",
        ),
        (
            "he",
            "סגירה",
            "הודעה אחת",
            "שתי הודעות",
            "1,234,567",
            "1,234.5",
        ),
        (
            "de",
            "Schließen",
            "1 Nachricht",
            "2 Nachrichten",
            "1.234.567",
            "1.234,5",
        ),
    ] {
        sash_words::set_language(code);
        assert_eq!(sash_words::language().code, code);
        let plain: &'static str = t!(common.close);
        assert_eq!(plain, close);
        assert_eq!([messages(1), messages(2)], [one, two]);
        assert_eq!([grouped(1_234_567), tenths(12_345)], [number, fraction]);
        assert_eq!(percent(12), if code == "en" { "12%" } else { "12 %" });
    }
    sash_words::set_language("tlh");
    assert_eq!(
        sash_words::language().code,
        "de",
        "an unknown language changes nothing"
    );
}
