// A RabbitMQ node of our own: own name, own folders, everything on free ports of 127.0.0.1, its
// port mapper too, no plugins. Each lane of runs has a virtual host.

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import amqp from "amqplib";
import { account, discard, end, folder, freePorts, isUp, launch, until } from "./account.js";

/** On Debian the command on the path is a wrapper that changes the user; the program lies here. */
const DEBIAN = "/usr/lib/rabbitmq/bin/rabbitmq-server";

export class RabbitMq {
  static async start(lanes) {
    const server = new RabbitMq();
    server.user = account("rabbitmq");
    server.folder = folder("rabbitmq", server.user);
    try {
      await server.#start(lanes);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  async #start(lanes) {
    this.password = randomBytes(12).toString("hex");
    const [port, distribution, mapper] = await freePorts(3);
    this.port = port;
    this.#write("definitions.json", JSON.stringify(definitions(lanes, this.password)));
    this.#write("enabled_plugins", "[].\n");
    this.#write("rabbitmq.conf", [
      `load_definitions = ${join(this.folder, "definitions.json")}`,
      "disk_free_limit.absolute = 10MB",
      "log.file.level = warning",
    ].join("\n"));
    const options = { ...this.user, cwd: this.folder };
    const epmd = execFileSync("which", ["epmd"], { encoding: "utf8" }).trim();
    this.mapper = launch(epmd, ["-address", "127.0.0.1", "-port", String(mapper)], options);
    this.launch = () => {
      this.node = launch(program(), [], { ...options, env: this.#environment(distribution, mapper) });
      return until(() => {
        if (!isUp(this.node)) throw new Error("it ended at once");
        return amqp.connect(this.url(0));
      }, 90_000, "RabbitMQ");
    };
    const connection = await this.launch();
    this.version = connection.connection.serverProperties.version;
    await connection.close();
  }

  #environment(distribution, mapper) {
    return {
      PATH: process.env.PATH,
      LANG: "C.UTF-8",
      HOME: this.folder,
      ERL_EPMD_ADDRESS: "127.0.0.1",
      ERL_EPMD_PORT: String(mapper),
      RABBITMQ_NODENAME: `plug${process.pid}@localhost`,
      RABBITMQ_NODE_IP_ADDRESS: "127.0.0.1",
      RABBITMQ_NODE_PORT: String(this.port),
      RABBITMQ_DIST_PORT: String(distribution),
      RABBITMQ_CONF_ENV_FILE: join(this.folder, "no-environment-file"),
      RABBITMQ_CONFIG_FILE: join(this.folder, "rabbitmq.conf"),
      RABBITMQ_ADVANCED_CONFIG_FILE: join(this.folder, "no-advanced.config"),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(this.folder, "enabled_plugins"),
      RABBITMQ_MNESIA_BASE: join(this.folder, "mnesia"),
      RABBITMQ_LOG_BASE: join(this.folder, "log"),
      RABBITMQ_PID_FILE: join(this.folder, "pid"),
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "-kernel inet_dist_use_interface {127,0,0,1} +S 2:2",
    };
  }

  #write(name, text) {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    if (this.user.uid !== undefined) chownSync(path, this.user.uid, this.user.gid);
  }

  url(lane) {
    return `amqp://plug:${this.password}@127.0.0.1:${this.port}/lane${lane}`;
  }

  /** Killed, and started again on what is on disk. */
  async crash() {
    await end(this.node);
    await (await this.launch()).close();
  }

  async stop() {
    await end(this.node);
    await end(this.mapper);
    discard(this.folder);
  }
}

function definitions(lanes, password) {
  const vhosts = Array.from({ length: lanes }, (_, lane) => ({ name: `lane${lane}` }));
  const all = { configure: ".*", write: ".*", read: ".*" };
  return {
    users: [{ name: "plug", password, tags: "administrator" }],
    vhosts,
    permissions: vhosts.map(({ name }) => ({ user: "plug", vhost: name, ...all })),
  };
}

function program() {
  return existsSync(DEBIAN) ? DEBIAN : execFileSync("which", ["rabbitmq-server"], { encoding: "utf8" }).trim();
}
