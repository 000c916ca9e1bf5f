//! Runs a program in the interpreter against a host that writes down calls and answers one of
//! them per turn. `run.mjs` is the same host for Node.

use pull_the_plug::datum::Datum;
use pull_the_plug::script::compile::{Compiled, compile};
use pull_the_plug::script::parser::parse;
use pull_the_plug::script::vm::{
    Answer, Builtin, Call, Clock, Given, Host, HostClass, Ran, Target, Thrown, Vm,
};

/// Which of the waiting calls is answered next, and whether its answer is an error.
pub(crate) type Schedule = Vec<(u32, bool)>;

const CLOCK: Clock = Clock { now_us: 0, uuid_base: 1 };

struct Waiting {
    id: u32,
    number: u32,
    method: String,
    quiet: bool,
}

#[derive(Default)]
struct World {
    log: Vec<String>,
    pending: Vec<Waiting>,
    calls: u32,
    transactions: u32,
    over: bool,
}

/// Compiles a program; the errors, if there are any, in one line.
pub(crate) fn compiled(text: &str) -> Result<Compiled, String> {
    let parsed = parse(text);
    if let Some(error) = parsed.errors.first() {
        return Err(format!("{error:?}"));
    }
    let compiled = compile(&parsed.module);
    match compiled.errors.first() {
        None => Ok(compiled),
        Some(error) => Err(format!("{error:?}")),
    }
}

/// What a program does under a schedule, line by line.
pub(crate) fn play(text: &str, schedule: &Schedule) -> Vec<String> {
    let compiled = match compiled(text) {
        Ok(compiled) => compiled,
        Err(error) => return vec![format!("refused: {error}")],
    };
    let image = &compiled.image;
    let mut world = World::default();
    let mut vm = Vm::default();
    let Some(main) = compiled.functions.get("main") else {
        return vec!["refused: it has no main".to_owned()];
    };
    let ran = vm.start(image, *main, &environment(), 0, CLOCK);
    world.ran(ran);
    for (pick, fails) in schedule {
        if world.over {
            break;
        }
        if world.pending.is_empty() {
            continue;
        }
        let call = world.pending.remove(*pick as usize % world.pending.len());
        let ran = if call.method == "subscribe" {
            let message = Host { class: HostClass::Message, id: world.calls };
            let n = Datum::Int(i64::from(world.calls));
            let body = Datum::Object([("n".into(), n)].into());
            let given = Given::Host(message, vec![("body".into(), body)]);
            let ran = vm.deliver(image, call.id, &given, CLOCK);
            world.pending.push(call);
            ran
        } else {
            let answer = world.answer(&call, *fails);
            vm.answer(image, call.id, &answer, CLOCK)
        };
        world.ran(ran);
    }
    world.log
}

impl World {
    fn answer(&mut self, call: &Waiting, fails: bool) -> Answer {
        if call.method == "begin" {
            self.transactions += 1;
            Answer::Host(Host { class: HostClass::Transaction, id: self.transactions - 1 })
        } else if fails && !call.quiet {
            let message = format!("failed {}", call.number).into();
            Answer::Error { message, code: "fake".into() }
        } else {
            Answer::Value(Datum::Int(i64::from(call.number)))
        }
    }

    fn ran(&mut self, ran: Ran) {
        for call in &ran.calls {
            let args: Vec<String> = call.args.iter().map(json).collect();
            let (number, args) = (self.calls, args.join(","));
            self.log.push(format!("{number} {}.{} [{args}]", target(call), call.method));
            let quiet = call.args.first().and_then(Datum::as_text) == Some("log");
            let method = call.method.to_string();
            self.pending.push(Waiting { id: call.id, number, method, quiet });
            self.calls += 1;
        }
        for (_, error) in ran.ended {
            match error {
                None => self.log.push("ended".to_owned()),
                Some(error) => {
                    self.log.push(format!("threw {}", describe(&error)));
                    self.over = true;
                    return;
                }
            }
        }
        if let Some(error) = ran.uncaught {
            self.log.push(format!("uncaught {}", describe(&error)));
            self.over = true;
        }
    }
}

fn environment() -> Vec<(std::sync::Arc<str>, Given)> {
    let host = |class| Given::Host(Host { class, id: 0 }, Vec::new());
    vec![
        ("db".into(), host(HostClass::Database)),
        ("mailer".into(), host(HostClass::Mail)),
        ("broker".into(), host(HostClass::Queue)),
        ("sleep".into(), Given::Builtin(Builtin::Sleep)),
    ]
}

fn target(call: &Call) -> String {
    match call.target {
        Target::Sleep => "sleep".to_owned(),
        Target::Host(host) => match host.class {
            HostClass::Database => "db".to_owned(),
            HostClass::Queue => "broker".to_owned(),
            HostClass::Mail => "mailer".to_owned(),
            HostClass::Transaction => format!("tx{}", host.id),
            HostClass::Message => "message".to_owned(),
        },
    }
}

fn describe(error: &Thrown) -> String {
    match error.code.as_deref() {
        Some("type-error") => "type-error".to_owned(),
        code => format!("{} {}", error.message, code.unwrap_or("-")),
    }
}

/// Plain data as `JSON.stringify` writes it.
fn json(datum: &Datum) -> String {
    match datum {
        Datum::Null => "null".to_owned(),
        Datum::Bool(value) => value.to_string(),
        Datum::Int(value) => value.to_string(),
        Datum::Text(text) => serde_json::Value::from(&**text).to_string(),
        Datum::Time(us) => us.to_string(),
        Datum::Array(items) => {
            let items: Vec<String> = items.iter().map(json).collect();
            format!("[{}]", items.join(","))
        }
        Datum::Object(fields) => {
            let field = |(key, value): &(std::sync::Arc<str>, Datum)| {
                format!("{}:{}", serde_json::Value::from(&**key), json(value))
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(","))
        }
    }
}
