//! One process at a time: limits, the shape of a process that waits, and texts of any kind.

use std::sync::Arc;

use proptest::prelude::*;

use super::{Answer, Builtin, Clock, Given, Host, HostClass, Ran, Vm};
use crate::datum::Datum;
use crate::script::compile::{Compiled, compile};
use crate::script::parser::parse;

const CLOCK: Clock = Clock { now_us: 0, uuid_base: 7 };

struct Process {
    compiled: Compiled,
    vm: Vm,
    /// Calls without an answer, oldest first.
    open: Vec<u32>,
    calls: u32,
    last: Ran,
}

fn environment() -> Vec<(Arc<str>, Given)> {
    let host = |class| Given::Host(Host { class, id: 0 }, Vec::new());
    vec![
        ("db".into(), host(HostClass::Database)),
        ("mailer".into(), host(HostClass::Mail)),
        ("sleep".into(), Given::Builtin(Builtin::Sleep)),
        ("now".into(), Given::Builtin(Builtin::Now)),
        ("order".into(), Given::Datum(Datum::Object([("id".into(), Datum::Int(3))].into()))),
    ]
}

impl Process {
    fn start(text: &str) -> Self {
        let compiled = compiled(text);
        assert_eq!(compiled.errors, [], "{text}");
        let (vm, open, last) = (Vm::default(), Vec::new(), Ran::default());
        let mut process = Self { compiled, vm, open, calls: 0, last };
        let main = *process.compiled.functions.get("main").unwrap();
        let ran = process.vm.start(&process.compiled.image, main, &environment(), 0, CLOCK);
        process.ran(ran);
        process
    }

    fn ran(&mut self, ran: Ran) {
        self.calls += ran.calls.len() as u32;
        self.open.extend(ran.calls.iter().map(|call| call.id));
        self.last = ran;
    }

    /// Answers the oldest call at a moment.
    fn answer(&mut self, value: Datum, now_us: i64) {
        let id = self.open.remove(0);
        let clock = Clock { now_us, ..CLOCK };
        let ran = self.vm.answer(&self.compiled.image, id, &Answer::Value(value), clock);
        self.ran(ran);
    }

    fn died_of(&self) -> Option<&str> {
        self.last.uncaught.as_ref().and_then(|error| error.code.as_deref())
    }
}

fn compiled(text: &str) -> Compiled {
    let parsed = parse(text);
    assert_eq!(parsed.errors, [], "{text}");
    compile(&parsed.module)
}

/// The body of `main` dies of a limit in its first run, whatever it catches.
fn dies(body: &str) {
    let text = format!("async function main({{ sleep, mailer }}) {{ {body} }}");
    let process = Process::start(&text);
    assert_eq!(process.died_of(), Some("limit"), "{text}");
}

#[test]
fn no_program_outlives_a_limit() {
    dies("while (true) {}");
    dies("while (true) { try { while (true) {} } catch {} finally { while (true) {} } }");
    dies("const f = async () => { while (true) {} }; f(); await sleep(1);");
    dies("function f() { try { f(); } catch { f(); } finally { f(); } } f();");
    dies("async function f() { try { await f(); } catch { await f(); } } await f();");
    dies("const none = async () => {}; while (true) { await none(); }");
    dies("let s = 'x'; while (true) { s = s + s; }");
    dies("let s = 'x'; while (true) { try { s = `${s}${s}`; } catch { s = 'x'; } }");
    dies("const xs = []; while (true) { xs.push(xs); }");
    dies("const xs = [1]; while (true) { xs.map((x) => { xs.push(x); return [x]; }); }");
    dies("while (true) { mailer.send(1); }");
    dies("const xs = [1]; for (const x of xs) { xs.push(x); }");
}

#[test]
fn memory_that_is_held_over_waits_has_an_end() {
    let text = "async function main({ sleep }) {
        const all = [];
        while (true) { let i = 0; while (i < 5000) { i += 1; all.push(i); } await sleep(1); }
    }";
    let mut process = Process::start(text);
    let mut rounds = 0;
    while process.died_of().is_none() {
        process.answer(Datum::Null, 0);
        rounds += 1;
        assert!(rounds < 100, "it grows for ever");
    }
    assert!(rounds > 10, "it dies after {rounds} rounds");
}

#[test]
fn shared_objects_make_no_endless_data() {
    let mut text = "async function main({ mailer }) { let a = [1];".to_owned();
    for _ in 0..30 {
        text.push_str(" a = [a, a];");
    }
    text.push_str(
        " try { await mailer.send(a); } catch (error) { throw new Error(error.name); } }",
    );
    let process = Process::start(&text);
    let ended = &process.last.ended[0].1;
    assert_eq!(ended.as_ref().map(|error| &*error.message), Some("TypeError"));
}

#[test]
fn a_loop_that_comes_back_to_its_wait_is_the_same_process() {
    let text = "async function main({ db, sleep, now }) {
        while (true) {
            const begun = now();
            const rows = await db.query(sql`SELECT ${begun}`);
            for (const row of rows) {
                const seen = { row, begun };
                await sleep(seen.begun - begun);
            }
            try { await sleep(2); } catch (error) { throw error; } finally { await sleep(3); }
            await sleep(500);
        }
    }";
    let mut process = Process::start(text);
    let mut at_rest: Vec<Vm> = Vec::new();
    for round in 0..4i64 {
        let rows = vec![Datum::Int(round); 2];
        process.answer(Datum::Array(rows.into()), round);
        for _ in 0..4 {
            process.answer(Datum::Null, round * 1_000_000);
        }
        at_rest.push(process.vm.renumbered());
        process.answer(Datum::Null, round * 1_000_000);
    }
    assert!(at_rest.windows(2).all(|two| two[0] == two[1]), "{at_rest:#?}");
    assert_eq!(at_rest[0].memory(), []);
}

