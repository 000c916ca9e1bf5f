//! A stand-in for the engine: one hand-made run.

use std::sync::Arc;

use super::lab::*;
use crate::view::stage::*;
use crate::words::Words;

pub(super) struct Lab {
    cursor: u64,
    out: Vec<Arc<str>>,
    actions: Vec<Action>,
}

const SOURCE: &str = r#"/** @type {import("pull-the-plug").Program} */
async function publishForever({ db, broker, sleep }) {
  while (true) {
    await db.transaction(async (tx) => {
      const rows = await tx.query(sql`
        SELECT id, event_type, payload FROM outbox WHERE published_at IS NULL
        ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED`);
      for (const row of rows) {
        await broker.publish(row.event_type, row.payload, { messageId: row.id }); // published
      }
      await tx.query(sql`UPDATE outbox SET published_at = now()`);
    });
    await sleep(500);
  }
}"#;

fn chip(order: u32, mark: Mark) -> Chip {
    Chip {
        order: Some(order),
        copy: 1,
        text: "".into(),
        mark,
        locked_by: None,
        detail: format!("id = {order}, customer = 'anna', published_at = NULL").into(),
    }
}
fn part(key: &str, role: Role) -> PartBox {
    PartBox {
        key: key.into(),
        role,
        has_cord: !matches!(role, Role::Customers | Role::Mailbox),
        power: Power::On,
        line: None,
        memory: vec![],
        shelves: vec![],
    }
}
fn shelf(name: &str, kind: ShelfKind, chips: Vec<Chip>) -> Shelf {
    Shelf { name: name.into(), kind, durable: true, chips }
}

