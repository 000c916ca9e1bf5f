// `broker` of a program on a real RabbitMQ: one connection with one confirm channel per process,
// opened at the first call and again at the first call after it was lost.

import amqp from "amqplib";
import { failure, inTime } from "./failure.js";

export class Broker {
  #channel;

  constructor(url, boundaries) {
    this.url = url;
    this.boundaries = boundaries;
  }

  /** Waits for the confirm. */
  publish(topic, body, options = {}) {
    const make = async () => {
      const channel = await this.#open();
      await inTime(confirmed(channel, topic, body, options));
    };
    return this.boundaries.cross(this.boundaries.line(), "publish", make);
  }

  /** Ends only by rejection, when the channel is lost. */
  async subscribe(queue, options, handler) {
    const line = this.boundaries.line();
    const noAck = options.autoAck === true;
    let lost;
    const start = async () => {
      const channel = await this.#open();
      lost = channel.lost;
      // Kept back until the caller has its answer, so that a kill comes before the first message.
      await channel.prefetch(options.prefetch ?? 1);
      await channel.consume(queue, (delivery) => this.#deliver(channel, delivery, handler), { noAck });
    };
    await this.boundaries.cross(line, "subscribe", start, { changes: () => false, phases: ["before", "effect"] });
    return lost;
  }

  #deliver(channel, delivery, handler) {
    if (!delivery) return channel.fail("the consumer was cancelled");
    this.boundaries.tell({ received: true });
    // Not awaited: an error of the handler is an unhandled rejection and ends the process.
    return handler(new Message(channel, delivery, this.boundaries));
  }

  async #open() {
    this.#channel ??= connect(this.url, () => { this.#channel = undefined; });
    return this.#channel;
  }
}

async function connect(url, forget) {
  try {
    const connection = await inTime(amqp.connect(url));
    let fail;
    const lost = new Promise((_, reject) => { fail = (message) => reject(failure("connection-lost", message)); });
    lost.catch(() => {}); // Known to be possible; whoever subscribed hears of it.
    const end = (error) => { forget(); channel.isOpen = false; fail(error?.message ?? "connection lost"); };
    const channel = await connection.createConfirmChannel();
    for (const emitter of [connection, channel]) emitter.on("error", end).on("close", end);
    return Object.assign(channel, { lost, fail: end, isOpen: true });
  } catch (error) {
    forget();
    throw error.code === "timeout" ? error : failure("connection-lost", error.message);
  }
}

function confirmed(channel, topic, body, options) {
  const token = String(Math.random());
  const properties = {
    persistent: options.persistent ?? true,
    mandatory: options.mandatory === true,
    contentType: "application/json",
    messageId: options.messageId === undefined ? undefined : String(options.messageId),
    // AMQP knows only texts; the header keeps whether it was a number.
    headers: { "x-message-id": options.messageId ?? null, "x-token": token },
  };
  return new Promise((resolve, reject) => {
    let isReturned = false;
    const noteReturn = ({ properties }) => { isReturned ||= properties.headers["x-token"] === token; };
    channel.on("return", noteReturn);
    const done = (error) => {
      channel.off("return", noteReturn);
      if (error) reject(failure("connection-lost", error.message));
      else if (isReturned) reject(failure("unroutable", "no queue took the message"));
      else resolve();
    };
    channel.lost.catch(done);
    try {
      channel.publish("", topic, Buffer.from(JSON.stringify(body)), properties, done);
    } catch (error) {
      done(error);
    }
  });
}

class Message {
  #channel;
  #delivery;
  #boundaries;

  constructor(channel, delivery, boundaries) {
    this.#channel = channel;
    this.#delivery = delivery;
    this.#boundaries = boundaries;
    this.body = JSON.parse(delivery.content.toString());
    this.messageId = delivery.properties.headers?.["x-message-id"] ?? null;
    this.redelivered = delivery.fields.redelivered;
  }

  ack() {
    return this.#settle("ack", () => this.#channel.ack(this.#delivery));
  }

  nack(options = {}) {
    return this.#settle("nack", () => this.#channel.nack(this.#delivery, false, options.requeue !== false));
  }

  /** Has no answer: it leaves, and the program goes on. */
  #settle(verb, leave) {
    const line = this.#boundaries.line();
    const make = async () => {
      if (!this.#channel.isOpen) throw failure("channel-closed", "the channel of this message is closed");
      leave();
    };
    // A question to the queue on the same channel is answered after what was sent before it.
    const effect = () => this.#channel.checkQueue(this.#delivery.fields.routingKey);
    return this.#boundaries.cross(line, verb, make, { effect, phases: ["before", "effect"] });
  }
}
