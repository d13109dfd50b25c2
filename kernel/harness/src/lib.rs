//! The page in memory, for tests of stores: a clock that the test advances, a store, locks and images that all tabs share, a
//! server with scripted answers, and the kernel's stores over them. A room's tests put its own store, with doubles of its own
//! edges, on top.

mod dice;
mod disk;
mod engines;
mod heard;
mod house;
mod locks;
mod machine;
mod slow;

pub use dice::Dice;
pub use disk::{Disk, TabStore};
pub use engines::{engine_model, llama_router, three_engines};
pub use heard::{Heard, two_listeners};
pub use house::{
    House, builtin_tools, cut_off, quoted, reactive, reactive_in, says, small_image, text,
    two_tabs, under_owner,
};
pub use machine::{Answer, Machine, PollResult, call, settle};
pub use slow::Slow;
