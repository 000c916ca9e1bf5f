// A PostgreSQL server of our own: its data in a temporary folder, on a free port of 127.0.0.1.

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import pg from "pg";
import { account, discard, end, folder, freePorts, launch, until } from "./account.js";

/** Where Debian has the programs of each release, none of them on the search path. */
const DEBIAN = "/usr/lib/postgresql";

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
    const bin = programs();
    const data = join(this.folder, "data");
    const secret = join(this.folder, "password");
    writeFileSync(secret, this.password);
    const options = { ...this.user, cwd: this.folder, stdio: ["ignore", "ignore", "inherit"] };
    const create = ["-D", data, "-U", "plug", "-A", "scram-sha-256", "--pwfile", secret, "-E", "UTF8", "--locale=C"];
    execFileSync(join(bin, "initdb"), create, options);
    const settings = [`port=${this.port}`, ...SETTINGS].flatMap((setting) => ["-c", setting]);
    this.launch = async () => {
      this.child = launch(join(bin, "postgres"), ["-D", data, ...settings], { ...options, stdio: "ignore" });
      await until(() => this.query("postgres", "SELECT 1"), 30_000, "PostgreSQL");
    };
    await this.launch();
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

  /** Removes all rows, and the sessions and prepared transactions that may hold them. */
  async empty(database) {
    await this.query(database, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    const prepared = await this.query(database, `SELECT quote_literal(gid) AS gid FROM pg_prepared_xacts
      WHERE database = current_database()`);
    for (const { gid } of prepared) await this.query(database, `ROLLBACK PREPARED ${gid}`);
    await this.query(database, `DO $$ BEGIN
      EXECUTE (SELECT 'TRUNCATE ' || string_agg(quote_ident(tablename), ', ') || ' RESTART IDENTITY'
        FROM pg_tables WHERE schemaname = 'public');
      END $$`);
  }

  /** Dies without a checkpoint and comes back by recovery from the log. */
  async crash() {
    this.child.kill("SIGQUIT");
    await this.child.gone;
    await this.launch();
  }

  async stop() {
    await end(this.child);
    discard(this.folder);
  }
}

/** The folder of `initdb` and `postgres`. */
function programs() {
  const releases = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = process.env.PATH.split(delimiter).concat(releases.map((release) => join(DEBIAN, release, "bin")));
  const found = folders.map((folder) => join(folder, "initdb")).find((path) => existsSync(path));
  if (!found) throw new Error("PostgreSQL is missing: initdb was not found");
  return dirname(realpathSync(found));
}
