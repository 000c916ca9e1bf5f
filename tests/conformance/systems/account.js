// The user that a server runs as, and a folder that only this user reads.

import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PostgreSQL refuses to run as root, so root runs servers as their packages' users. */
export function account(name) {
  if (process.getuid() !== 0) return {};
  const id = (flag) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

export function folder(name, { uid, gid }) {
  const path = mkdtempSync(join(tmpdir(), `pull-the-plug-${name}-`));
  if (uid !== undefined) chownSync(path, uid, gid);
  return path;
}

/** Ports of 127.0.0.1 that nobody listens on. */
export async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, () => new Promise((resolve, reject) => {
    const server = createServer().once("error", reject).listen(0, "127.0.0.1", () => resolve(server));
  })));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Tries until it succeeds or the time is over. */
export async function until(attempt, ms, what) {
  const end = Date.now() + ms;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw new Error(`${what} did not start: ${error.message}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
