/**
 * Where defects end: each is logged with its stack when it shows for the first time, and counted when
 * it shows again, so that a reader that fails at every poll fills no disk. Parts that begin before the
 * log is open report here as well.
 */
import type { Logger } from "pino";
import type { NoteFault } from "#kit/guard.ts";
import { isOfWriting, pathOf, systemWords } from "#kit/path-problem.ts";

/** Of one that shows again: so often its number is logged at most. */
const REPEAT_MS = 60_000;
/** Different defects; what exceeds them shares one line a minute. */
const KINDS_MAX = 1_000;
/** Frames by which one defect differs from another. */
const FRAMES = 3;

type Kind = { repeats: number; said_ms: number };

export class Faults {
  readonly #now: () => number;
  readonly #kinds = new Map<string, Kind>();
  #log: Pick<Logger, "error"> | null = null;
  /** Came before there was a log. */
  #early: { part: string; error: unknown }[] = [];
  #count = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How many were reported, repeats included. */
  get count(): number {
    return this.#count;
  }

  /** Logs what has been reported so far, and what will be. */
  follow(log: Pick<Logger, "error">): void {
    this.#log = log;
    for (const { part, error } of this.#early.splice(0)) this.#say(part, error);
  }

  readonly note: NoteFault = (part, error) => {
    this.#count++;
    if (this.#log === null) this.#early.push({ part, error });
    else this.#say(part, error);
  };

  #say(part: string, error: unknown): void {
    const now_ms = this.#now();
    const own_name = nameOf(error);
    const name = this.#kinds.has(own_name) || this.#kinds.size < KINDS_MAX ? own_name : "others";
    const known_kind = this.#kinds.get(name);
    if (known_kind === undefined) {
      this.#kinds.set(name, { repeats: 0, said_ms: now_ms });
      const reason = diskReason(error);
      if (reason === null) this.#log?.error({ part, err: error }, "defect");
      else this.#log?.error({ part, reason }, "not written");
      return;
    }
    known_kind.repeats++;
    if (now_ms - known_kind.said_ms < REPEAT_MS) return;
    const { repeats } = known_kind;
    Object.assign(known_kind, { repeats: 0, said_ms: now_ms });
    this.#log?.error({ part, repeats, reason: messageOf(error) }, "defect again");
  }
}

/** What the operator can do about a disk, which is no defect and needs no stack; null: it is one. */
function diskReason(error: unknown): string | null {
  if (!isOfWriting(error)) return null;
  const place = pathOf(error) ?? "the data folder (VICINITY_DATA_DIR)";
  return `${place} ${systemWords(error, "write")}`;
}

/** One that is thrown at one place with one message, whatever numbers are in it, is one defect. */
function nameOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frames = stack.split("\n").filter((line) => line.trimStart().startsWith("at "));
  return [messageOf(error).replaceAll(/\d+/g, "0"), ...frames.slice(0, FRAMES)].join("\n");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
