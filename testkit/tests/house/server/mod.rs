//! A server of a test's own: who may connect to it, that it can be killed and started again, and that it ends with
//! whoever asked for it.

mod ends;
mod logins;
mod starts_again;
