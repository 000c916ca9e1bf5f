// A PostgreSQL server of our own: its data in a temporary folder, on a free port of 127.0.0.1.

import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { realpathSync } from "node:fs";
import pg from "pg";
import { account, folder, freePorts, until } from "./account.js";

const SETTINGS = [
  "listen_addresses=127.0.0.1", "unix_socket_directories=", "wal_level=logical",
  "max_prepared_transactions=20", "fsync=on", "max_connections=200",
];

export class Postgres {
  static async start() {
    const server = new Postgres();
    server.user = account("postgres");
    server.folder = folder("postgres", server.user);
    try {
      await server.#start();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  async #start() {
    this.password = randomBytes(12).toString("hex");
    [this.port] = await freePorts(1);
    const bin = dirname(realpathSync(execFileSync("which", ["initdb"], { encoding: "utf8" }).trim()));
    const data = join(this.folder, "data");
    const secret = join(this.folder, "password");
    writeFileSync(secret, this.password);
    const options = { ...this.user, cwd: this.folder, stdio: ["ignore", "ignore", "inherit"] };
    const create = ["-D", data, "-U", "plug", "-A", "scram-sha-256", "--pwfile", secret, "-E", "UTF8", "--locale=C"];
    execFileSync(join(bin, "initdb"), create, options);
    const settings = [`port=${this.port}`, ...SETTINGS].flatMap((setting) => ["-c", setting]);
    this.child = spawn(join(bin, "postgres"), ["-D", data, ...settings], { ...options, stdio: "ignore", detached: true });
    this.gone = new Promise((resolve) => this.child.once("exit", resolve));
    await until(() => this.query("postgres", "SELECT 1"), 30_000, "PostgreSQL");
    const [{ server_version }] = await this.query("postgres", "SHOW server_version");
    this.version = server_version.split(" ")[0];
  }

  url(database) {
    return `postgres://plug:${this.password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs statements on a connection of their own. */
  async query(database, text, values) {
    const client = new pg.Client({ connectionString: this.url(database), types: { getTypeParser: () => String } });
    client.on("error", () => {});
    await client.connect();
    try {
      const results = await client.query(text, values);
      return results.rows;
    } finally {
      await client.end();
    }
  }

  /** An empty database; one of this name is dropped with all that use it. */
  async create(database) {
    await this.query("postgres", `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await this.query("postgres", `CREATE DATABASE ${database}`);
  }

  /** Immediate shutdown: the data is thrown away anyway. */
  async stop() {
    if (this.child && this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill("SIGQUIT");
      await this.gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
