/**
 * The calls of each trip as a pattern of stops and a profile of times. Rows of a trip usually follow
 * one another and are kept until the next trip begins; those of a trip that comes back later are
 * kept until the end.
 */
import { CALL, NO_PLACE } from "../timetable/timetable-draft.ts";
import { Sequences } from "../timetable/sequences.ts";
import { UNTIMED } from "../timetable/timetable-layout.ts";
import { grown } from "#kit/growing.ts";
import { createTrail, type Trail } from "#kit/trail.ts";
import { textOf } from "./byte-table.ts";
import { type CallCodec, createCallCodec, UNSTATED, WORD, WORDS } from "./call-words.ts";
import { LooseRows } from "./loose-rows.ts";
import { createPairSet, type PairSet } from "./pair-set.ts";
import type { Trips } from "./trip-table.ts";

/** Per trip, once all rows were read; NONE: it has no calls that can be used. */
export type TripTimes = {
  patterns: Sequences;
  profiles: Sequences;
  profileOf: Int32Array;
  startOf: Int32Array;
  /** (stop, route) of calls that are in no pattern, since their trips have too many. */
  others: PairSet;
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

/** Calls of one trip; the longest real ones have some hundred. */
const MOST_CALLS = 5_000;
/** Calls of trips whose rows are scattered, in all. */
const MOST_LOOSE = 30_000_000;
const STEP_TRIPS = 512;
/** Above the routes of any feed; a pair of a stop and a route stays a whole number. */
const MOST_ROUTES = 2 ** 22;
/** Of a trip's rows: none yet, one run of them, more than one, too many. */
const STATE = { unseen: 0, read: 1, scattered: 2, excessive: 3 } as const;

export class TripCalls {
  readonly #trips: Trips;
  readonly #most_loose: number;
  readonly #patterns: Sequences;
  readonly #profiles: Sequences;
  readonly #codec: CallCodec;
  readonly #trail = createTrail();
  readonly #loose = new LooseRows();
  readonly #others = createPairSet(MOST_ROUTES);
  #profileOf = new Int32Array(0);
  #startOf = new Int32Array(0);
  /** By trip, of STATE. */
  #state = new Uint8Array(0);
  #current = NO_PLACE;
  #count = 0;
  #words = new Int32Array(64 * WORDS);

  /** `most_loose`: calls of scattered trips that are kept, in all; what does not fit is left out whole. */
  constructor(trips: Trips, seed: number, most_loose = MOST_LOOSE) {
    this.#trips = trips;
    this.#most_loose = most_loose;
    this.#patterns = new Sequences(seed);
    this.#profiles = new Sequences(seed);
    this.#codec = createCallCodec(trips, { patterns: this.#patterns, profiles: this.#profiles });
  }

  /** `sequence`: null where the file states none; then rows count in their order. */
  add(trip: number, stop: number, sequence: number | null, call: Call): void {
    if (trip !== this.#current) this.#turnTo(trip);
    const state = this.#state[trip];
    if (state === STATE.excessive || this.#count > MOST_CALLS) return this.#noteOther(trip, stop);
    if ((this.#count + 1) * WORDS > this.#words.length)
      this.#words = grown(this.#words, this.#words.length * 2);
    const isLoose = state === STATE.scattered;
    const at = isLoose ? 0 : this.#count * WORDS;
    const { arrival, departure, pickup, drop_off, isApproximate, headsign } = call;
    const isUntimed = arrival === UNTIMED && departure === UNTIMED;
    const words = this.#words;
    words[at + WORD.sequence] = sequence ?? UNSTATED;
    words[at + WORD.stop] = stop;
    words[at + WORD.arrival] = arrival === UNTIMED ? departure : arrival;
    words[at + WORD.departure] = departure === UNTIMED ? arrival : departure;
    words[at + WORD.bits] =
      pickup |
      (drop_off << CALL.drop_off_shift) |
      (isApproximate || isUntimed ? CALL.approximate : 0);
    words[at + WORD.headsign] = headsign;
    if (isLoose) this.#addLoose(trip, words.subarray(0, WORDS));
    else this.#count++;
  }

  /** In steps. Nothing can be added afterwards. */
  *finish(): Generator<void, TripTimes> {
    if (this.#state.length === 0) this.#open();
    this.#close();
    let steps = 0;
    for (const { trip, count, words } of this.#loose.groups()) {
      if (this.#state[trip] === STATE.excessive) this.#noteOthers(trip, words, count);
      else this.#keep(trip, words, count);
      if (++steps % STEP_TRIPS === 0) yield;
    }
    const [profileOf, startOf] = [this.#profileOf, this.#startOf];
    for (let trip = 0; trip < profileOf.length; trip++) {
      if (profileOf[trip] === NO_PLACE || startOf[trip] !== UNTIMED) continue;
      profileOf[trip] = NO_PLACE;
      this.#drop("trip_without_times", trip);
    }
    const [patterns, profiles, others] = [this.#patterns, this.#profiles, this.#others];
    return { patterns, profiles, profileOf, startOf, others };
  }

  trail(): Trail {
    return this.#trail.toTrail();
  }

  #drop(reason: string, trip: number): void {
    this.#trail.drop(reason, textOf(this.#trips.ids, trip));
  }

  #open(): void {
    const { count } = this.#trips.ids;
    this.#profileOf = new Int32Array(count).fill(NO_PLACE);
    this.#startOf = new Int32Array(count);
    this.#state = new Uint8Array(count);
  }

  #turnTo(trip: number): void {
    if (this.#state.length === 0) this.#open();
    this.#close();
    if (this.#state[trip] === STATE.read) this.#reopen(trip);
    this.#current = trip;
  }

  #addLoose(trip: number, words: Int32Array): void {
    if (this.#loose.count < this.#most_loose) return this.#loose.add(trip, words);
    if (this.#state[trip] !== STATE.excessive) this.#drop("trip_out_of_order", trip);
    this.#state[trip] = STATE.excessive;
    this.#noteOthers(trip, words, 1);
  }

  #noteOther(trip: number, stop: number): void {
    this.#others.add(stop, this.#trips.routeOf[trip]!);
  }

  #noteOthers(trip: number, words: Int32Array, count: number): void {
    for (let call = 0; call < count; call++)
      this.#noteOther(trip, words[call * WORDS + WORD.stop]!);
  }

  /** What was kept of a trip's rows becomes rows again, since more of them have come. */
  #reopen(trip: number): void {
    this.#state[trip] = STATE.scattered;
    const words = this.#codec.read(this.#profileOf[trip]!, this.#startOf[trip]!);
    for (let at = 0; at < words.length; at += WORDS)
      this.#addLoose(trip, words.subarray(at, at + WORDS));
    this.#profileOf[trip] = NO_PLACE;
  }

  #close(): void {
    const trip = this.#current;
    if (trip === NO_PLACE || this.#state[trip] !== STATE.unseen) return;
    const isKept = this.#keep(trip, this.#words, this.#count);
    this.#state[trip] = isKept ? STATE.read : STATE.excessive;
    this.#count = 0;
  }

  /** Whether there are not too many. Without times, the start is UNTIMED: they may come later. */
  #keep(trip: number, words: Int32Array, count: number): boolean {
    if (count > MOST_CALLS) {
      this.#drop("trip_with_too_many_calls", trip);
      this.#noteOthers(trip, words, count);
      return false;
    }
    const { profile, start } = this.#codec.write(trip, words, count);
    this.#profileOf[trip] = profile;
    this.#startOf[trip] = start;
    return true;
  }
}
