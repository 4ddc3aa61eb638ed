/**
 * One file of a feed's live data: when it is asked for, what came of it, and why there is nothing. It
 * succeeds and fails alone, whatever becomes of the others.
 */
import type { LiveFileName } from "#upstream/transit/live-state.ts";
import { DEFECT, type FailureStatus } from "#kit/outcome.ts";
import type { Clock, Random } from "#ports.ts";
import type { SourceRequest } from "#providers/provider.ts";
import { backoff_ms } from "#upstream/feeds/backoff.ts";
import { guard, type NoteFault } from "#kit/guard.ts";
import type { RunRequest } from "#upstream/run.ts";
import type { LiveBody } from "./live-job.ts";

export type Failed = { status: FailureStatus; reason: string };

/** What could be read, and when it was made. */
type Content = LiveBody & { made_at_ms: number };

export type LiveFile = {
  name: LiveFileName;
  /** Asks for it where it is due and not asked for already; true: it has begun to. */
  ask(now_ms: number): boolean;
  /** Resolves when it has answered or failed; null: it is not being asked. */
  asking(): Promise<void> | null;
  /** Came and has not been read; null: there is none. */
  fresh(): LiveBody | null;
  /** Takes a body as read, and says when it was made, epoch ms; `made_ms`: by its own header. */
  accept(body: LiveBody, made_ms: number | null): number;
  /** Drops what came: it could not be read. */
  reject(body: LiveBody): void;
  /** What was read last and is not too old; null: there is none. */
  content(now_ms: number): Content | null;
  /** Why there is nothing newer; null: all is well. */
  problem(now_ms: number): Failed | null;
  /** Nothing of it can be used, and nothing is known to be wrong. */
  isWanting(now_ms: number): boolean;
  /** When it is asked for again, epoch ms. */
  due_ms(): number;
};

export type LiveFileDeps = {
  run: RunRequest;
  clock: Clock;
  random: Random;
  timeout_ms: number;
  onFault: NoteFault;
};

type Asked = Pick<SourceRequest, "url" | "auth"> & { max_age_s: number; refresh_s: number };

const MAX_BYTES = 32 * 1024 ** 2;
const MAX_PAUSE_MS = 300_000;

export const UNREADABLE: Failed = { status: "error", reason: "unreadable" };
const NOT_LOADED: Failed = { status: "unavailable", reason: "not_loaded" };
const OUTDATED: Failed = { status: "error", reason: "outdated" };
/** It is due, and no caller asks: so it has grown old. */
export const RESTING: Failed = { status: "unavailable", reason: "resting" };
const LATE: Failed = { status: "timeout", reason: "deadline" };
const NO_VALIDATORS = { etag: null, last_modified: null };

export function createLiveFile(name: LiveFileName, asked: Asked, deps: LiveFileDeps): LiveFile {
  const { run, clock, random, timeout_ms } = deps;
  const { max_age_s, refresh_s, ...address } = asked;
  let validators: Pick<SourceRequest, "etag" | "last_modified"> = NO_VALIDATORS;
  let fresh: LiveBody | null = null;
  let read: Content | null = null;
  let failed: Failed | null = null;
  let failures = 0;
  let due_ms = 0;
  let asking: Promise<void> | null = null;

  function succeed(): void {
    failed = null;
    failures = 0;
  }

  function fail(problem: Failed): void {
    failed = problem;
    const first = refresh_s * 1_000;
    due_ms = clock.now() + backoff_ms(random, ++failures, { first, max: MAX_PAUSE_MS });
  }

  async function fetchFile(): Promise<Failed | null> {
    const request = { ...address, ...validators, timeout_ms, max_bytes: MAX_BYTES };
    const outcome = await run(request, {});
    if (outcome.status !== "ok") return { status: outcome.status, reason: outcome.reason };
    const { value } = outcome;
    if (value.kind === "refused") return value.failure;
    due_ms = clock.now() + refresh_s * 1_000;
    if (value.kind === "not_modified") {
      succeed();
      return null;
    }
    // Whether it has succeeded shows when it is read.
    fresh = { bytes: value.body, fetched_ms: clock.now() };
    validators = { etag: value.etag, last_modified: value.last_modified };
    return null;
  }

  async function poll(): Promise<void> {
    const problem = await guard(fetchFile, (error) => {
      deps.onFault("live data of a timetable", error);
      return DEFECT;
    });
    asking = null;
    if (problem !== null) fail(problem);
  }

  function content(now_ms: number): Content | null {
    return read !== null && now_ms - read.made_at_ms <= max_age_s * 1_000 ? read : null;
  }

  return {
    name,
    ask(now_ms) {
      if (asking !== null || now_ms < due_ms) return false;
      asking = poll();
      return true;
    },
    asking: () => asking,
    fresh: () => fresh,
    accept(body, made_ms) {
      const { fetched_ms } = body;
      // A clock that runs ahead makes nothing newer than its arrival.
      const made_at_ms = Math.min(made_ms ?? fetched_ms, fetched_ms);
      read = { ...body, made_at_ms };
      if (fresh === body) {
        fresh = null;
        succeed();
      }
      return made_at_ms;
    },
    reject(body) {
      if (fresh !== body) return;
      fresh = null;
      // It is asked for again, whatever its validators say.
      validators = NO_VALIDATORS;
      fail(UNREADABLE);
    },
    content,
    problem(now_ms) {
      if (failed !== null || content(now_ms) !== null) return failed;
      if (asking !== null) return LATE;
      if (read === null) return NOT_LOADED;
      return now_ms < due_ms ? OUTDATED : RESTING;
    },
    isWanting: (now_ms) => failed === null && content(now_ms) === null,
    due_ms: () => due_ms,
  };
}
