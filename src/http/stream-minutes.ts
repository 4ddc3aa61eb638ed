/**
 * What streams cost while they go on: a reply for each minute that has begun, the first of which is
 * that of the request. Their callers are reviewed more often, so that a stream ends within the time in
 * which a revoked key is refused everywhere. One timer does it for all streams.
 */
import type { Caller } from "#app/access/request-caller.ts";
import type { ByeReason } from "#api/live.ts";
import type { Operation } from "#api/operation.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import { attempt, detach } from "#kit/guard.ts";
import type { Clock } from "#ports.ts";
import type { Problem } from "./error-replies.ts";
import type { Entry, Gate } from "./gate.ts";
import type { Exchange } from "./http-exchange.ts";

const MINUTE_MS = 60_000;
/**
 * With a turn and the second in which a replica learns what another has written, within five seconds
 * (decisions, "Authentication, plans, metering"). Divides a minute, so that minutes are charged as they begin.
 */
const REVIEW_MS = 2_000;
/** Streams whose turns are less apart share one. */
const TURN_MS = 1_000;

/** A stream that goes on. */
export type Metered = {
  readonly exchange: Exchange;
  readonly operation: Operation;
  /** Its minutes cost nothing. */
  readonly isFree?: true;
  readonly isOver: boolean;
  /** Ends it; nothing is charged any more. */
  stop(reason: ByeReason, retry_after_s?: number): void;
};

type Turn = { due_ms: number; paid_until_ms: number; isBusy: boolean };

export type StreamMinutesDeps = {
  clock: Pick<Clock, "now" | "schedule">;
  gate: Pick<Gate, "review" | "renew">;
};

export class StreamMinutes {
  readonly #clock: StreamMinutesDeps["clock"];
  readonly #gate: StreamMinutesDeps["gate"];
  /** Those whose turn comes first are first: all wait for as long. */
  readonly #turns = new Map<Metered, Turn>();
  #cancel: (() => void) | null = null;

  constructor({ clock, gate }: StreamMinutesDeps) {
    this.#clock = clock;
    this.#gate = gate;
  }

  get count(): number {
    return this.#turns.size;
  }

  /** Begins with a minute that is paid for. */
  add(stream: Metered): void {
    const now_ms = this.#clock.now();
    const paid_until_ms = stream.isFree ? Number.POSITIVE_INFINITY : now_ms + MINUTE_MS;
    this.#turns.set(stream, { due_ms: now_ms + REVIEW_MS, paid_until_ms, isBusy: false });
    this.#plan(now_ms);
  }

  remove(stream: Metered): void {
    this.#turns.delete(stream);
    if (this.#turns.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }

  #plan(now_ms: number): void {
    const [first] = this.#turns.values();
    if (this.#cancel !== null || first === undefined) return;
    const at_ms = Math.max(first.due_ms, now_ms + TURN_MS);
    this.#cancel = this.#clock.schedule(at_ms, () => {
      this.#cancel = null;
      this.#run();
    });
  }

  #run(): void {
    const now_ms = this.#clock.now();
    for (const [stream, turn] of this.#turns) {
      if (turn.due_ms > now_ms) break;
      // Behind the others: while this loop runs none of those is due again.
      this.#turns.delete(stream);
      this.#turns.set(stream, turn);
      turn.due_ms = now_ms + REVIEW_MS;
      // Its store is slow: one question at a time.
      if (turn.isBusy) continue;
      attempt(
        () => this.#review(stream, turn, now_ms),
        (error) => this.#fail(stream, error),
      );
    }
    this.#plan(now_ms);
  }

  #review(stream: Metered, turn: Turn, now_ms: number): void {
    const entry = this.#gate.review(stream.exchange, stream.operation);
    if (!(entry instanceof Promise) && now_ms < turn.paid_until_ms) {
      if (!entry.ok) this.#stop(stream, entry);
      return;
    }
    turn.isBusy = true;
    const going = this.#go(stream, turn, entry).finally(() => {
      turn.isBusy = false;
    });
    detach(going, (error) => this.#fail(stream, error));
  }

  async #go(stream: Metered, turn: Turn, found: Entry | Promise<Entry>): Promise<void> {
    const entry = await found;
    if (stream.isOver) return;
    if (!entry.ok) return this.#stop(stream, entry);
    const now_ms = this.#clock.now();
    if (now_ms < turn.paid_until_ms) return;
    const problem = await this.#charge(stream, entry.caller);
    if (problem !== null) return this.#stop(stream, problem);
    // Minutes in which this process stood still brought nothing, and cost nothing.
    turn.paid_until_ms = Math.max(turn.paid_until_ms, now_ms - MINUTE_MS + REVIEW_MS) + MINUTE_MS;
  }

  #charge(stream: Metered, caller: Caller): Promise<Problem | null> {
    const { exchange, operation } = stream;
    const priced = { operation, caller, metered: ONE_ANSWER };
    return this.#gate.renew(exchange, priced, () => stream.isOver);
  }

  #stop(stream: Metered, problem: Problem): void {
    if (stream.isOver) return;
    this.remove(stream);
    const { code, retry_after_s } = problem;
    if (code === "quota_exhausted") return stream.stop("units", retry_after_s ?? undefined);
    stream.stop(code === "store_unavailable" ? "failed" : "refused");
  }

  /** A defect costs this stream alone. */
  #fail(stream: Metered, error: unknown): void {
    const { route, request } = stream.exchange;
    route.log.error({ id: request.id, err: error });
    this.remove(stream);
    if (!stream.isOver) stream.stop("failed");
  }
}
