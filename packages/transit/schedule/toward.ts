/**
 * Where runs go: the further calls of a trip, looked up by the name of a stop (departures.md, Toward).
 * One object serves one question: a name, and a place in a pattern, are judged once.
 */
import { createLexicon, prepareName } from "#kit/names/name.ts";
import { CALL, NOT_AVAILABLE } from "../timetable/timetable-draft.ts";
import { NO_ROW, UNTIMED } from "../timetable/timetable-layout.ts";
import { profileOf } from "../timetable/timetable.ts";
import type { OpenFeed } from "./feed-pack.ts";

/** A later call of a run at which one may leave it; `at_ms`: arrival as planned, null: not stated. */
export type LaterCall = { name: string; at_ms: number | null };

/** A call of a trip of the timetable. */
export type CallOfTrip = { trip: number; position: number; planned_ms: number | null };

/** How well a name fits: not at all, its words are among those of the name, or they are all of them. */
const [NOT, AMONG, WHOLE] = [0, 1, 2] as const;

type Judged = {
  /** By the row of a station. */
  names: Map<number, number>;
  /** Position of the call that is meant, by pattern and position; null: there is none. */
  calls: Map<number, number | null>;
};

/** More positions than a pattern has. */
const POSITIONS = 65_536;

export class TowardSearch {
  readonly #lexicon = createLexicon();
  readonly #words: readonly number[];
  readonly #feeds = new Map<OpenFeed, Judged>();

  constructor(text: string) {
    this.#words = prepareName(this.#lexicon, text, []).words;
  }

  /** Whether a text names what is meant: a headsign. */
  fits(text: string): boolean {
    return this.#rank(text) !== NOT;
  }

  /** The call after this one that is meant: the best name, of equal ones the first; null: there is none. */
  find(feed: OpenFeed, { trip, position, planned_ms }: CallOfTrip): LaterCall | null {
    const { columns } = feed.timetable!;
    const profile = profileOf(columns, trip);
    const pattern = columns.profile_patterns[profile]!;
    const judged = this.#judged(feed);
    const key = pattern * POSITIONS + position;
    let at = judged.calls.get(key);
    if (at === undefined)
      judged.calls.set(key, (at = this.#findAfter(feed, { judged, pattern, position })));
    if (at === null) return null;
    const first = columns.profile_starts[profile]!;
    const [from_s, to_s] = [position, at].map((each) => columns.profile_departures[first + each]!);
    const isTimed = planned_ms !== null && from_s !== UNTIMED && to_s !== UNTIMED;
    const arrival_s = to_s! - columns.profile_dwells[first + at]!;
    const stop = columns.pattern_stops[columns.pattern_starts[pattern]! + at]!;
    return {
      name: feed.nameOf(columns.stop_stations[stop]!),
      at_ms: isTimed ? planned_ms + (arrival_s - from_s!) * 1_000 : null,
    };
  }

  #judged(feed: OpenFeed): Judged {
    let judged = this.#feeds.get(feed);
    if (!judged) this.#feeds.set(feed, (judged = { names: new Map(), calls: new Map() }));
    return judged;
  }

  #findAfter(
    feed: OpenFeed,
    { judged, pattern, position }: { judged: Judged; pattern: number; position: number },
  ): number | null {
    const { pattern_starts, pattern_stops, pattern_flags, stop_stations } = feed.timetable!.columns;
    const first = pattern_starts[pattern]!;
    const count = pattern_starts[pattern + 1]! - first;
    let [match, best]: [number | null, number] = [null, NOT];
    for (let at = position + 1; at < count && best < WHOLE; at++) {
      const station = stop_stations[pattern_stops[first + at]!]!;
      const drop_off = (pattern_flags[first + at]! >> CALL.drop_off_shift) & CALL.pickup;
      if (station === NO_ROW || drop_off === NOT_AVAILABLE) continue;
      let rank = judged.names.get(station);
      if (rank === undefined) judged.names.set(station, (rank = this.#rank(feed.nameOf(station))));
      if (rank > best) [match, best] = [at, rank];
    }
    return match;
  }

  #rank(text: string): number {
    const { words } = prepareName(this.#lexicon, text, []);
    if (this.#words.length === 0 || !isPart(this.#words, words)) return NOT;
    return words.length === this.#words.length ? WHOLE : AMONG;
  }
}

/** The name of the last stop of a trip; null: it is at no station. */
export function terminusOf(feed: OpenFeed, trip: number): string | null {
  const { columns } = feed.timetable!;
  const pattern = columns.profile_patterns[profileOf(columns, trip)]!;
  const station =
    columns.stop_stations[columns.pattern_stops[columns.pattern_starts[pattern + 1]! - 1]!]!;
  return station === NO_ROW ? null : feed.nameOf(station);
}

/** Whether one sorted bag is a part of another. */
function isPart(part: readonly number[], whole: readonly number[]): boolean {
  let at = 0;
  for (const word of whole) if (part[at] === word) at++;
  return at === part.length;
}
