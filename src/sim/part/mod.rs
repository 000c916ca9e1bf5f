//! The parts that a world is made of.
