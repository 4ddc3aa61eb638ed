/**
 * The log: pino lines, handed to the file in batches. A write of its own for each request's line
 * would cost as much as the rest of a small answer (docs/lab/performance.md); a batch waits at most
 * `DELAY_MS`, and what is pending is written before the process ends.
 */
import pino, { type DestinationStream, type Logger } from "pino";

const BATCH_CHARS = 65_536;
const DELAY_MS = 100;

export type Log = {
  log: Logger;
  /** Writes what is pending now, and waits for it. The file stays open. */
  close(): void;
};

/** Opens the log. `dest`: a file descriptor or a path, as pino takes them. */
export function createLog(options: { level: string; dest: number | string }): Log {
  const file = pino.destination({ dest: options.dest, sync: false, maxWrite: 4 * BATCH_CHARS });
  let pending = "";
  // A file that is not open yet cannot be waited for: there is nothing of ours in it either.
  let open = typeof options.dest === "number";
  file.once("ready", () => (open = true));
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending === "") return;
    file.write(pending);
    pending = "";
  }

  function flush(): void {
    send();
    if (open) file.flushSync();
  }

  const stream: DestinationStream = {
    write(line) {
      pending += line;
      if (pending.length >= BATCH_CHARS) send();
      else timer ??= setTimeout(send, DELAY_MS).unref();
    },
  };
  process.once("exit", flush);
  const close = (): void => {
    process.off("exit", flush);
    flush();
  };
  return { log: pino({ level: options.level, base: null }, stream), close };
}

/** A store that is away fails for every request: logged when it begins, and then now and then. */
const THROTTLE_MS = 5_000;

/** Limits a report to one in 5 s; `unsaid` is how many were suppressed since the one before. */
export function throttled<T>(
  report: (what: T, unsaid: number) => void,
  now: () => number = () => performance.now(),
): (what: T) => void {
  let reported_ms = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return (what) => {
    if (now() - reported_ms < THROTTLE_MS) {
      unsaid += 1;
      return;
    }
    reported_ms = now();
    report(what, unsaid);
    unsaid = 0;
  };
}
