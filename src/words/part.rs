//! What parts are called.

use super::Words;
use crate::view::stage::Role;

impl Words {
    /// What a box of this role is called.
    pub fn role_name(self, role: Role) -> &'static str {
        match role {
            Role::Customers => self.part_customers(),
            Role::Service => self.part_service(),
            Role::Relay => self.part_relay(),
            Role::Consumer => self.part_consumer(),
            Role::Worker => self.part_worker(),
            Role::Database => self.part_postgres(),
            Role::Queue => self.part_rabbitmq(),
            Role::Mail => self.part_mail(),
            Role::Mailbox => self.part_mailbox(),
        }
    }
}
