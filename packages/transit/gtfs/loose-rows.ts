/** Rows of trips whose rows are scattered over the file, kept until all of them are there. */
import { WORDS } from "./call-words.ts";

export type LooseRows = {
  count(): number;
  /** `words`: one call, which is copied. */
  add(trip: number, words: Int32Array): void;
  /** All calls of each trip, in the order in which they came. */
  groups(): Generator<{ trip: number; count: number; words: Int32Array }>;
};

const FIRST_ROWS = 1_024;

export function createLooseRows(): LooseRows {
  let count = 0;
  let trips = new Int32Array(0);
  let rows = new Int32Array(0);

  function widen(): void {
    const size = Math.max(FIRST_ROWS, count * 2);
    const wider = { trips: new Int32Array(size), rows: new Int32Array(size * WORDS) };
    wider.trips.set(trips);
    wider.rows.set(rows);
    ({ trips, rows } = wider);
  }

  return {
    count: () => count,
    add(trip, words) {
      if (count === trips.length) widen();
      trips[count] = trip;
      rows.set(words, count++ * WORDS);
    },
    *groups() {
      const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
        (a, b) => trips[a]! - trips[b]! || a - b,
      );
      for (let from = 0, to = 0; from < order.length; from = to) {
        const trip = trips[order[from]!]!;
        while (to < order.length && trips[order[to]!] === trip) to++;
        const words = new Int32Array((to - from) * WORDS);
        for (let i = from; i < to; i++) {
          const at = order[i]! * WORDS;
          words.set(rows.subarray(at, at + WORDS), (i - from) * WORDS);
        }
        yield { trip, count: to - from, words };
      }
    },
  };
}
