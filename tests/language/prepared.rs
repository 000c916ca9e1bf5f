//! Prepared transactions, from a program to the database's disk.

use std::sync::Arc;

use pull_the_plug::audit::{Verdict, tally};
use pull_the_plug::run::{Finished, finish};
use pull_the_plug::scene::Scene;
use pull_the_plug::sim::Limits;

/// A shop whose service runs `body` between its order's row and its answer.
fn run(body: &str) -> Finished {
    let text = format!(
        r#"import {{ scene, service, postgres, exactly, sql }} from "pull-the-plug";
export default scene({{
  title: {{ ru: "Две фазы", en: "Two phases" }},
  parts: {{
    shop: service({{ program: placeOrder }}),
    db: postgres({{ tables: sql`CREATE TABLE orders (id bigint PRIMARY KEY);` }}),
    points: postgres({{ tables: sql`
      CREATE TABLE bonuses (
        id bigserial PRIMARY KEY,
        order_id bigint NOT NULL,
        points int NOT NULL
      );` }}),
  }},
  orders: {{ count: 1, everyMs: 400 }},
  placed: {{ db: sql`SELECT id FROM orders` }},
  claims: [exactly(10, "points").perOrder({{ points: sql`SELECT order_id, points FROM bonuses` }})],
}});
async function placeOrder({{ db, points, order }}) {{
  const here = await db.begin();
  await here.query(sql`INSERT INTO orders (id) VALUES (${{order.id}})`);
  const there = await points.begin();
  await there.query(sql`INSERT INTO bonuses (order_id, points) VALUES (${{order.id}}, 10)`);
  {body}
}}
"#
    );
    let scene = match Scene::open(&text) {
        Ok(scene) => Arc::new(scene),
        Err(errors) => panic!("{text}\n{errors:#?}"),
    };
    finish(&scene, 0, &[], Limits::default()).unwrap_or_else(|missed| panic!("{missed:?}"))
}

fn verdict(body: &str) -> Vec<(Verdict, u32)> {
    let counts = tally(&run(body).accounts);
    Verdict::ALL.into_iter().zip(counts).filter(|(_, count)| *count > 0).collect()
}

#[test]
fn both_databases_commit_what_both_have_prepared() {
    let body = "await here.prepare('a'); await there.prepare('b');
        await db.commitPrepared('a'); await points.commitPrepared('b');";
    assert_eq!(verdict(body), [(Verdict::Once, 1)]);
}

#[test]
fn what_is_only_prepared_is_not_there_and_a_number_is_a_name() {
    let body = "await here.prepare(7); await there.prepare(7); await db.commitPrepared(7);";
    assert_eq!(verdict(body), [(Verdict::Lost, 1)]);
}

#[test]
fn a_prepared_transaction_can_be_rolled_back_and_its_connection_used_again() {
    let body = "await here.commit(); await there.prepare('b');
        await points.query(sql`SELECT count(*) FROM bonuses`);
        await points.rollbackPrepared('b');
        try { await points.commitPrepared('b'); } catch (error) {
          if (error.code !== '42704') throw error;
          await points.query(sql`
            INSERT INTO bonuses (order_id, points) VALUES (${order.id}, 10)`);
        }";
    assert_eq!(verdict(body), [(Verdict::Once, 1)]);
}
