//! The index of the branch that is shown.

use super::house::reactive;
use crate::shown_branch::ShownBranch;
use sash_harness::says;

#[test]
fn a_branch_grows_and_another_branch_begins_anew() {
    reactive(|machine, house| {
        let index = ShownBranch::new(house.kernel);
        let words =
            |word: &str| index.with(|index| index.rank(word, &|_, _| true)[0].words.clone());
        house.exchange(machine, "What is tea?", "A drink of leaves.");
        let (question, _) = house.exchange(machine, "And red wine?", "A drink of grapes.");
        assert!(index.extend());
        assert_eq!(index.with(|index| index.len()), 4);
        assert_eq!(words("grapes"), ["grapes"]);
        house.exchange(machine, "And beer?", "A drink of barley.");
        assert!(index.extend());
        assert_eq!(index.with(|index| index.len()), 6);
        machine.answer(says(&["It has no alcohol."]));
        let version = house.version(question, "And water?");
        assert!(house.answers.ask_instead_of(question, version));
        machine.pass(100.0);
        assert!(index.extend());
        assert_eq!(words("grapes"), Vec::<String>::new());
    });
}
