// Keeps the process of one part running: one that ended is started again after the restart delay.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROCESS = fileURLToPath(new URL("./process.js", import.meta.url));
const REGISTER = new URL("./adapter/register.js", import.meta.url).href;

export class Supervisor {
  /** `news` hears what the process tells, and of its starts and ends. */
  constructor({ sceneUrl, part, servers, target, restartMs, news }) {
    Object.assign(this, { sceneUrl, part, servers, target, restartMs, news });
    this.isStopped = false;
    this.start(target);
  }

  /** Only the first life of a process has a boundary to die at. */
  start(target) {
    const { sceneUrl, part, servers } = this;
    const task = JSON.stringify({ sceneUrl, part, servers, target });
    this.child = fork(PROCESS, [task], { execArgv: ["--import", REGISTER], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.port = undefined;
    this.ready = new Promise((resolve) => { this.isReady = resolve; });
    this.child.on("message", (news) => this.hear(news));
    this.child.on("exit", (code, signal) => this.ended(code, signal));
  }

  hear(news) {
    if (news.ready) {
      this.port = news.ready.port;
      this.isReady();
    }
    this.news({ part: this.part, ...news });
  }

  ended(code, signal) {
    this.port = undefined;
    this.isReady();
    if (this.isStopped) return;
    this.news({ part: this.part, ended: { code, signal } });
    // A worker whose program came to its end is done; there is nothing to start again.
    if (code === 0) return;
    this.timer = setTimeout(() => this.start(undefined), this.restartMs);
  }

  get isUp() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends the process for good. */
  async stop() {
    this.isStopped = true;
    clearTimeout(this.timer);
    if (!this.isUp) return;
    const gone = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await gone;
  }
}
