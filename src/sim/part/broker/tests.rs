//! One test for each of the broker's rules, named after it.
