/** Ways within stations while a feed is read: what an importer fills, and `packAccess` turns into columns. */

/** Kinds of ways (pathway_mode). */
export const WAY = {
  walkway: 1,
  stairs: 2,
  moving_walkway: 3,
  escalator: 4,
  lift: 5,
  fare_gate: 6,
  exit_gate: 7,
} as const;

/** Kinds of places in a station (location_type). */
export const PLACE = { platform: 0, entrance: 2, node: 3, boarding: 4 } as const;

/** Bits of a way. `both`: walked in both directions. `doubt`: it may be too steep or narrow, or have steps. */
export const WAY_FLAG = { both: 1, doubt: 2 } as const;

/** Length of a way that states none. */
export const NO_LENGTH = 0xffffffff;

/** Nothing: a place that is part of no platform. */
export const NO_PART = 0xffffffff;

/** Ways of stations, each with at least one; lists of station i lie at starts[i] .. starts[i + 1]. */
export type AccessDraft = {
  /** Places in the feed's stations, ascending. */
  stations: readonly number[];
  /** 1: ways of the station were left out, so that what is not reached may be reached all the same. */
  partial: Uint8Array;
  place_starts: Uint32Array;
  /** Stops of the feed, one a place. */
  places: Uint32Array;
  way_starts: Uint32Array;
  /** Ways by their place in the file. */
  ways: Uint32Array;
  place(stop: number): AccessPlace;
  way(way: number): AccessWay;
};

type AccessPlace = {
  id: string;
  /** One of PLACE. */
  kind: number;
  /** What is stated of it or, where nothing is, of its parent: 0 unknown, 1 yes, 2 no. */
  wheelchair: number;
  /** Of a boarding area the stop that is its platform; NO_ENTRY: none. */
  parent: number;
  /** Code of a platform, and name of the level; empty: not stated. */
  code: string;
  level: string;
};

type AccessWay = {
  /** Of a lift; of others it is not kept. */
  id: string;
  /** Stops of the feed. */
  from: number;
  to: number;
  /** One of WAY. */
  mode: number;
  /** Bits of WAY_FLAG. */
  flags: number;
  /** Decimetres, or NO_LENGTH. */
  length_dm: number;
};
