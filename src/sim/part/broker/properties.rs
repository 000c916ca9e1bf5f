//! Property tests of the broker.
