//! Steps of a check, each told by a sentence and counted.

use crate::Result;
use crate::test::context;
use crate::test::tally::Tally;

/// A step: what it shows, and how.
pub type Step<T> = (&'static str, fn(&T) -> Result);

/// Takes the steps in order. One that fails does not stop the others.
pub fn take<T>(subject: &T, steps: &[Step<T>]) -> Tally {
    let mut tally = Tally::default();
    for (sentence, step) in steps {
        tally += match step(subject) {
            Ok(()) => {
                println!("ok: {sentence}");
                Tally::PASSED
            }
            Err(why) => {
                println!("FAILED: {sentence}\n{why}");
                context::note(vec![format!("FAILED: {sentence}: {why}")]);
                Tally::FAILED
            }
        };
    }
    tally
}

/// Says what is skipped, and why.
pub fn skip(what: &str, why: &str) -> Tally {
    let line = format!("skipped: {what}: {why}");
    println!("{line}");
    context::note(vec![line]);
    Tally::SKIPPED
}

/// Fails with what is there unless it is as it must be.
pub fn must(is: bool, there: impl std::fmt::Display) -> Result {
    match is {
        true => Ok(()),
        false => Err(format!("there is: {there}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_fails_is_counted_and_the_next_is_taken() {
        let steps: [Step<u8>; 3] = [
            ("one is one", |one| must(*one == 1, one)),
            ("one is two", |one| must(*one == 2, one)),
            ("one is odd", |one| must(one % 2 == 1, one)),
        ];
        assert_eq!(take(&1, &steps).to_string(), "2 passed, 1 failed");
    }
}
