// The process of one part: imports the scene file as it is and runs the part's program against
// real systems. It is started by `supervisor.js`, which talks to it over IPC.

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { Boundaries } from "./adapter/boundary.js";
import { Broker } from "./adapter/broker.js";
import { Database } from "./adapter/database.js";
import { Mailer } from "./adapter/mailer.js";

const { sceneUrl, part, servers, target } = JSON.parse(process.argv[2]);
const tell = (news) => process.connected && process.send(news, () => {});
process.on("disconnect", () => process.exit(0));

// An uncaught error ends the process, as Node does by itself; the message is for the record.
process.on("uncaughtException", (error) => {
  process.send({ crashed: { message: error.message, code: error.code } }, () => process.exit(1));
});

const sceneText = readFileSync(fileURLToPath(sceneUrl), "utf8");
const boundaries = new Boundaries({ sceneUrl, sceneText, target, tell });
const { default: scene } = await import(`${sceneUrl}?scene`);
const ADAPTERS = { postgres: Database, rabbitmq: Broker, mail: Mailer };
const environment = {
  now: () => Date.now(),
  uuid: () => randomUUID(),
  sleep: (ms) => boundaries.cross(
    boundaries.line(), "sleep",
    () => new Promise((resolve) => { tell({ sleeps: ms }); setTimeout(resolve, ms); }),
    { changes: () => false, phases: ["before"] },
  ),
};
for (const [name, access] of Object.entries(servers)) {
  environment[name] = new ADAPTERS[access.kind](access.at, boundaries);
}

const { part: kind, program } = scene.parts[part];
if (kind === "service") serve(program);
else {
  tell({ ready: {} });
  await program(environment);
}

/** Orders come over HTTP; a handler that throws answers 500 and the process lives. */
function serve(handler) {
  const server = createServer(async (request, response) => {
    const pieces = await request.toArray();
    const order = JSON.parse(Buffer.concat(pieces).toString());
    try {
      await handler({ ...environment, order });
      response.writeHead(200).end();
    } catch (error) {
      response.writeHead(500).end(String(error.message));
    }
  });
  server.listen(0, "127.0.0.1", () => tell({ ready: { port: server.address().port } }));
}
