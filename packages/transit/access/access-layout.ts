/**
 * Columns of the ways within stations in a packed feed (feed-layout.ts); a feed without such ways has
 * none. Lists of network i lie at starts[i] .. starts[i + 1].
 */
import type { ColumnsOf } from "#kit/pack.ts";

/** Facts of all of them. */
export type AccessMeta = {
  counts: { stations: number; places: number; ways: number; lifts: number };
};

export const ACCESS_COLUMNS = {
  /** Rows of the stations that have ways, ascending. */
  access_stations: Uint32Array,
  /** 1: ways of the station were left out. */
  access_partial: Uint8Array,
  place_starts: Uint32Array,
  place_ids: Uint8Array,
  place_id_starts: Uint32Array,
  /** One of PLACE. */
  place_kinds: Uint8Array,
  /** 0 unknown, 1 yes, 2 no; inherited where the place itself says nothing. */
  place_wheelchairs: Uint8Array,
  /** Of a boarding area the place that is its platform, or NO_PART. */
  place_parts: Uint32Array,
  /** Codes of platforms, and names of levels; empty: not stated. */
  place_codes: Uint8Array,
  place_code_starts: Uint32Array,
  place_levels: Uint8Array,
  place_level_starts: Uint32Array,
  way_starts: Uint32Array,
  /** Places among those of all stations. */
  way_from: Uint32Array,
  way_to: Uint32Array,
  /** One of WAY. */
  way_modes: Uint8Array,
  /** Bits of WAY_FLAG. */
  way_flags: Uint8Array,
  /** Decimetres, or NO_LENGTH. */
  way_lengths: Uint32Array,
  /** Ids of lifts; empty for other ways. */
  way_ids: Uint8Array,
  way_id_starts: Uint32Array,
} as const;

export type AccessColumns = ColumnsOf<typeof ACCESS_COLUMNS>;
