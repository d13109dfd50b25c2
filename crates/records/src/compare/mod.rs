//! Several answers to one question: the models that have still to be asked, and the branches beside each other.

mod branches;
mod waiting_model;

pub use branches::{BranchMap, BranchRow, MAX_BRANCH_ROWS, branch_map, column, end_of_rounds};
pub use waiting_model::{RULE, WAITING_MODELS, WaitingModel};
