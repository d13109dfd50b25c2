//! The prompt on its way to the model: how it is rendered, how its tokens are counted, and that
//! nothing is ever cut.

mod context;
mod estimate;
mod read_ahead;
mod reading;
mod render;
mod sessions;
mod tokens;
