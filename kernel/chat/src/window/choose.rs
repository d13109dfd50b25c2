//! The start of the window, by policy.

use super::profile::Room;
use crate::{Policy, Role};

/// After a cut [`Policy::Fits`] leaves room for what so many prompts recall.
const RECALLS_BETWEEN_CUTS: u64 = 2;

/// A message that a policy may choose: sendable, neither pinned nor muted, and after the last clearing. A question stands
/// for the calls of tools and the results that go with it, too.
#[derive(Clone, Copy, Debug, Default)]
pub struct Candidate {
    /// Who wrote the message.
    pub role: Role,
    /// Its tokens and those of what goes with it.
    pub tokens: u64,
    /// Those of them that were recalled for it.
    pub recalled: u64,
    /// Of a question the tokens that its prompt took when it was sent, with room for what it might have recalled.
    pub prompt: u64,
}

/// Index of the first message that is sent; all later ones are sent too. [`Policy::Fits`] uses `room`, and so do
/// [`Policy::Steady`] and [`Policy::Tokens`] where something is recalled: their numbers were chosen without it. Room in a
/// context that is not known has no end for these two.
pub fn window_start(of: &[Candidate], policy: Policy, room: Room) -> usize {
    match policy {
        Policy::Everything => 0,
        Policy::Messages(n) => of.len().saturating_sub(whole(n)),
        Policy::Exchanges(n) => match whole(n) {
            0 => of.len(),
            n => starts(of).rev().nth(n - 1).unwrap_or(0),
        },
        Policy::Tokens(budget) => tokens(of, u64::from(budget), room),
        Policy::Steady { keep, grow_to } => steady_start(of, whole(keep), whole(grow_to), room),
        Policy::Fits => fits_start(of, room),
    }
}

/// The indices where the upper edge of the window can stand, oldest first, each with the policy that puts it
/// there: every exchange for policies that count exchanges, else every message.
pub fn stops(of: &[Candidate], policy: Policy) -> Vec<(usize, Policy)> {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    if let Policy::Exchanges(_) = policy {
        let starts: Vec<usize> = starts(of).collect();
        let nth = |(n, i): (usize, &usize)| (*i, Policy::Exchanges(count(starts.len() - n)));
        return starts.iter().enumerate().map(nth).collect();
    }
    (0..of.len())
        .map(|i| (i, Policy::Messages(count(of.len() - i))))
        .collect()
}

/// The same rule, made smaller by the first `gone` of the chosen messages. `Everything` has no smaller
/// variant and becomes a message count; `Fits`, whose estimate of the room was wrong, becomes a token budget.
pub fn shrink_policy(chosen: &[Candidate], gone: usize, policy: Policy) -> Policy {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let left = count(chosen.len() - gone);
    match policy {
        Policy::Messages(_) | Policy::Everything => Policy::Messages(left),
        Policy::Exchanges(_) => {
            Policy::Exchanges(count(starts(chosen).filter(|i| *i >= gone).count()))
        }
        Policy::Steady { keep, .. } => Policy::Steady {
            keep: keep.min(left),
            grow_to: left,
        },
        Policy::Tokens(_) | Policy::Fits => {
            let tokens: u64 = chosen[gone..].iter().map(|c| c.tokens).sum();
            Policy::Tokens(u32::try_from(tokens).unwrap_or(u32::MAX))
        }
    }
}

