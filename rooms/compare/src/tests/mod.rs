//! The stores over the page in memory.

mod house;
mod side_by_side;
mod what_if;
