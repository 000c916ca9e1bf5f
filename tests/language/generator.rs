//! Random programs of the step language that end: integers, closures, loops, every way out of
//! `try`, and calls that are awaited, collected or left alone.

use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;

use crate::interpreter::Schedule;

/// Functions that wait for nothing but their turn.
const SOON: &str = "async function sooner(x) { return x; }
async function soon(x) {
  const y = await sooner(x);
  return y + await sooner(1);
}
";

/// A program and a schedule, by number.
pub(crate) fn generate(seed: u64) -> (String, Schedule) {
    let mut writer = Writer {
        random: Pcg32::seed_from_u64(seed),
        text: SOON.to_owned(),
        indent: 0,
        names: 0,
        scopes: vec![Vec::new()],
        functions: vec![Vec::new()],
        loops: 0,
        is_async: true,
        budget: 45,
    };
    writer.line("async function main({ db, mailer, broker, sleep }) {");
    writer.block(6);
    writer.line("}");
    let mut random = writer.random;
    let fails = random.next_u32() % 4;
    let schedule = (0..60).map(|_| (random.next_u32() % 7, random.next_u32() % 10 < fails));
    (writer.text, schedule.collect())
}

/// The same program with a line or two left out or said twice. What is still accepted must
/// still mean the same; lines that make a loop end are left alone.
pub(crate) fn damage(text: &str, seed: u64) -> String {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut lines: Vec<&str> = text.lines().collect();
    for _ in 0..=random.next_u32() % 2 {
        let at = random.next_u32() as usize % lines.len();
        let ends_a_loop = lines[at].contains(" += 1;") || lines[at].contains("while");
        match random.next_u32() % 2 {
            _ if ends_a_loop => {}
            0 => drop(lines.remove(at)),
            _ => lines.insert(at, lines[at]),
        }
    }
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

struct Writer {
    random: Pcg32,
    text: String,
    indent: usize,
    names: u32,
    /// Integer variables in scope, and whether they can be assigned to.
    scopes: Vec<Vec<(String, bool)>>,
    /// Functions in scope, and whether they are async.
    functions: Vec<Vec<(String, bool)>>,
    loops: u32,
    is_async: bool,
    budget: u32,
}

impl Writer {
    fn pick(&mut self, count: u32) -> u32 {
        self.random.next_u32() % count
    }

    fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let pad = "  ".repeat(self.indent);
        self.text.push_str(&format!("{pad}{text}\n"));
    }

    fn block(&mut self, statements: u32) {
        self.indent += 1;
        self.scopes.push(Vec::new());
        self.functions.push(Vec::new());
        for _ in 0..=self.pick(statements) {
            if self.budget > 0 {
                self.budget -= 1;
                self.statement();
            }
        }
        self.functions.pop();
        self.scopes.pop();
        self.indent -= 1;
    }

    fn declare(&mut self, name: &str, mutable: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name.to_owned(), mutable));
        }
    }

    fn variable(&mut self, assigned: bool) -> Option<String> {
        let all = self.scopes.iter().flatten().filter(|(_, mutable)| *mutable || !assigned);
        let all: Vec<String> = all.map(|(name, _)| name.clone()).collect();
        let index = self.pick(all.len().max(1) as u32);
        all.get(index as usize).cloned()
    }

    fn function(&mut self, wanted: bool) -> Option<String> {
        let all = self.functions.iter().flatten().filter(|(_, is_async)| *is_async == wanted);
        let all: Vec<String> = all.map(|(name, _)| name.clone()).collect();
        let index = self.pick(all.len().max(1) as u32);
        all.get(index as usize).cloned()
    }

    fn integer(&mut self, depth: u32) -> String {
        match self.pick(if depth == 0 { 3 } else { 9 }) {
            0 => self.pick(9).to_string(),
            1 | 2 => self.variable(false).unwrap_or_else(|| "7".to_owned()),
            3 => format!("({} + {})", self.integer(depth - 1), self.integer(depth - 1)),
            4 => format!("({} - {})", self.integer(depth - 1), self.integer(depth - 1)),
            5 => {
                let test = self.test();
                format!("({test} ? {} : {})", self.integer(depth - 1), self.integer(depth - 1))
            }
            6 => format!("({} || {})", self.integer(depth - 1), self.integer(depth - 1)),
            7 => match self.function(false) {
                Some(function) => format!("{function}({})", self.integer(depth - 1)),
                None => "3".to_owned(),
            },
            _ if self.is_async => format!("(await {})", self.promise(depth - 1)),
            _ => "5".to_owned(),
        }
    }

    fn test(&mut self) -> String {
        let (a, b) = (self.integer(0), self.integer(0));
        let operators = ["<", "<=", "===", "!==", ">"];
        let operator = operators[self.pick(5) as usize];
        format!("{a} {operator} {b}")
    }

    /// A call that gives a promise of an integer.
    fn promise(&mut self, depth: u32) -> String {
        match (self.pick(6), self.function(true)) {
            (0 | 1, Some(function)) => format!("{function}({})", self.integer(depth)),
            (2, _) => format!("sleep({})", self.pick(3)),
            (3, _) => format!("soon({})", self.integer(depth)),
            (4, _) => format!("sooner({})", self.integer(depth)),
            _ => format!("mailer.send(\"ask\", {})", self.integer(depth)),
        }
    }

    fn statement(&mut self) {
        match self.pick(19) {
            0..=2 => {
                let value = self.integer(2);
                let label = self.name('l');
                self.line(&format!("mailer.send(\"log\", \"{label}\", {value});"));
            }
            3 | 4 => {
                let value = self.integer(2);
                let name = self.name('v');
                self.line(&format!("let {name} = {value};"));
                self.declare(&name, true);
            }
            5 => {
                let value = self.integer(2);
                let operator = ["=", "+=", "-="][self.pick(3) as usize];
                if let Some(name) = self.variable(true) {
                    self.line(&format!("{name} {operator} {value};"));
                }
            }
            6 => {
                let promise = self.promise(1);
                self.line(&format!("{promise};"));
            }
            7 if self.is_async => self.collect(),
            8 => self.branch(),
            9 => self.while_loop(),
            10 => self.for_of(),
            11..=13 => self.guarded(),
            14 => self.closure(),
            15 => self.closures_of_a_loop(),
            16 if self.is_async => self.transaction(),
            17 => self.leave(),
            _ => self.declaration(),
        }
    }

    fn collect(&mut self) {
        let promises: Vec<String> = (0..self.pick(4)).map(|_| self.promise(1)).collect();
        let name = self.name('r');
        self.line(&format!("const {name} = await Promise.all([{}]);", promises.join(", ")));
        self.line(&format!("mailer.send(\"log\", {name});"));
    }

    fn branch(&mut self) {
        let test = self.test();
        self.line(&format!("if ({test}) {{"));
        self.block(3);
        if self.pick(2) == 0 {
            self.line("} else {");
            self.block(3);
        }
        self.line("}");
    }

    fn while_loop(&mut self) {
        let (name, rounds) = (self.name('i'), self.pick(4));
        self.line(&format!("let {name} = 0;"));
        self.line(&format!("while ({name} < {rounds}) {{"));
        self.indent += 1;
        self.line(&format!("{name} += 1;"));
        self.indent -= 1;
        self.declare(&name, false);
        self.loops += 1;
        self.block(4);
        self.loops -= 1;
        self.line("}");
    }

    fn for_of(&mut self) {
        let items: Vec<String> = (0..self.pick(4)).map(|_| self.integer(1)).collect();
        let name = self.name('x');
        self.line(&format!("for (let {name} of [{}]) {{", items.join(", ")));
        self.scopes.push(vec![(name, true)]);
        self.loops += 1;
        self.block(4);
        self.loops -= 1;
        self.scopes.pop();
        self.line("}");
    }

    fn guarded(&mut self) {
        self.line("try {");
        self.block(4);
        let form = self.pick(3);
        if form > 0 {
            let name = self.name('e');
            self.line(&format!("}} catch ({name}) {{"));
            self.line(&format!("  mailer.send(\"log\", `${{{name}}}`);"));
            self.block(2);
        }
        if form != 1 {
            self.line("} finally {");
            self.block(3);
        }
        self.line("}");
    }

    fn closure(&mut self) {
        let is_async = self.pick(3) > 0;
        let name = self.name('f');
        let prefix = if is_async { "async " } else { "" };
        self.body(
            &format!("const {name} = {prefix}(p{name}) => {{"),
            &format!("p{name}"),
            is_async,
        );
        self.line("};");
        self.known(name, is_async);
    }

    fn declaration(&mut self) {
        let is_async = self.pick(3) > 0;
        let name = self.name('g');
        let prefix = if is_async { "async " } else { "" };
        self.body(&format!("{prefix}function {name}(p{name}) {{"), &format!("p{name}"), is_async);
        self.line("}");
        self.known(name, is_async);
    }

    fn known(&mut self, name: String, is_async: bool) {
        if let Some(scope) = self.functions.last_mut() {
            scope.push((name, is_async));
        }
    }

    fn body(&mut self, head: &str, parameter: &str, is_async: bool) {
        self.line(head);
        let outer = (std::mem::take(&mut self.loops), self.is_async);
        self.is_async = is_async;
        self.scopes.push(vec![(parameter.to_owned(), true)]);
        self.block(4);
        self.indent += 1;
        let value = self.integer(1);
        self.line(&format!("return {value};"));
        self.indent -= 1;
        self.scopes.pop();
        (self.loops, self.is_async) = outer;
    }

    /// Each round has variables of its own, which closures keep.
    fn closures_of_a_loop(&mut self) {
        let (list, item, own) = (self.name('a'), self.name('x'), self.name('v'));
        let value = self.integer(1);
        self.line(&format!("const {list} = [];"));
        self.line(&format!("for (const {item} of [1, 2, 3]) {{"));
        self.line(&format!("  let {own} = {item} + {value};"));
        self.line(&format!("  {list}.push(() => {{"));
        self.line(&format!("    {own} += {item};"));
        self.line(&format!("    return {own};"));
        self.line("  });");
        self.line("}");
        self.line(&format!("mailer.send(\"log\", {list}.map((f) => f() + f()));"));
    }

    fn transaction(&mut self) {
        let awaited = if self.pick(3) > 0 { "await " } else { "" };
        let tx = self.name('t');
        self.line(&format!("{awaited}db.transaction(async ({tx}) => {{"));
        let value = self.integer(1);
        self.line(&format!("  await {tx}.query(sql`SELECT ${{{value}}}`);"));
        let loops = std::mem::take(&mut self.loops);
        self.block(3);
        self.loops = loops;
        self.line("});");
    }

    fn leave(&mut self) {
        let value = self.integer(1);
        match self.pick(4) {
            0 | 1 if self.loops > 0 => self.line("break;"),
            2 if self.loops > 0 => self.line("continue;"),
            3 => self.line(&format!("throw new Error(`thrown ${{{value}}}`);")),
            _ => self.line(&format!("return {value};")),
        }
    }
}
