/** Rows of trips whose rows are scattered over the file, kept until all of them are there. */
import { Growing } from "#kit/growing.ts";
import { WORDS } from "./call-words.ts";

export class LooseRows {
  readonly #trips = new Growing(Int32Array);
  readonly #rows = new Growing(Int32Array);

  get count(): number {
    return this.#trips.length;
  }

  /** `words`: one call, which is copied. */
  add(trip: number, words: Int32Array): void {
    this.#trips.push(trip);
    this.#rows.pushAll(words);
  }

  /** All calls of each trip, in the order in which they came. */
  *groups(): Generator<{ trip: number; count: number; words: Int32Array }> {
    const [trips, rows] = [this.#trips.view(), this.#rows.view()];
    const order = Uint32Array.from(trips, (_, row) => row).sort(
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
  }
}
