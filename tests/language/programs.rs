//! Programs written by hand, one per construct that could mean something else here than in Node.

/// Programs that both run: a name and a text with `main`.
pub(crate) const ALL: &[(&str, &str)] = &[
    (
        "order-of-evaluation",
        "
const say = 1;
async function main({ mailer }) {
  const f = (label, value) => { mailer.send('log', label); return value; };
  const list = [0, 0, 0];
  const object = { a: 1, list };
  mailer.send('log', f('a', 1) + f('b', 2) * f('c', 3), [f('d', 4), { k: f('e', 5) }]);
  list[f('index', 1)] = f('value', 9);
  object.a += f('more', 5);
  object.b = f('new', say);
  mailer.send('log', object, list, f('x', false) && f('y', 1) || f('z', 2), null ?? f('n', 3));
  let x = 1;
  const later = async () => { x = 10; return 5; };
  x += await later();
  mailer.send('log', x);
  mailer.send('log', f('q', 0) === 0 ? f('yes', 1) : f('no', 2));
}",
    ),
    (
        "receivers",
        "
async function main({ mailer }) {
  const nothing = null;
  const f = () => { mailer.send('log', 'argument'); return 1; };
  try { nothing.send(f()); } catch (error) { mailer.send('log', 'caught', error.name); }
  try { const {} = nothing; } catch { mailer.send('log', 'object'); }
  try { const [a] = undefined; mailer.send('log', a); } catch { mailer.send('log', 'array'); }
  try { f.query(f()); } catch { mailer.send('log', 'no method'); }
  const { a, b: { c }, d: [, e] } = { a: 1, b: { c: 2 }, d: [3, 4] };
  mailer.send('log', a, c, e, [].map(f).length);
  try { [].map(nothing); } catch { mailer.send('log', 'map'); }
  return nothing.x;
}",
    ),
    (
        "cells",
        "
async function main({ mailer, sleep }) {
  const all = [];
  for (const x of [1, 2, 3]) {
    let own = x;
    all.push(() => { own += 10; return own; });
    all.push(() => own);
  }
  let i = 0;
  while (i < 2) {
    const kept = i;
    i += 1;
    all.push(() => kept * 100 + i);
  }
  mailer.send('log', all.map((f) => f()));
  let shared = 1;
  const add = async (n) => { const before = shared; await sleep(n); shared = before + n; };
  await Promise.all([add(1), add(2), add(3)]);
  mailer.send('log', shared);
  function up(n) { if (n > 3) return n; return up(n + 1); }
  mailer.send('log', up(0));
  { const shared = 'inner'; mailer.send('log', shared); }
  mailer.send('log', shared);
}",
    ),
    (
        "finally-on-every-path",
        "
async function main({ mailer, sleep }) {
  const ways = async (way) => {
    for (const x of [1, 2, 3]) {
      try {
        try {
          for (const y of [7, 8]) {
            if (way === 0) break;
            if (way === 1) continue;
            if (way === 2) return x * y;
            if (way === 3) throw new Error('thrown');
            await mailer.send('ask', y);
          }
          if (way === 5) continue;
          if (way === 6) break;
        } catch (error) {
          mailer.send('log', 'catch', error.message);
          if (x === 2) throw error;
        } finally {
          mailer.send('log', 'inner', way, x);
          await sleep(1);
        }
      } finally {
        const way = 'shadow';
        mailer.send('log', 'outer', way, x);
      }
    }
    return 'end';
  };
  let way = 0;
  while (way < 7) {
    try {
      mailer.send('log', await ways(way));
    } catch (error) { mailer.send('log', error.message); }
    way += 1;
  }
}",
    ),
    (
        "finally-overrides",
        "
async function main({ mailer }) {
  const f = (n) => {
    let rounds = 0;
    for (const a of [1, 2, 3]) {
      try {
        for (const b of [4, 5]) {
          if (n === 0) return b;
          if (n === 1) throw new Error('lost');
          if (n === 2) break;
        }
        if (n === 3) return 'kept';
      } finally {
        rounds += a;
        if (n === 0) continue;
        if (n === 1) break;
        if (n === 4) return 'finally';
      }
    }
    return rounds;
  };
  mailer.send('log', [0, 1, 2, 3, 4].map(f));
  const g = () => {
    let x = 1;
    try { return x; } finally { x = 2; }
  };
  const h = () => {
    try {
      try { return 'a'; } finally { throw new Error('b'); }
    } catch (error) { return error.message; }
    finally { mailer.send('log', 'h'); }
  };
  mailer.send('log', g(), h());
}",
    ),
    (
        "microtasks",
        "
async function main({ mailer, sleep }) {
  const log = (x) => { mailer.send('log', x); };
  const none = async () => {};
  const one = async (x) => {
    log(x + ' start');
    await none();
    log(x + ' one');
    await none();
    log(x + ' two');
    return x;
  };
  one('a');
  one('b');
  log('main');
  await none();
  log('main one');
  const all = await Promise.all([one('c'), 5, sleep(1), one('d')]);
  log(all);
  const thrower = async (x) => { await sleep(1); throw new Error(x); };
  try {
    await Promise.all([thrower('first'), thrower('second'), mailer.send('ask', 1)]);
  } catch (error) { log(error.message); }
  log(await Promise.all([]));
  const inner = async (x) => { await none(); log('inner ' + x); return x; };
  const outer = async (x) => { log('outer ' + await inner(x)); };
  outer('p');
  outer('q');
  await none();
  log('between');
  const plain = () => 4;
  log(await plain());
}",
    ),
    (
        "unhandled",
        "
async function main({ mailer, sleep }) {
  const fails = async (x) => { if (x > 0) await sleep(1); throw new Error('alone ' + `${x}`); };
  try { await fails(0); } catch { mailer.send('log', 'handled'); }
  fails(2);
  fails(1);
  await sleep(1);
  mailer.send('log', 'still here');
  await sleep(1);
  mailer.send('log', 'not here');
}",
    ),
    (
        "unhandled-at-once",
        "
async function main({ mailer }) {
  const fails = async () => { throw 'a text'; };
  fails();
  mailer.send('log', 'said');
  await mailer.send('ask', 1);
  mailer.send('log', 'never said');
}",
    ),
    (
        "main-throws",
        "
async function main({ mailer }) {
  const n = await mailer.send('ask', 1);
  mailer.send('log', n);
  throw new Error(`main ${n}`);
}",
    ),
    (
        "transactions",
        "
async function main({ db, mailer, sleep }) {
  await db.transaction(async (tx) => {
    await tx.query(sql`SELECT ${1}`);
    await mailer.send('ask', 1);
  });
  try {
    await db.transaction(async (tx) => {
      await tx.query(sql`SELECT ${2}`);
      throw new Error('mine');
    });
  } catch (error) { mailer.send('log', error.message); }
  db.transaction(async (tx) => { await tx.query(sql`SELECT ${'alone'}`); await sleep(1); });
  mailer.send('log', await db.transaction(async (tx) => {
    await tx.query(sql`SELECT ${{ a: [1] }}`);
    return 'value';
  }));
  const tx = await db.begin();
  await tx.query(sql`SELECT ${5}`);
  await tx.prepare('two');
  await db.commitPrepared('two');
}",
    ),
    (
        "handlers",
        "
async function main({ broker, mailer }) {
  let seen = 0;
  await broker.subscribe('queue', { prefetch: 2 }, async (message) => {
    const { n } = message.body;
    seen += 1;
    const mine = seen;
    await mailer.send('ask', n);
    mailer.send('log', mine, seen);
    await message.ack();
  });
}",
    ),
    (
        "strings-and-numbers",
        "
async function main({ mailer }) {
  const ordered = ['b' < 'a', 'Z' < 'a', '\u{ffff}' < '\u{10000}', 'a' < 'ab', 'é' > 'z'];
  mailer.send('log', ordered, '😀'.length, [1, 2].length);
  mailer.send('log', `${null} ${undefined} ${true} ${-5} ${new Error('x')} ${new Error()}`);
  mailer.send('log', -7 % 3, 7 % -3, 2 - 9, 3 * -4, -(3));
  const a = {};
  const b = {};
  mailer.send('log', a === b, a === a, [a][0] === a);
  mailer.send('log', null === undefined, 1 === 1, 'a' === 'a', '1' === 1);
  const truthy = [0, 1, '', 'a', null, undefined, true, false, [], {}].map((x) => x ? 1 : 0);
  mailer.send('log', truthy, [0, null, ''].map((x) => x ?? 'd'), [0, 'x'].map((x) => x || 'd'));
  mailer.send('log', !0, !'a', !null, a.missing === undefined, [1][5] === undefined);
  const n = 1_000;
  mailer.send('log', n, 'it\\'s', \"q\\\"\", `back\\`tick`);
}",
    ),
    (
        "live-arrays",
        "
async function main({ mailer }) {
  const xs = [1, 2];
  for (const x of xs) { if (xs.length < 6) xs.push(x * 10); mailer.send('log', x); }
  const ys = [1, 2, 3];
  const mapped = ys.map((y, i, all) => {
    all[2] = 30;
    if (i === 0) ys.push(4);
    return y + i;
  });
  mailer.send('log', mapped, ys);
  const object = { a: 1 };
  const name = 'b';
  object[name] = 2;
  object.a = undefined;
  mailer.send('log', object[name], object['a'] === undefined, ys['length']);
}",
    ),
    (
        "thrown-values",
        "
async function main({ mailer }) {
  const values = ['text', 5, null, { code: 'mine' }];
  for (const value of values) {
    try { throw value; } catch (error) { mailer.send('log', error === value, error); }
  }
  try {
    await mailer.send('ask', 1);
  } catch ({ message, code }) { mailer.send('log', message, code); }
  try { values.query(); } catch (error) { mailer.send('log', error.name); }
  throw 'end';
}",
    ),
];

/// Programs that are refused before they run. Node refuses many of them, too; the others would
/// mean something in Node that the language does without. Each has a name, the problem, a text.
pub(crate) const REFUSED: &[(&str, &str, &str)] = &[
    ("twice", "declared-twice", "function f() { let a = 1; let a = 2; }"),
    ("parameter again", "declared-twice", "function f(a) { let a = 1; }"),
    ("catch again", "declared-twice", "function f() { try { f(); } catch (e) { let e = 1; } }"),
    ("function again", "declared-twice", "function f() { let a = 1; function a() {} }"),
    ("module again", "declared-twice", "const f = 1; function f() {}"),
    ("constant again", "declared-twice", "const a = 1; const a = 2;"),
    (
        "import again",
        "declared-twice",
        "import { scene } from 'pull-the-plug'; function scene() {}",
    ),
    ("assigned constant", "assign-constant", "function f() { const a = 1; a = 2; }"),
    ("assigned module constant", "assign-constant", "const a = 1; function f() { a = 2; }"),
    ("assigned function", "assign-constant", "function f() { f = 1; }"),
    ("before", "used-before", "function f() { g(a); let a = 1; } function g() {}"),
    (
        "before, with another outside",
        "used-before",
        "const a = 1;
 function f() { g(a); const a = 2; } function g() {}",
    ),
    (
        "before, in a closure",
        "used-before",
        "function f() { const g = () => a; const a = 1; g(); }",
    ),
    ("in its own value", "used-before", "function f(a) { { const a = a; } }"),
    ("in its own list", "used-before", "function f(a) { for (const a of a) {} }"),
    ("unknown", "unknown-name", "function f() { g(); }"),
    ("out of scope", "unknown-name", "function f() { { let a = 1; } g(a); } function g() {}"),
    ("taken", "taken-name", "function f() { const Promise = 1; }"),
    ("taken parameter", "taken-name", "function f(sql) {}"),
    ("method", "method-near", "async function f({ db }) { await db.transactoin(); }"),
    ("far method", "unknown-method", "function f(xs) { xs.filter(f); }"),
    ("kept", "promise-kept", "async function f({ db }) { const p = db.begin(); }"),
    (
        "kept in a list",
        "promise-kept",
        "async function f({ mailer }) { const ps = [mailer.send(1)]; }",
    ),
    ("pushed", "promise-kept", "async function f({ mailer }, ps) { ps.push(mailer.send(1)); }"),
    ("kept call", "promise-kept", "async function g() {} async function f() { let x = g(); }"),
    ("tested", "promise-kept", "async function f({ db }) { if (db.begin()) {} }"),
    ("returned", "promise-returned", "async function f({ db }) { return db.begin(); }"),
    (
        "returned by an arrow",
        "promise-returned",
        "async function f({ db }) { await db.transaction(async (tx) => tx.commit()); }",
    ),
    (
        "returned by choice",
        "promise-returned",
        "async function f({ db }, a) { return a ? db.begin() : null; }",
    ),
    ("await in a plain function", "AwaitOutside", "function f({ db }) { await db.begin(); }"),
    (
        "kept arrow's call",
        "promise-kept",
        "async function f() { const g = async () => 1; let x = 1; x = g(); }",
    ),
    ("kept sleep", "promise-kept", "async function f({ sleep }) { let x = sleep(1); }"),
    ("inherited", "inherited", "function f(a) { return a.constructor; }"),
    ("break", "OutsideLoop", "function f() { break; }"),
];

/// Programs that look like refused ones.
pub(crate) const ACCEPTED: &[(&str, &str)] = &[
    ("own method", "function f() { const o = { filter: f }; return o.filter(1); }"),
    ("a sleep of one's own", "function sleep() { return 1; } function f() { return sleep() + 1; }"),
    ("a name for two things", "async function g() {} function f(g) { const x = g(); }"),
    ("dropped", "async function f({ db }) { db.begin(); }"),
    ("returned by a plain function", "function f({ db }) { return db.begin(); }"),
    ("collected", "async function f({ db }) { await Promise.all([db.begin(), db.begin()]); }"),
    ("mapped", "async function f(m, xs) { await Promise.all(xs.map((x) => m.send(x))); }"),
    (
        "chosen",
        "async function f({ db }, a) { const b = a ? await db.begin() : await g(); }
         async function g() {}",
    ),
    ("shadowed", "const a = 1; function f(b) { let a = 2; { let a = b; a = 3; } a = b; }"),
    ("later in an inner block", "function f(a) { { let b = a; } let b = 1; }"),
    ("hoisted", "function f() { return g(); } function g() { return f(); }"),
    ("a negative constant", "const a = -5; function f() { return a; }"),
];
