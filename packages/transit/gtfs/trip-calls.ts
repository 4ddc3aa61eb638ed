/**
 * The calls of each trip as a pattern of stops and a profile of times. Rows of a trip usually follow
 * one another and are kept until the next trip begins; those of a trip that comes back later are
 * kept until the end.
 */
import { CALL, NONE } from "../timetable/draft.ts";
import { createSequences, type Sequences } from "../timetable/sequences.ts";
import { UNTIMED } from "../timetable/layout.ts";
import { createTrail, type Trail } from "#kit/trail.ts";
import { textOf } from "./byte-table.ts";
import { createCallCodec, UNSTATED, WORD, WORDS } from "./call-words.ts";
import { createLooseRows } from "./loose-rows.ts";
import type { Trips } from "./trips.ts";

/** Per trip, once all rows were read; NONE: it has no calls that can be used. */
export type TripTimes = {
  patterns: Sequences;
  profiles: Sequences;
  profileOf: Int32Array;
  startOf: Int32Array;
};

type Call = {
  /** Seconds of the service day, or UNTIMED. */
  arrival: number;
  departure: number;
  pickup: number;
  drop_off: number;
  isApproximate: boolean;
  /** A text, or NONE. */
  headsign: number;
};

export type TripCalls = {
  /** `sequence`: null where the file states none; then rows count in their order. */
  add(trip: number, stop: number, sequence: number | null, call: Call): void;
  /** In steps. Nothing can be added afterwards. */
  finish(): Generator<void, TripTimes>;
  trail(): Trail;
};

/** Calls of one trip; the longest real ones have some hundred. */
const MOST_CALLS = 5_000;
/** Calls of trips whose rows are scattered, in all. */
const MOST_LOOSE = 30_000_000;
const STEP_TRIPS = 512;
/** Of a trip's rows: none yet, one run of them, more than one, too many. */
const STATE = { unseen: 0, read: 1, scattered: 2, excessive: 3 } as const;

type Rows = { count: number; words: Int32Array };

/** `most_loose`: calls of scattered trips that are kept, in all; what does not fit is left out whole. */
export function createTripCalls(trips: Trips, seed: number, most_loose = MOST_LOOSE): TripCalls {
  const patterns = createSequences(seed);
  const profiles = createSequences(seed);
  const trail = createTrail();
  let profileOf = new Int32Array(0);
  let startOf = new Int32Array(0);
  /** By trip, of STATE. */
  let state = new Uint8Array(0);
  let current = NONE;
  let rows: Rows = { count: 0, words: new Int32Array(64 * WORDS) };
  const loose = createLooseRows();
  const codec = createCallCodec(trips, { patterns, profiles });

  function open(): void {
    const count = trips.ids.count;
    profileOf = new Int32Array(count).fill(NONE);
    startOf = new Int32Array(count);
    state = new Uint8Array(count);
  }

  function addLoose(trip: number, words: Int32Array): void {
    if (loose.count() === most_loose) {
      if (state[trip] !== STATE.excessive) trail.drop("trip_out_of_order", textOf(trips.ids, trip));
      state[trip] = STATE.excessive;
      return;
    }
    loose.add(trip, words);
  }

  /** What was kept of a trip's rows becomes rows again, since more of them have come. */
  function reopen(trip: number): void {
    state[trip] = STATE.scattered;
    const words = codec.read(profileOf[trip]!, startOf[trip]!);
    for (let at = 0; at < words.length; at += WORDS) addLoose(trip, words.subarray(at, at + WORDS));
    profileOf[trip] = NONE;
  }

  function close(): void {
    if (current === NONE || state[current] !== STATE.unseen) return;
    state[current] = keep(current, rows) ? STATE.read : STATE.excessive;
    rows.count = 0;
  }

  /** Whether there are not too many. Without times, the start is UNTIMED: they may come later. */
  function keep(trip: number, { count, words }: Rows): boolean {
    if (count > MOST_CALLS) {
      trail.drop("trip_with_too_many_calls", textOf(trips.ids, trip));
      return false;
    }
    const { profile, start } = codec.write(trip, words, count);
    profileOf[trip] = profile;
    startOf[trip] = start;
    return true;
  }

  return {
    add(trip, stop, sequence, { arrival, departure, pickup, drop_off, isApproximate, headsign }) {
      if (trip !== current) {
        if (state.length === 0) open();
        close();
        if (state[trip] === STATE.read) reopen(trip);
        current = trip;
      }
      if (state[trip] === STATE.excessive) return;
      if (rows.count > MOST_CALLS) return;
      if ((rows.count + 1) * WORDS > rows.words.length)
        rows = { ...rows, words: grown(rows.words, rows.words.length * 2) };
      const isLoose = state[trip] === STATE.scattered;
      const at = isLoose ? 0 : rows.count * WORDS;
      const { words } = rows;
      const isUntimed = arrival === UNTIMED && departure === UNTIMED;
      words[at + WORD.sequence] = sequence ?? UNSTATED;
      words[at + WORD.stop] = stop;
      words[at + WORD.arrival] = arrival === UNTIMED ? departure : arrival;
      words[at + WORD.departure] = departure === UNTIMED ? arrival : departure;
      words[at + WORD.bits] =
        pickup |
        (drop_off << CALL.drop_off_shift) |
        (isApproximate || isUntimed ? CALL.approximate : 0);
      words[at + WORD.headsign] = headsign;
      if (isLoose) addLoose(trip, words.subarray(0, WORDS));
      else rows.count++;
    },
    *finish() {
      if (state.length === 0) open();
      close();
      let steps = 0;
      for (const { trip, count, words } of loose.groups()) {
        if (state[trip] !== STATE.excessive) keep(trip, { count, words });
        if (++steps % STEP_TRIPS === 0) yield;
      }
      dropUntimed({ profileOf, startOf }, (trip) =>
        trail.drop("trip_without_times", textOf(trips.ids, trip)),
      );
      return { patterns, profiles, profileOf, startOf };
    },
    trail: () => trail.toTrail(),
  };
}

function dropUntimed(
  { profileOf, startOf }: Pick<TripTimes, "profileOf" | "startOf">,
  onDropped: (trip: number) => void,
): void {
  for (let trip = 0; trip < profileOf.length; trip++) {
    if (profileOf[trip] === NONE || startOf[trip] !== UNTIMED) continue;
    profileOf[trip] = NONE;
    onDropped(trip);
  }
}

function grown(column: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(size);
  wider.set(column);
  return wider;
}
