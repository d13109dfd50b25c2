//! The store over a page in memory, and a server with the rules of the directory.

mod age;
mod backup;
mod costs;
mod deleting;
mod device;
mod device_backup;
mod former_values;
mod histories;
mod house;
mod in_step;
mod keys;
mod meanwhile;
mod problems;
mod restore;
mod server;
mod shared_directory;
