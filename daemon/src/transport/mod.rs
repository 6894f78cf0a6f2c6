//! Transports: each turns octets into requests and replies into octets.

pub mod line;
pub mod socket;
