/**
 * SIGHUP: a supervisor's `reload`, and what rotates logs sends it. It never ends the service, from
 * its first moment on; only where the terminal that the service was started on is closed, which
 * sends the same signal, the service ends as by SIGTERM.
 */
import { isatty } from "node:tty";

const STREAMS = [0, 1, 2] as const;

export class Hangup {
  readonly #terminals = STREAMS.filter((fd) => isatty(fd));
  #task: () => void = () => undefined;

  constructor() {
    process.on("SIGHUP", () => {
      // A terminal that has been closed is none any more.
      if (this.#terminals.some((fd) => !isatty(fd))) process.kill(process.pid, "SIGTERM");
      else this.#task();
    });
  }

  /** Runs the task at each signal from now on. */
  follow(task: () => void): void {
    this.#task = task;
  }
}