impl Lab {
    pub(super) fn open(
        _scene: &str,
        _seed: u64,
        actions: &[Action],
    ) -> Result<Self, Vec<SceneError>> {
        Ok(Self { cursor: 9, out: vec![], actions: actions.to_vec() })
    }
    pub(super) fn scenes() -> Vec<SceneEntry> {
        let list = vec![
            ("dual-write/commit-then-send", "Сначала COMMIT, потом письмо", "Commit, then send"),
            ("outbox/one-relay", "Один поллер", "One relay"),
            ("inbox/ack-after", "Ack после работы", "Ack after the work"),
        ];
        list.into_iter()
            .map(|(name, ru, en)| SceneEntry { name: name.into(), ru: ru.into(), en: en.into() })
            .collect()
    }
    pub(super) fn actions(&self) -> &[Action] {
        &self.actions
    }
    pub(super) fn step(&mut self) -> bool {
        if self.cursor < 20 {
            self.cursor += 1;
            true
        } else {
            false
        }
    }
    pub(super) fn back(&mut self) -> bool {
        if self.cursor > 0 {
            self.cursor -= 1;
            true
        } else {
            false
        }
    }
    pub(super) fn seek(&mut self, step: u64) {
        self.cursor = step.min(20);
    }
    fn now(&self) -> i64 {
        self.cursor as i64 * 20_000
    }
    pub(super) fn next_at_us(&self) -> Option<i64> {
        (self.cursor < 20).then(|| self.now() + 20_000)
    }
    pub(super) fn act(&mut self, kind: ActionKind, target: &str) {
        match kind {
            ActionKind::Unplug => self.out.push(target.into()),
            ActionKind::Plug => self.out.retain(|k| &**k != target),
            _ => {}
        }
        self.actions.push(Action { kind, target: target.into(), step: self.cursor + 1 });
    }
    pub(super) fn moment(&self, _words: Words) -> Moment {
        Moment {
            cursor: self.cursor,
            now_us: self.now(),
            next_at_us: self.next_at_us(),
            stage: self.stage(),
            ledger: self.ledger(),
            log: self.log(),
        }
    }
    fn ledger(&self) -> Vec<Line> {
        vec![
            Line { order: 1, verdict: Verdict::Once, owed: 1, got: 1 },
            Line {
                order: 2,
                verdict: if self.out.is_empty() { Verdict::Once } else { Verdict::Lost },
                owed: 1,
                got: 0,
            },
            Line { order: 3, verdict: Verdict::Doubled(2), owed: 1, got: 2 },
            Line { order: 4, verdict: Verdict::InFlight, owed: 1, got: 0 },
        ]
    }
    fn log(&self) -> Vec<Entry> {
        (1..=self.cursor).map(|step| Entry { step, order: Some(step as u32 % 4 + 1), tone: match step % 5 { 0 => Tone::Good, 3 => Tone::Bad, 4 => Tone::Act, _ => Tone::Plain }, text: match step % 4 {
            0 => "Поллер → Брокер: отправлен вызов publish.",
            1 => "PostgreSQL: COMMIT, транзакция зафиксирована и записана на диск, клиент Поллер.",
            2 => "Брокер: сообщение order.created сохранено в очереди order.created.",
            _ => "Поллер: шнур выдернут. Всё, что было в памяти, пропало; никто об этом не предупреждён.",
        }.to_owned() }).collect()
    }
    pub(super) fn programs(&self) -> Vec<Program> {
        let line = |line: &str| -> Vec<Piece> {
            line.split_inclusive(' ')
                .map(|word| {
                    let paint = match word.trim() {
                        "const" | "await" | "async" | "function" | "while" | "for" => {
                            Paint::Keyword
                        }
                        "//" => Paint::Comment,
                        w if w.starts_with("sql") => Paint::Text,
                        _ => Paint::Plain,
                    };
                    Piece { paint, text: word.into() }
                })
                .collect()
        };
        ["shop", "relay", "letters"]
            .iter()
            .map(|part| Program {
                part: (*part).into(),
                first_line: 42,
                lines: SOURCE.lines().map(line).collect(),
            })
            .collect()
    }
    fn stage(&self) -> Stage {
        let c = self.cursor as u32;
        let mut shop = part("shop", Role::Service);
        shop.line = Some(33);
        shop.memory = vec![chip(4, Mark::Plain)];
        let mut db = part("db", Role::Database);
        let mut held = chip(3, Mark::Changing);
        held.locked_by = Some("relay".into());
        db.shelves = vec![
            shelf(
                "orders",
                ShelfKind::Table,
                (1..=4)
                    .map(|o| chip(o, if o == 4 { Mark::Uncommitted } else { Mark::Plain }))
                    .collect(),
            ),
            shelf(
                "outbox",
                ShelfKind::Table,
                vec![chip(1, Mark::Done), chip(2, Mark::Done), held, chip(4, Mark::Uncommitted)],
            ),
        ];
        let mut relay = part("relay", Role::Relay);
        relay.line = Some(42 + c % 12);
        relay.memory = vec![chip(3, Mark::Plain)];
        let mut broker = part("broker", Role::Queue);
        let mut copy = chip(3, Mark::Redelivered);
        copy.copy = 2;
        broker.shelves = vec![shelf(
            "order.created",
            ShelfKind::Queue,
            vec![chip(3, Mark::Unacked), copy.clone()],
        )];
        let mut letters = part("letters", Role::Consumer);
        letters.line = Some(60);
        letters.memory = vec![chip(3, Mark::Plain)];
        let mail = part("mailer", Role::Mail);
        let mut mailbox = part("mailbox", Role::Mailbox);
        mailbox.shelves = vec![shelf(
            "letters",
            ShelfKind::Letters,
            vec![chip(1, Mark::Plain), chip(2, Mark::Plain)],
        )];
        let mut parts = vec![
            part("customers", Role::Customers),
            shop,
            db,
            relay,
            broker,
            letters,
            mail,
            mailbox,
        ];
        let mut graves = vec![];
        for (i, p) in parts.iter_mut().enumerate() {
            if self.out.contains(&p.key) {
                p.power = Power::Unplugged;
                graves.push(Grave {
                    part: i as u32,
                    cause: Cause::Memory,
                    chips: std::mem::take(&mut p.memory),
                });
            }
        }
        let now = self.now();
        let fly = |name: &str, from, to, chip: Chip, kind, d: i64, a: i64| Flight {
            name: name.into(),
            from,
            to,
            chip,
            kind,
            depart_us: now + d,
            arrive_us: now + a,
        };
        let mut bare = chip(3, Mark::Plain);
        bare.order = None;
        bare.text = "BEGIN".into();
        Stage {
            parts,
            links: [(0, 1), (1, 2), (3, 2), (3, 4), (5, 4), (5, 6), (6, 7)]
                .iter()
                .map(|(from, to)| Link { from: *from, to: *to, cut: false })
                .collect(),
            flights: vec![
                fly("a", 3, 4, copy, FlightKind::Publish, -8000, 12000),
                fly("b", 1, 2, bare, FlightKind::Request, -4000, 16000),
                fly("c", 6, 7, chip(3, Mark::Plain), FlightKind::Letter, -10000, 10000),
                fly("d", 4, 5, chip(2, Mark::Plain), FlightKind::Delivery, -10000, 10000),
                fly("e", 5, 6, chip(1, Mark::Plain), FlightKind::Answer, -10000, 10000),
            ],
            graves,
            now_us: now,
        }
    }
}
