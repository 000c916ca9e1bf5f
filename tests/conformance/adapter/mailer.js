// `mailer` of a program: a letter goes by SMTP, on a connection of its own.

import { createTransport } from "nodemailer";
import { CALL_TIMEOUT_MS, failure, inTime } from "./failure.js";

export class Mailer {
  constructor({ port }, boundaries) {
    this.port = port;
    this.boundaries = boundaries;
  }

  send({ order, to, kind, key }) {
    const headers = { "X-Order": String(order), "X-Kind": kind };
    if (key !== undefined) headers["X-Key"] = String(key);
    const make = async () => {
      const transport = createTransport({
        host: "127.0.0.1", port: this.port, secure: false, ignoreTLS: true, socketTimeout: CALL_TIMEOUT_MS,
      });
      const letter = { from: "shop@lesson.test", to: address(to), subject: kind, text: `${order}`, headers };
      await inTime(transport.sendMail(letter).catch(fail), () => transport.close());
      return null;
    };
    return this.boundaries.cross(this.boundaries.line(), "send", make);
  }
}

/** Customers have names; SMTP wants addresses. */
function address(to) {
  return to.includes("@") ? to : `${to}@lesson.test`;
}

function fail(error) {
  throw failure(error.responseCode ? String(error.responseCode) : "connection-lost", error.message);
}
