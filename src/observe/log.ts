/**
 * The log: pino lines, handed to the file in batches. A write of its own for each request's line
 * would cost as much as the rest of a small answer (docs/lab/performance.md); a batch waits at most
 * `DELAY_MS`, and what is pending is written before the process ends.
 */
import { closeSync, openSync } from "node:fs";
import pino, { type Logger } from "pino";
import type { Env } from "#config/env.ts";
import { attempt } from "#kit/guard.ts";
import { pathProblem } from "#kit/path-problem.ts";
import { throttled } from "./throttle.ts";
import { toPrettyLine } from "./log-line.ts";

const BATCH_CHARS = 65_536;
const DELAY_MS = 100;

export type Log = {
  log: Logger;
  /** Opens a file by its name again, after another program has moved it; nothing for a stream. */
  reopen(): void;
  /** Writes what is pending now, and waits for it. The file stays open. */
  close(): void;
};

/** Level where none is set: requests would scroll away what a person has to see. */
export const USUAL_LEVEL = { json: "info", pretty: "warn" } as const;

/** The format of the lines: for people on a terminal, else JSON. */
export function formatOf(
  out: { isTTY?: boolean },
  env: Pick<Env, "log_format" | "log_file">,
): "json" | "pretty" {
  return env.log_format ?? (out.isTTY === true && env.log_file === null ? "pretty" : "json");
}

/** Opens the log on its file, or on a stream such as standard output. */
export function openLog(
  out: { fd: number; isTTY?: boolean; columns?: number },
  env: Pick<Env, "log_format" | "log_level" | "log_file" | "no_color">,
): Log {
  const format = formatOf(out, env);
  const level = env.log_level ?? USUAL_LEVEL[format];
  if (format === "json" || env.log_file !== null)
    return createLog({ level, dest: env.log_file ?? out.fd, onFault: sayUnwritten });
  const color = out.isTTY === true && !env.no_color;
  // At once, so that lines and what else the program prints there keep their order.
  const file = pino.destination({ dest: out.fd, sync: true });
  const write = (json: string): void => {
    file.write(toPrettyLine(json, { columns: out.columns || Infinity, color }));
  };
  const nothing = (): void => undefined;
  return { log: pino({ level, base: null }, { write }), reopen: nothing, close: nothing };
}

/** Says why a file cannot be the log, in one line; null: it can. */
export function findLogProblem({ log_file: path }: Pick<Env, "log_file">): string | null {
  if (path === null) return null;
  return attempt(
    () => {
      closeSync(openSync(path, "a", FILE_MODE));
      return null;
    },
    (error) =>
      pathProblem(error, { name: "LOG_FILE", path }, "write") ??
      `LOG_FILE: ${path} cannot be used: ${(error as Error).message}`,
  );
}

/** Lines name keys and accounts by their ids: they are for the service and for those who collect them. */
const FILE_MODE = 0o640;
/** What a full disk may leave unwritten; beyond it the newest lines are dropped. */
const PENDING_MAX_BYTES = 16 * 1024 * 1024;

/** The log itself cannot say it. */
const sayUnwritten = throttled((error: unknown) => {
  process.stderr.write(`vicinity: the log cannot be written: ${(error as Error).message}\n`);
});

/**
 * Opens a log of JSON. `dest`: a file descriptor or a path, as pino takes them. Lines are joined here,
 * since the file measures each text that it is given, which cost more than making the line.
 */
export function createLog(options: {
  level: string;
  dest: number | string;
  /** Receives why lines could not be written; absent: it is ignored. */
  onFault?: (error: unknown) => void;
}): Log {
  const file = pino.destination({
    dest: options.dest,
    sync: false,
    minLength: BATCH_CHARS,
    maxWrite: 4 * BATCH_CHARS,
    ...(typeof options.dest === "string" && { mode: FILE_MODE, maxLength: PENDING_MAX_BYTES }),
  });
  // An error that nothing listens to would end the process.
  if (typeof options.dest === "string") file.on("error", (error) => options.onFault?.(error));
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
  const reopen = (): void => {
    if (typeof options.dest !== "string") return;
    // What is pending belongs to the file of before.
    flush();
    file.reopen();
  };
  return { log: pino({ level: options.level, base: null }, { write }), reopen, close };
}