#[test]
fn what_a_program_goes_on_with_is_in_memory_and_the_rest_is_not() {
    let text = "async function main({ order, sleep, mailer }) {
        const done = { id: 1 };
        await mailer.send(done);
        await sleep(1);
        await mailer.send(order);
        await sleep(1);
    }";
    let mut process = Process::start(text);
    let order = || vec![Datum::Object([("id".into(), Datum::Int(3))].into())];
    assert_eq!(process.vm.memory(), order());
    process.answer(Datum::Null, 0);
    assert_eq!(process.vm.memory(), order());
    process.answer(Datum::Null, 0);
    assert_eq!(process.vm.memory(), []);
}

#[test]
fn a_process_that_waits_does_not_grow() {
    let text = "async function main({ sleep, mailer }) {
        let count = 0;
        while (true) {
            count = (count + 1) % 2;
            const add = (x) => { count = count + x; };
            add(2); add(-2);
            await Promise.all([1, 2].map((x) => mailer.send({ x })));
            mailer.send('alone');
            await sleep(1);
        }
    }";
    let mut process = Process::start(text);
    let mut sizes = Vec::new();
    for _ in 0..40 {
        process.answer(Datum::Null, 0);
        sizes.push(process.vm.held);
    }
    assert!(sizes[39] <= *sizes[..8].iter().max().unwrap_or(&0), "{sizes:?}");
}

#[test]
fn times_are_texts_to_a_program() {
    let text = "async function main({ db }) {
        const a = await db.query(sql`SELECT ${1}`);
        const b = await db.query(sql`SELECT ${2}`);
        throw new Error(`${a < b} ${a === b} ${a === '2026-01-01 00:00:01+00'} ${a.length}`);
    }";
    let mut process = Process::start(text);
    process.answer(Datum::Time(1_000_000), 0);
    process.answer(Datum::Time(1_500_000), 0);
    let said = process.last.ended[0].1.as_ref().map(|error| error.message.to_string());
    assert_eq!(said.as_deref(), Some("true false true 22"));
}

#[test]
fn numbers_outside_the_safe_integers_are_errors() {
    for sum in ["big + 1", "big * big", "0 - big - 2", "1 % 0", "huge * huge", "-least"] {
        let text = format!(
            "async function main({{ db }}) {{ const big = 9007199254740991;
             const huge = await db.query(sql`SELECT 1`);
             const least = await db.query(sql`SELECT 1`);
             throw new Error(`${{{sum}}}`); }}"
        );
        let mut process = Process::start(&text);
        process.answer(Datum::Int(i64::MAX), 0);
        process.answer(Datum::Int(i64::MIN), 0);
        let code = process.last.ended[0].1.as_ref().and_then(|error| error.code.clone());
        assert_eq!(code.as_deref(), Some("range-error"), "{sum}");
    }
}

/// Pieces that often make a program when put side by side.
fn pieces() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a",
        "b",
        "f",
        "db",
        "mailer",
        "let a = 1;",
        "const b = [a];",
        "a = 2;",
        "b[0] = a;",
        "a += 1;",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "await ",
        "sleep(1);",
        "mailer.send(a);",
        "f(a);",
        "try {",
        "} catch (e) {",
        "} finally {",
        "while (a) {",
        "for (const x of b) {",
        "break;",
        "continue;",
        "return a;",
        "return;",
        "throw a;",
        "if (a) {",
        "} else {",
        ";",
        ", ",
        "const f = async (x) => {",
        "function f(x) {",
        "async function g() {",
        "b.map((x) => x)",
        "const { a, c: [d] } = b;",
        "Promise.all([f(1)])",
        "db.transaction(async (tx) => {",
        "})",
        "sql`SELECT ${a}`",
        "`${a}`",
        " + ",
        " === ",
        " ?? ",
        "null",
        "undefined",
        "{ a, b: 1 }",
        "new Error('x')",
        ".length",
        "!",
        "-",
        "1",
        "'s'",
        "\n",
    ];
    proptest::collection::vec(proptest::sample::select(PIECES), 0..40)
        .prop_map(|list| list.concat())
}

/// Runs whatever came out, answers what it asks, and gives its last state.
fn survive(text: &str) -> Vm {
    let parsed = parse(text);
    let compiled = compile(&parsed.module);
    let mut vm = Vm::default();
    if !parsed.errors.is_empty() || !compiled.errors.is_empty() {
        return vm;
    }
    let image = &compiled.image;
    let Some(main) = compiled.functions.get("main") else { return vm };
    let ran = vm.start(image, *main, &environment(), 0, CLOCK);
    let mut open: Vec<u32> = ran.calls.iter().map(|call| call.id).collect();
    for turn in 0..20 {
        if open.is_empty() {
            break;
        }
        let answer = match turn % 3 {
            0 => Answer::Value(Datum::Array([Datum::Int(1)].into())),
            1 => Answer::Error { message: "no".into(), code: "fake".into() },
            _ => Answer::Host(Host { class: HostClass::Transaction, id: 0 }),
        };
        let ran = vm.answer(image, open.remove(0), &answer, CLOCK);
        open.extend(ran.calls.iter().map(|call| call.id));
        let _memory = vm.memory();
    }
    vm
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_panics_and_equal_texts_end_equal(body in pieces()) {
        let head = "async function main({ db, mailer, sleep, order }) { let a = 1; const b = [a];";
        let text = format!("{head} {{ {body} }} }}");
        prop_assert_eq!(survive(&text), survive(&text));
        let _alone = survive(&body);
    }
}
