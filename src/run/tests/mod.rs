//! The rules of the world, each shown by a small scene: what a failure takes away, who learns of
//! it and when, and what a run is worth at rest.

mod bench;
mod connections;
mod crashes;
mod labs;
mod moments;
mod properties;
mod queues;
mod rest;
