/**
 * Requests in flight, shared by all that wait for them. One is aborted when the last that waits has
 * left, unless it is to go on; the others get its result.
 */
import { guard } from "#kit/guard.ts";
import { DEFECT, type Failure } from "#kit/outcome.ts";
import { onAbort, toAbandoned } from "#upstream/deadline.ts";
import { fault, isDeadline } from "#upstream/fault.ts";

export type InFlight<T> = {
  readonly begun_at_ms: number;
  /** Never rejects: what the request throws is the outcome `defect`. */
  readonly result: Promise<T | Failure>;
  /** Resolves with the result, or with a timeout once `signal` is aborted first. */
  wait(signal: AbortSignal): Promise<T | Failure>;
};

/**
 * Cases in which a request goes on that nothing waits for. Renewing a cache always does; filling
 * one does after those whose time was up, since the next one will ask the same.
 */
export type GoesOn = "never" | "after_deadline" | "always";

export type InFlightRequests<T> = {
  /** The request under this key that was begun at or after the moment; an older one is no help. */
  find(key: string, begun_after_ms: number): InFlight<T> | undefined;
  /** Begins a request under all its keys. `run` gets the signal that aborts it. */
  start(
    keys: readonly string[],
    options: { now_ms: number; goes_on: GoesOn },
    run: (signal: AbortSignal) => Promise<T>,
  ): InFlight<T>;
  size(): number;
};

/** Those that wait at the moment, over everything that shares it; and what receives a fault. */
type InFlightDeps = { waiters: { count: number }; onFault: (error: unknown) => void };

/** Makes an empty set. */
export function createInFlight<T>({ waiters, onFault }: InFlightDeps): InFlightRequests<T> {
  const toDefect = (error: unknown): Failure => {
    onFault(error);
    return DEFECT;
  };
  const running = new Map<string, InFlight<T>>();
  return {
    find(key, begun_after_ms) {
      const request = running.get(key);
      return request && request.begun_at_ms >= begun_after_ms ? request : undefined;
    },
    start(keys, { now_ms, goes_on }, run) {
      const controller = new AbortController();
      let waiting = 0;
      let has_ended = false;
      const end = (): void => {
        has_ended = true;
        // A younger request may have taken a key over.
        for (const key of keys) if (running.get(key) === request) running.delete(key);
      };
      /** Nothing may join what is being aborted. */
      const abandon = (by_deadline: boolean): void => {
        if (waiting > 0 || has_ended || goes_on === "always") return;
        if (goes_on === "after_deadline" && by_deadline) return;
        end();
        controller.abort(fault(by_deadline ? "DEADLINE" : "ABORTED"));
      };
      const request: InFlight<T> = {
        begun_at_ms: now_ms,
        // It ends for all that know of it before any that wait go on.
        result: guard(() => run(controller.signal), toDefect).then((result) => {
          end();
          return result;
        }),
        async wait(signal) {
          using left = onAbort(signal);
          const abandoned = left.aborted.then((): typeof LEFT => LEFT);
          waiting++;
          waiters.count++;
          const first = await Promise.race([request.result, abandoned]).finally(() => {
            waiting--;
            waiters.count--;
          });
          if (first !== LEFT) return first;
          abandon(isDeadline(signal.reason));
          return toAbandoned(signal);
        },
      };
      for (const key of keys) running.set(key, request);
      return request;
    },
    size: () => new Set(running.values()).size,
  };
}

const LEFT = Symbol("left");
