/**
 * The log: pino lines, handed to the file in batches. A write of its own for each request's line
 * would cost as much as the rest of a small answer (docs/lab/performance.md); a batch waits at most
 * `DELAY_MS`, and what is pending is written before the process ends.
 */
import pino, { type Logger } from "pino";
import type { Env } from "#config/env.ts";
import { toPrettyLine } from "./log-line.ts";

const BATCH_CHARS = 65_536;
const DELAY_MS = 100;

export type Log = {
  log: Logger;
  /** Writes what is pending now, and waits for it. The file stays open. */
  close(): void;
};

/** Level where none is set: requests would scroll away what a person has to see. */
export const USUAL_LEVEL = { json: "info", pretty: "warn" } as const;

/** Opens the log on a stream such as standard output: for people on a terminal, else as JSON. */
export function openLog(
  out: { fd: number; isTTY?: boolean; columns?: number },
  env: Pick<Env, "log_format" | "log_level" | "no_color">,
): Log {
  const format = env.log_format ?? (out.isTTY === true ? "pretty" : "json");
  const level = env.log_level ?? USUAL_LEVEL[format];
  if (format === "json") return createLog({ level, dest: out.fd });
  const color = out.isTTY === true && !env.no_color;
  // At once, so that lines and what else the program prints there keep their order.
  const file = pino.destination({ dest: out.fd, sync: true });
  const write = (json: string): void => {
    file.write(toPrettyLine(json, { columns: out.columns || Infinity, color }));
  };
  return { log: pino({ level, base: null }, { write }), close: () => undefined };
}

/**
 * Opens a log of JSON. `dest`: a file descriptor or a path, as pino takes them. Lines are joined here,
 * since the file measures each text that it is given, which cost more than making the line.
 */
export function createLog(options: { level: string; dest: number | string }): Log {
  const file = pino.destination({
    dest: options.dest,
    sync: false,
    minLength: BATCH_CHARS,
    maxWrite: 4 * BATCH_CHARS,
  });
  // A file that is not open yet cannot be waited for: there is nothing of ours in it either.
  let open = typeof options.dest === "number";
  file.once("ready", () => (open = true));
  let pending = "";
  let timer: NodeJS.Timeout | undefined;
  // The file begins to write by itself only when it has a whole batch.
  const send = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending !== "") file.write(pending);
    pending = "";
  };
  const sendLate = (): void => {
    send();
    file.flush();
  };
  const write = (line: string): void => {
    pending += line;
    if (pending.length >= BATCH_CHARS) send();
    else timer ??= setTimeout(sendLate, DELAY_MS).unref();
  };
  const flush = (): void => {
    send();
    if (open) file.flushSync();
  };
  process.once("exit", flush);
  const close = (): void => {
    process.off("exit", flush);
    flush();
  };
  return { log: pino({ level: options.level, base: null }, { write }), close };
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
