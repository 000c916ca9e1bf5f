// A place for one run at a time: databases, a virtual host and a mail server of its own, made
// from the scene's declarations and emptied before each run.

import amqp from "amqplib";
import { orderOf } from "./audit.js";
import { MailServer } from "./systems/mail.js";

export class Lane {
  /** The tables of each database that is there. */
  #made = new Map();

  constructor(number, { postgres, rabbitmq }) {
    Object.assign(this, { number, postgres, rabbitmq });
  }

  /** Makes the servers of a scene; gives how its programs reach them. */
  async prepare(scene) {
    this.scene = scene;
    const servers = {};
    for (const [name, part] of Object.entries(scene.parts)) {
      const at = await this.#server(name, part);
      if (at) servers[name] = { kind: part.part, at };
    }
    return servers;
  }

  async #server(name, part) {
    switch (part.part) {
      case "postgres":
        await this.#tables(name, part.tables.pieces.join(""));
        return this.postgres.url(this.database(name));
      case "rabbitmq":
        await this.#queues(part.queues);
        return this.rabbitmq.url(this.number);
      case "mail":
        this.mail = await MailServer.start(part);
        return { port: this.mail.port };
      default:
        return undefined;
    }
  }

  /** A new database for a new scene; for the next run of the same one its rows go. */
  async #tables(name, tables) {
    const database = this.database(name);
    if (this.#made.get(database) === tables) return this.postgres.empty(database);
    await this.postgres.create(database);
    await this.postgres.query(database, tables);
    this.#made.set(database, tables);
  }

  database(name) {
    return `lane${this.number}_${name.toLowerCase()}`;
  }

  read = (name, text, values) => this.postgres.query(this.database(name), text, values);

  async #queues(queues) {
    this.queues = Object.keys(queues);
    this.connection = await amqp.connect(this.rabbitmq.url(this.number));
    this.connection.on("error", () => {});
    this.channel = await this.connection.createChannel();
    for (const [name, { durable = true }] of Object.entries(queues)) {
      await this.channel.deleteQueue(name);
      await this.channel.assertQueue(name, { durable });
    }
  }

  /** Messages that no consumer has. */
  async ready() {
    let ready = 0;
    for (const queue of this.queues ?? []) ready += (await this.channel.checkQueue(queue)).messageCount;
    return ready;
  }

  /** The orders of all messages that are left, once no consumer is connected any more. */
  async queued() {
    const orders = new Set();
    for (const queue of this.queues ?? []) {
      for (let message; (message = await this.channel.get(queue, { noAck: true })); ) {
        const order = orderOf(JSON.parse(message.content.toString()));
        if (order !== undefined) orders.add(order);
      }
    }
    return orders;
  }

  get letters() {
    return this.mail?.letters ?? [];
  }

  async close() {
    await this.connection?.close();
    await this.mail?.stop();
    this.connection = this.channel = this.mail = this.queues = undefined;
  }
}
