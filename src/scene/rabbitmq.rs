//! The queues and exchanges of a RabbitMQ broker:
//! `rabbitmq({ queues: { NAME: { … } }, exchanges: { NAME: { type, bindings } } })`.

use std::sync::Arc;

use super::reader::{Fields, Reader, boolean, check_names, find, integer, object, optional_ms};
use crate::diagnostic::Diagnostic;
use crate::script::ast::{Expr, ExprKind, Name};
use crate::sim::PartKind;
use crate::sim::part::broker::{Binding, Config, Exchange, ExchangeKind, QueueConfig, QueueKind};

/// Settings of a queue.
const QUEUE_SETTINGS: [&str; 7] = [
    "durable",
    "quorum",
    "deliveryLimit",
    "deadLetter",
    "ttlMs",
    "singleActiveConsumer",
    "declared",
];
/// Returns that a delivery limit may allow.
const RETURNS_MAX: i64 = 1_000;

impl<'a> Reader<'a> {
    pub(super) fn rabbitmq(
        &self,
        fields: Fields<'a>,
        errors: &mut Vec<Diagnostic>,
    ) -> Option<PartKind> {
        check_names(fields, &["queues", "exchanges"], "scene-unknown-setting", errors);
        let Some((queues, _)) = find(fields, "queues").and_then(object) else {
            errors.push(Diagnostic::new(fields.1, "scene-missing-field", "queues"));
            return None;
        };
        let mut config = Config::default();
        for (name, settings) in objects(queues, errors) {
            if config.queues.iter().any(|known| known.name == name.text) {
                errors.push(Diagnostic::new(name.span, "scene-duplicate-queue", &*name.text));
            }
            let queue = queue(name, settings, queues, errors);
            config.queues.push(queue);
        }
        if let Some(value) = find(fields, "exchanges") {
            exchanges(value, queues, &mut config, errors);
        }
        Some(PartKind::Queue { config: Arc::new(config) })
    }
}

fn queue(
    name: &Name,
    settings: Fields<'_>,
    queues: &[(Name, Expr)],
    errors: &mut Vec<Diagnostic>,
) -> QueueConfig {
    check_names(settings, &QUEUE_SETTINGS, "scene-unknown-setting", errors);
    let quorum = boolean(settings, "quorum", false, errors);
    let kind = if quorum { QueueKind::Quorum } else { QueueKind::Classic };
    let durable = boolean(settings, "durable", true, errors);
    // RabbitMQ refuses to declare either ("Quorum Queues", feature comparison).
    if let (true, false, Some(value)) = (quorum, durable, find(settings, "durable")) {
        errors.push(Diagnostic::new(value.span, "scene-quorum-is-durable", &*name.text));
    }
    let limit = find(settings, "deliveryLimit");
    if let (false, Some(value)) = (quorum, limit) {
        errors.push(Diagnostic::new(value.span, "scene-quorum-only", "deliveryLimit"));
    }
    let delivery_limit =
        limit.and_then(|_| integer(settings, "deliveryLimit", 0..=RETURNS_MAX, errors));
    QueueConfig {
        durable,
        declared: boolean(settings, "declared", true, errors),
        delivery_limit: delivery_limit.and_then(|limit| u32::try_from(limit).ok()),
        dead_letter: find(settings, "deadLetter")
            .and_then(|value| queue_name(value, queues, errors)),
        ttl_us: optional_ms(settings, "ttlMs", errors),
        single_active_consumer: boolean(settings, "singleActiveConsumer", false, errors),
        ..QueueConfig::durable(&name.text, kind)
    }
}

fn exchanges(
    value: &Expr,
    queues: &[(Name, Expr)],
    config: &mut Config,
    errors: &mut Vec<Diagnostic>,
) {
    let Some((exchanges, _)) = object(value) else {
        return errors.push(wrong_type(value, "exchanges", "expected-object"));
    };
    for (name, settings) in objects(exchanges, errors) {
        check_names(settings, &["type", "bindings"], "scene-unknown-setting", errors);
        let kind = kind(settings, errors).unwrap_or(ExchangeKind::Direct);
        config.exchanges.push(Exchange { name: name.text.clone(), kind });
        let Some(bindings) = find(settings, "bindings") else { continue };
        let Some((bindings, _)) = object(bindings) else {
            errors.push(wrong_type(bindings, "bindings", "expected-object"));
            continue;
        };
        for (queue, key) in bindings {
            check_queue(queue, queues, errors);
            let ExprKind::Text(key) = &key.kind else {
                errors.push(wrong_type(key, &queue.text, "expected-string"));
                continue;
            };
            let (exchange, queue) = (name.text.clone(), queue.text.clone());
            config.bindings.push(Binding { exchange, queue, key: key.clone() });
        }
    }
}

fn kind(settings: Fields<'_>, errors: &mut Vec<Diagnostic>) -> Option<ExchangeKind> {
    let Some(value) = find(settings, "type") else {
        errors.push(Diagnostic::new(settings.1, "scene-missing-field", "type"));
        return None;
    };
    let name = match &value.kind {
        ExprKind::Text(name) => &**name,
        _ => "…",
    };
    match name {
        "direct" => Some(ExchangeKind::Direct),
        "fanout" => Some(ExchangeKind::Fanout),
        "topic" => Some(ExchangeKind::Topic),
        _ => {
            errors.push(Diagnostic::new(value.span, "scene-unknown-exchange-type", name));
            None
        }
    }
}

/// The fields that are objects themselves, with their names.
fn objects<'a>(
    fields: &'a [(Name, Expr)],
    errors: &mut Vec<Diagnostic>,
) -> Vec<(&'a Name, Fields<'a>)> {
    let mut found = Vec::new();
    for (name, value) in fields {
        match object(value) {
            Some(settings) => found.push((name, settings)),
            None => errors.push(wrong_type(value, &name.text, "expected-object")),
        }
    }
    found
}

fn queue_name(
    value: &Expr,
    queues: &[(Name, Expr)],
    errors: &mut Vec<Diagnostic>,
) -> Option<Arc<str>> {
    let ExprKind::Text(name) = &value.kind else {
        errors.push(wrong_type(value, "deadLetter", "expected-string"));
        return None;
    };
    check_queue(&Name { text: name.clone(), span: value.span }, queues, errors);
    Some(name.clone())
}

fn check_queue(name: &Name, queues: &[(Name, Expr)], errors: &mut Vec<Diagnostic>) {
    if !queues.iter().any(|(known, _)| known.text == name.text) {
        errors.push(Diagnostic::new(name.span, "scene-unknown-queue", &*name.text));
    }
}

fn wrong_type(value: &Expr, found: &str, expected: &'static str) -> Diagnostic {
    Diagnostic::new(value.span, "scene-wrong-type", found).expecting(expected)
}
