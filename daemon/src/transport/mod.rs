//! Transports: each turns octets into requests and replies into octets.

pub mod socket;
