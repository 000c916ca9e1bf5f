// A mail server that keeps what it accepts: the letters that customers have got.

import { SMTPServer } from "smtp-server";

export class MailServer {
  letters = [];
  #keys = new Set();

  static async start({ honoursKeys = false } = {}) {
    const mail = new MailServer();
    mail.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      disableReverseLookup: true,
      logger: false,
      onData: (stream, session, done) => mail.#accept(stream, honoursKeys).then(() => done(), done),
    });
    mail.server.on("error", () => {}); // A client that was killed in mid-sentence.
    await new Promise((resolve) => mail.server.listen(0, "127.0.0.1", resolve));
    mail.port = mail.server.server.address().port;
    return mail;
  }

  async #accept(stream, honoursKeys) {
    const pieces = [];
    for await (const piece of stream) pieces.push(piece);
    const head = Buffer.concat(pieces).toString().split("\r\n\r\n", 1)[0];
    const header = (name) => new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1].trim();
    const key = header("X-Key");
    if (honoursKeys && key !== undefined && this.#keys.has(key)) return;
    if (key !== undefined) this.#keys.add(key);
    this.letters.push({ order: Number(header("X-Order")), kind: header("X-Kind") });
  }

  stop() {
    return new Promise((resolve) => this.server.close(resolve));
  }
}
