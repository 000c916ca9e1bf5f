//! What the parts of a scene are called on the page.

use crate::sim::{PartId, Setup};
use crate::view::stage::{PartBox, Role, Stage, role_of};
use crate::words::Words;

/// The titles of all parts, by [`PartId`]. Where parts share a role, the scene's own name tells
/// them apart: «PostgreSQL points».
pub fn of(setup: &Setup, words: Words) -> Vec<String> {
    let roles: Vec<Role> = setup.part_ids().map(|part| role_of(setup, part)).collect();
    let parts = setup.parts.iter().zip(&roles);
    parts.map(|(part, role)| title(words, *role, &part.name, &roles)).collect()
}

/// The title of one part.
pub fn of_part(setup: &Setup, part: PartId, words: Words) -> String {
    let roles: Vec<Role> = setup.part_ids().map(|part| role_of(setup, part)).collect();
    title(words, role_of(setup, part), &setup.part(part).name, &roles)
}

impl Stage {
    /// The title of a box on this stage.
    pub fn title(&self, part: &PartBox, words: Words) -> String {
        let roles: Vec<Role> = self.parts.iter().map(|part| part.role).collect();
        title(words, part.role, &part.key, &roles)
    }
}

fn title(words: Words, role: Role, key: &str, roles: &[Role]) -> String {
    let name = words.role_name(role);
    let shared = roles.iter().filter(|other| **other == role).count() > 1;
    if shared { [name, " ", key].concat() } else { name.to_owned() }
}