fn whole(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// Indices where exchanges begin: each question that does not follow a question. Messages before the first
/// question (an answer whose question is muted) form an exchange of their own.
fn starts(of: &[Candidate]) -> impl DoubleEndedIterator<Item = usize> {
    (0..of.len()).filter(move |i| is_start(of, *i))
}

fn is_start(of: &[Candidate], i: usize) -> bool {
    let asks = |i: usize| of[i].role == Role::User;
    i == 0 || asks(i) && !asks(i - 1)
}

/// Start of the longest run of whole exchanges within the budget, and within the room where texts are recalled.
fn tokens(of: &[Candidate], budget: u64, room: Room) -> usize {
    let (mut from, mut sum, mut recalled) = (of.len(), 0u64, 0u64);
    for start in starts(of).rev() {
        sum += of[start..from].iter().map(|c| c.tokens).sum::<u64>();
        recalled += of[start..from].iter().map(|c| c.recalled).sum::<u64>();
        let recalls = room.recalls || recalled > 0;
        if sum > budget || recalls && sum + room.prompt > room.tokens {
            break;
        }
        from = start;
    }
    from
}

/// Replays growth and cuts from the first message on. The same branch always gives the same cuts, so no state
/// is stored, and each prompt except the one after a cut extends the previous one.
///
/// Where texts are recalled, which the number of messages does not count, the window is cut too when it has no room
/// beside the prompt: to `keep`, and further while what is left holds recalled texts and has no room.
fn steady_start(of: &[Candidate], keep: usize, grow_to: usize, room: Room) -> usize {
    // Tokens of all that stands before each message, and those of them that were recalled.
    let mut sums = vec![(0u64, 0u64)];
    let mut sum = (0, 0);
    for candidate in of {
        sum = (sum.0 + candidate.tokens, sum.1 + candidate.recalled);
        sums.push(sum);
    }
    let between = |from: usize, now: usize| {
        let (tokens, recalled) = (sums[now].0 - sums[from].0, sums[now].1 - sums[from].1);
        (tokens, recalled > 0)
    };
    let next_start = |least: usize, now: usize| {
        // Search from `least` on: a walk from the first message for each cut would be slow in a long chat.
        (least..now).find(|i| is_start(of, *i)).unwrap_or(now)
    };
    let mut from = 0;
    // A prompt was sent at each place where a question stands, and one is sent now.
    let asked = starts(of).filter(|i| *i > 0).chain([of.len()]);
    for now in asked {
        let (prompt, recalls) = match of.get(now) {
            Some(question) => (question.prompt, room.recall > 0 || question.recalled > 0),
            None => (room.prompt, room.recalls),
        };
        let (tokens, holds) = between(from, now);
        let is_full = (recalls || holds) && tokens + prompt > room.tokens;
        if now - from > grow_to || is_full {
            from = next_start(from.max(now.saturating_sub(keep.min(grow_to))), now);
        }
        while from < now {
            let (tokens, holds) = between(from, now);
            if !holds || tokens + prompt <= room.tokens {
                break;
            }
            from = next_start(from + 1, now);
        }
    }
    from
}

/// Grows until the room is full, then is cut to half of it. Like [`steady_start`] it replays from the first
/// message on, so that each prompt except the one after a cut extends the previous one.
fn fits_start(of: &[Candidate], room: Room) -> usize {
    let starts: Vec<usize> = starts(of).collect();
    let asked = starts.iter().copied().filter(|i| *i > 0).chain([of.len()]);
    let (mut from, mut before, mut sum) = (0, 0, 0u64);
    for now in asked {
        sum += of[before..now].iter().map(|c| c.tokens).sum::<u64>();
        before = now;
        let prompt = of.get(now).map_or(room.prompt, |c| c.prompt);
        if sum + prompt <= room.tokens {
            continue;
        }
        // A prompt larger than half the room leaves less than half for the window. What is recalled for the next prompts
        // stays with them, so it needs room too, or each would be cut again.
        let left = room.tokens.saturating_sub(prompt);
        let recalled = RECALLS_BETWEEN_CUTS * room.recall;
        let left = left.min(
            (room.tokens / 2)
                .saturating_sub(recalled)
                .max(room.tokens / 4),
        );
        let mut next = starts.partition_point(|i| *i <= from);
        while sum > left && from < now {
            let to = starts.get(next).copied().unwrap_or(now).min(now);
            sum -= of[from..to].iter().map(|c| c.tokens).sum::<u64>();
            from = to;
            next += 1;
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;
    use Role::{Assistant, User};
    use std::mem::discriminant;

    fn of(roles: &[Role]) -> Vec<Candidate> {
        let candidate = |role: &Role| Candidate {
            role: *role,
            tokens: 10,
            recalled: 0,
            prompt: 128,
        };
        roles.iter().map(candidate).collect()
    }

    fn begins(of: &[Candidate], policy: Policy) -> usize {
        window_start(of, policy, Room::default())
    }

    fn pairs(n: usize) -> Vec<Candidate> {
        of(&[User, Assistant].repeat(n))
    }

    const STEADY: Policy = Policy::Steady {
        keep: 4,
        grow_to: 12,
    };

    #[test]
    fn messages_are_counted_exactly() {
        for (n, start) in [(0, 10), (1, 9), (3, 7), (10, 0), (11, 0), (u32::MAX, 0)] {
            assert_eq!(begins(&pairs(5), Policy::Messages(n)), start, "{n}");
        }
    }

    #[test]
    fn ten_exchanges_trim_the_oldest_pair_whole_on_the_eleventh() {
        assert_eq!(begins(&pairs(10), Policy::Exchanges(10)), 0);
        assert_eq!(begins(&pairs(11), Policy::Exchanges(10)), 2);
        assert_eq!(begins(&pairs(11), Policy::Exchanges(0)), 22);
    }

    #[test]
    fn questions_in_a_row_are_one_exchange() {
        let row = of(&[User, Assistant, User, User, User, Assistant]);
        assert_eq!(begins(&row, Policy::Exchanges(1)), 2);
    }

    #[test]
    fn a_budget_takes_whole_exchanges() {
        for (budget, start) in [(0, 10), (19, 10), (20, 8), (39, 8), (40, 6), (1_000, 0)] {
            assert_eq!(begins(&pairs(5), Policy::Tokens(budget)), start, "{budget}");
        }
    }

    #[test]
    fn a_steady_window_grows_and_is_cut_at_a_question() {
        let sent: Vec<_> = (0..16)
            .map(|n| pairs(n).len() - begins(&pairs(n), STEADY))
            .collect();
        assert_eq!(sent, [0, 2, 4, 6, 8, 10, 12, 4, 6, 8, 10, 12, 4, 6, 8, 10]);
    }

    #[test]
    fn a_steady_window_is_cut_even_where_no_exchange_is_small_enough() {
        let long = of(&[&[User][..], &[Assistant; 20], &[User]].concat());
        assert_eq!(begins(&long, STEADY), 21);
        assert_eq!(begins(&long[..21], STEADY), 21);
        let nought = Policy::Steady {
            keep: 0,
            grow_to: 0,
        };
        assert_eq!(begins(&pairs(3), nought), 6);
    }

    /// Length of the window over exchanges of ten tokens a message, before a prompt of that many tokens.
    fn fitting(exchanges: usize, tokens: u64, prompt: u64) -> usize {
        let of = pairs(exchanges);
        let room = Room {
            tokens,
            prompt,
            recall: 0,
            ..Room::default()
        };
        of.len() - window_start(&of, Policy::Fits, room)
    }

    #[test]
    fn what_fits_grows_until_the_room_is_full_and_is_cut_to_half_of_it() {
        // Each prompt is rounded up to a step of 128, which leaves 72 tokens; a cut leaves 60 of them.
        let sent: Vec<_> = (0..10).map(|n| fitting(n, 200, 128)).collect();
        assert_eq!(sent, [0, 2, 4, 6, 6, 6, 6, 6, 6, 6]);
        let sent: Vec<_> = (0..24).map(|n| fitting(n, 328, 128)).collect();
        let grown = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 16, 18, 20];
        assert_eq!(sent[..14], grown);
        assert!(sent.iter().all(|n| *n <= 20), "{sent:?}");
        assert!(sent.iter().filter(|n| **n == 16).count() >= 3, "{sent:?}");
    }

    #[test]
    fn what_fits_leaves_room_for_a_long_prompt_and_for_nothing_else_where_it_takes_all() {
        assert_eq!(fitting(10, 1_000, 128), 20);
        assert_eq!(fitting(10, 1_000, 896), 10);
        assert_eq!(fitting(10, 1_000, 1_024), 0);
        assert_eq!(fitting(10, 0, 0), 0);
    }

    /// The model's prompt cache helps only where a prompt begins with the whole previous one.
    #[test]
    fn what_fits_keeps_its_first_message_between_cuts() {
        let starts: Vec<_> = (1..200)
            .map(|n| {
                window_start(
                    &pairs(n),
                    Policy::Fits,
                    Room {
                        tokens: 1_000,
                        prompt: 128,
                        ..Room::default()
                    },
                )
            })
            .collect();
        let cuts = starts.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(starts.is_sorted());
        assert!(cuts * 15 < starts.len(), "{cuts} cuts");
    }

    #[test]
    fn the_edge_stands_where_its_policy_begins() {
        let used = of(&[Assistant, User, Assistant, Assistant, User, User]);
        for policy in [
            Policy::Messages(3),
            Policy::Everything,
            Policy::Fits,
            STEADY,
        ] {
            let stops = stops(&used, policy);
            assert_eq!(stops.len(), 6);
            for (at, policy) in stops {
                assert_eq!(begins(&used, policy), at);
            }
        }
        let exchanges = stops(&used, Policy::Exchanges(1));
        let places: Vec<_> = exchanges.iter().map(|(at, _)| *at).collect();
        assert_eq!(places, [0, 1, 4]);
        for (at, policy) in exchanges {
            assert_eq!(begins(&used, policy), at);
        }
    }

    /// Regression: shrinking a window that was too large once turned every rule into a message count.
    #[test]
    fn a_smaller_window_is_of_the_same_kind_and_small_enough() {
        let used = of(&[
            User, User, Assistant, User, Assistant, Assistant, User, Assistant,
        ]);
        let rules = [
            Policy::Messages(7),
            Policy::Exchanges(3),
            STEADY,
            Policy::Tokens(80),
        ];
        for policy in rules {
            let start = begins(&used, policy);
            for gone in 1..=used.len() - start {
                let smaller = shrink_policy(&used[start..], gone, policy);
                assert_eq!(discriminant(&smaller), discriminant(&policy));
                assert!(begins(&used, smaller) >= start + gone, "{smaller:?}");
            }
        }
        assert_eq!(
            shrink_policy(&used, 3, Policy::Exchanges(9)),
            Policy::Exchanges(2)
        );
        assert_eq!(
            shrink_policy(&used, 2, Policy::Tokens(900)),
            Policy::Tokens(60)
        );
        assert_eq!(
            shrink_policy(&used, 2, Policy::Everything),
            Policy::Messages(6)
        );
        assert_eq!(shrink_policy(&used, 2, Policy::Fits), Policy::Tokens(60));
    }
}
