// The user that a server runs as, and a folder that only this user reads.

import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
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
  folders.add(path);
  if (uid !== undefined) chownSync(path, uid, gid);
  return path;
}

const running = new Set();
const folders = new Set();

/** Starts a server as the leader of a process group of its own; `gone` resolves when it ended. */
export function launch(program, words, options) {
  const child = spawn(program, words, { stdio: "ignore", ...options, detached: true });
  running.add(child);
  child.gone = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
  child.gone.then(() => running.delete(child));
  return child;
}

export const isUp = (child) => Boolean(child?.pid) && child.exitCode === null && child.signalCode === null;

/** Ends a server at once, with its helpers; its data is thrown away anyway. */
export async function end(child) {
  if (!isUp(child)) return;
  process.kill(-child.pid, "SIGKILL");
  await child.gone;
}

/** Removes a folder that `folder` made. */
export function discard(path) {
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  folders.delete(path);
}

// However this process ends, short of being killed, nothing of its own stays behind.
process.on("exit", () => {
  for (const child of running) if (isUp(child)) process.kill(-child.pid, "SIGKILL");
  for (const path of folders) discard(path);
});

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
