/**
 * Calls in the air, shared by those who wait for them. A flight is called off when the last who
 * waits has left, unless it still has something to do; whoever stays gets its answer.
 */
import { fault, type FaultCode } from "#upstream/fault.ts";

/** Why somebody stops waiting: he is gone, or his time is up. */
export type Leave = Extract<FaultCode, "ABORTED" | "DEADLINE">;

export type Flight<T> = {
  readonly begun_at_ms: number;
  readonly result: Promise<T>;
  /** Resolves with the result, or with why the caller left first. */
  wait(left: Promise<Leave>): Promise<{ landed: T } | { left: Leave }>;
};

export type Flights<T> = {
  /** The flight under this key that was begun at or after the moment; an older one is no help. */
  find(key: string, begun_after_ms: number): Flight<T> | undefined;
  /**
   * Begins a flight under all its keys. `run` hears the signal when nobody waits any more; it never
   * rejects. `outlives`: what it goes on after without anybody. Renewing a cache outlives all;
   * filling one outlives those whose time was up, since the next one will ask the same.
   */
  start(
    keys: readonly string[],
    options: { now_ms: number; outlives: Outlives },
    run: (signal: AbortSignal) => Promise<T>,
  ): Flight<T>;
  size(): number;
};

export type Outlives = "nobody" | "deadlines" | "everybody";

function goesOn(outlives: Outlives, left: Leave): boolean {
  return outlives === "everybody" || (outlives === "deadlines" && left === "DEADLINE");
}

/** `waiters`: how many wait at the moment, whatever for; counted beside what is kept here. */
export function createFlights<T>(waiters: { count: number } = { count: 0 }): Flights<T> {
  const flying = new Map<string, Flight<T>>();
  return {
    find(key, begun_after_ms) {
      const flight = flying.get(key);
      return flight && flight.begun_at_ms >= begun_after_ms ? flight : undefined;
    },
    start(keys, { now_ms, outlives }, run) {
      const controller = new AbortController();
      let waiting = 0;
      let over = false;
      const land = (): void => {
        over = true;
        // A younger flight may have taken a key over.
        for (const key of keys) if (flying.get(key) === flight) flying.delete(key);
      };
      const flight: Flight<T> = {
        begun_at_ms: now_ms,
        result: run(controller.signal),
        async wait(left) {
          waiting++;
          waiters.count++;
          const first = await Promise.race([
            flight.result.then((landed) => ({ landed })),
            left.then((reason) => ({ left: reason })),
          ]);
          waiting--;
          waiters.count--;
          if ("left" in first && waiting === 0 && !over && !goesOn(outlives, first.left)) {
            // Nobody may join what is being called off.
            land();
            controller.abort(fault(first.left));
          }
          return first;
        },
      };
      for (const key of keys) flying.set(key, flight);
      void flight.result.then(land);
      return flight;
    },
    size: () => new Set(flying.values()).size,
  };
}
