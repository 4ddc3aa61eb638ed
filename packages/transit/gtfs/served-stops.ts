/** Which routes call at which stops: those of the patterns, and of trips that are not kept. */
import { PATTERN } from "../timetable/timetable-draft.ts";
import type { Sequences } from "../timetable/sequences.ts";
import type { PairSet } from "./pair-set.ts";

const STEP_PATTERNS = 256;

export class ServedStops {
  readonly #patterns: Sequences;
  readonly #routes: number;
  /** Patterns by their routes, and where those of each begin. */
  readonly #order: Uint32Array;
  readonly #starts: Uint32Array;
  /** Stops by route, of calls that no pattern has. */
  readonly #others = new Map<number, number[]>();

  /** `others`: (stop, route), of calls that are in no pattern. */
  constructor(patterns: Sequences, { routes, others }: { routes: number; others: PairSet }) {
    this.#patterns = patterns;
    this.#routes = routes;
    this.#starts = new Uint32Array(routes + 1);
    for (let pattern = 0; pattern < patterns.count; pattern++)
      this.#starts[patterns.at(pattern)[0]! + 1]!++;
    for (let route = 0; route < routes; route++) this.#starts[route + 1]! += this.#starts[route]!;
    const next = this.#starts.slice(0, routes);
    this.#order = new Uint32Array(patterns.count);
    for (let pattern = 0; pattern < patterns.count; pattern++)
      this.#order[next[patterns.at(pattern)[0]!]!++] = pattern;
    for (const [stop, route] of others.entries()) {
      const list = this.#others.get(route);
      if (list === undefined) this.#others.set(route, [stop]);
      else list.push(stop);
    }
  }

  /** Calls `use` with each pair, perhaps several times, in ascending order of the routes. In steps. */
  *visit(use: (stop: number, route: number) => void): Generator<void, void> {
    for (let route = 0; route < this.#routes; route++) {
      for (let at = this.#starts[route]!; at < this.#starts[route + 1]!; at++) {
        const words = this.#patterns.at(this.#order[at]!);
        for (let word = PATTERN.head; word < words.length; word += PATTERN.call)
          use(words[word]!, route);
        if (at % STEP_PATTERNS === 0) yield;
      }
      for (const stop of this.#others.get(route) ?? []) use(stop, route);
    }
  }
}
