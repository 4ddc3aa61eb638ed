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

export type FailedReading = { status: FailureStatus; reason: string };

/** What could be read, and when it was made. */
type Content = LiveBody & { made_at_ms: number };

export type LiveFileDeps = {
  run: RunRequest;
  clock: Clock;
  random: Random;
  timeout_ms: number;
  onFault: NoteFault;
};

type LiveFileQuery = Pick<SourceRequest, "url" | "auth"> & { max_age_s: number; refresh_s: number };

const MAX_BYTES = 32 * 1024 ** 2;
const MAX_PAUSE_MS = 300_000;

export const UNREADABLE_FILE: FailedReading = { status: "error", reason: "unreadable" };
const NOT_LOADED: FailedReading = { status: "unavailable", reason: "not_loaded" };
const OUTDATED: FailedReading = { status: "error", reason: "outdated" };
/** It is due, and no caller asks: so it has grown old. */
export const RESTING: FailedReading = { status: "unavailable", reason: "resting" };
const LATE: FailedReading = { status: "timeout", reason: "deadline" };
const NO_VALIDATORS = { etag: null, last_modified: null };

export class LiveFile {
  readonly name: LiveFileName;
  readonly #requested: LiveFileQuery;
  readonly #deps: LiveFileDeps;
  #validators: Pick<SourceRequest, "etag" | "last_modified"> = NO_VALIDATORS;
  #fresh: LiveBody | null = null;
  #read: Content | null = null;
  #failed: FailedReading | null = null;
  #failures = 0;
  #due_ms = 0;
  #asking: Promise<void> | null = null;

  constructor(name: LiveFileName, request: LiveFileQuery, deps: LiveFileDeps) {
    this.name = name;
    this.#requested = request;
    this.#deps = deps;
  }

  /** Asks for it where it is due and not asked for already; true: it has begun to. */
  ask(now_ms: number): boolean {
    if (this.#asking !== null || now_ms < this.#due_ms) return false;
    this.#asking = this.#poll();
    return true;
  }

  /** Resolves when it has answered or failed; null: it is not being asked. */
  get asking(): Promise<void> | null {
    return this.#asking;
  }

  /** Came and has not been read; null: there is none. */
  get fresh(): LiveBody | null {
    return this.#fresh;
  }

  /** When it is asked for again, epoch ms. */
  get due_ms(): number {
    return this.#due_ms;
  }

  /** Takes a body as read, and says when it was made, epoch ms; `made_ms`: by its own header. */
  accept(body: LiveBody, made_ms: number | null): number {
    const { fetched_ms } = body;
    // A clock that runs ahead makes nothing newer than its arrival.
    const made_at_ms = Math.min(made_ms ?? fetched_ms, fetched_ms);
    this.#read = { ...body, made_at_ms };
    if (this.#fresh === body) {
      this.#fresh = null;
      this.#succeed();
    }
    return made_at_ms;
  }

  /** Drops what came: it could not be read. */
  reject(body: LiveBody): void {
    if (this.#fresh !== body) return;
    this.#fresh = null;
    // It is asked for again, whatever its validators say.
    this.#validators = NO_VALIDATORS;
    this.#fail(UNREADABLE_FILE);
  }

  /** What was read last and is not too old; null: there is none. */
  content(now_ms: number): Content | null {
    const read = this.#read;
    return read !== null && now_ms - read.made_at_ms <= this.#requested.max_age_s * 1_000
      ? read
      : null;
  }

  /** Why there is nothing newer; null: all is well. */
  problem(now_ms: number): FailedReading | null {
    if (this.#failed !== null || this.content(now_ms) !== null) return this.#failed;
    if (this.#asking !== null) return LATE;
    if (this.#read === null) return NOT_LOADED;
    return now_ms < this.#due_ms ? OUTDATED : RESTING;
  }

  /** Nothing of it can be used, and nothing is known to be wrong. */
  isWanting(now_ms: number): boolean {
    return this.#failed === null && this.content(now_ms) === null;
  }

  async #poll(): Promise<void> {
    const problem = await guard(
      () => this.#fetch(),
      (error) => {
        this.#deps.onFault("live data of a timetable", error);
        return DEFECT;
      },
    );
    this.#asking = null;
    if (problem !== null) this.#fail(problem);
  }

  async #fetch(): Promise<FailedReading | null> {
    const { run, clock, timeout_ms } = this.#deps;
    const { max_age_s: _, refresh_s, ...address } = this.#requested;
    const request = { ...address, ...this.#validators, timeout_ms, max_bytes: MAX_BYTES };
    const outcome = await run(request, {});
    if (outcome.status !== "ok") return { status: outcome.status, reason: outcome.reason };
    const { value } = outcome;
    if (value.kind === "refused") return value.failure;
    this.#due_ms = clock.now() + refresh_s * 1_000;
    if (value.kind === "not_modified") {
      this.#succeed();
      return null;
    }
    // Whether it has succeeded shows when it is read.
    this.#fresh = { bytes: value.body, fetched_ms: clock.now() };
    this.#validators = { etag: value.etag, last_modified: value.last_modified };
    return null;
  }

  #succeed(): void {
    this.#failed = null;
    this.#failures = 0;
  }

  #fail(problem: FailedReading): void {
    const { clock, random } = this.#deps;
    this.#failed = problem;
    const pace = { first: this.#requested.refresh_s * 1_000, max: MAX_PAUSE_MS };
    this.#due_ms = clock.now() + backoff_ms(random, ++this.#failures, pace);
  }
}
