/** One flight per key: whoever asks while it runs shares its result, if it is young enough. */
export type SingleFlight<T> = {
  /**
   * Joins the running flight of `key` when it was begun at or after `begun_after_ms`, else starts
   * one. A failure is shared like a result and not kept: the next call starts anew.
   */
  do(
    key: string,
    options: { begun_after_ms: number },
    now_ms: number,
    start: () => Promise<T>,
  ): Promise<T>;
  /** Flights in the air that can still be joined. */
  size(): number;
};

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, { begun_at_ms: number; result: Promise<T> }>();
  return {
    do(key, { begun_after_ms }, now_ms, start) {
      const running = flights.get(key);
      if (running && running.begun_at_ms >= begun_after_ms) return running.result;
      const flight = { begun_at_ms: now_ms, result: Promise.try(start) };
      flights.set(key, flight);
      // An older flight that lands later must not evict the younger one that has replaced it.
      const land = (): void => {
        if (flights.get(key) === flight) flights.delete(key);
      };
      flight.result.then(land, land);
      return flight.result;
    },
    size: () => flights.size,
  };
}
