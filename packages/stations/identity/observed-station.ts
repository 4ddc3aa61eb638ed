/**
 * Input of identity resolution (§4.9): feeds, and the stations each of them observes. Plain
 * values; nothing here knows GBFS, CityBikes or the open map.
 */

/**
 * Weight of each kind of source. `rank`: whose key names a merged station, best first (R11).
 * `precision_m`: how far its pins usually are from the dock, one standard step: half of the
 * operators' pins lie within it, a tenth three times as far (the open map's are drawn by hand).
 * `counts`: whether it reports what is at a dock, so that its counts can be shown for another's.
 */
export const SOURCE_KINDS = {
  gbfs: { rank: 0, precision_m: 5, counts: true },
  gbfs_aggregator: { rank: 1, precision_m: 5, counts: true },
  citybikes: { rank: 2, precision_m: 5, counts: true },
  motis: { rank: 3, precision_m: 5, counts: false },
  openstreetmap: { rank: 4, precision_m: 7, counts: false },
} as const satisfies Record<string, { rank: number; precision_m: number; counts: boolean }>;
export type SourceKind = keyof typeof SOURCE_KINDS;

/** Keys a source may publish of a station in addition to its own id. */
export type KeyName = "short_name" | "external_id" | "legacy_id" | "uid" | "station_id" | "ref";

/** One source's view of one system or network: never contributes two stations to one cluster. */
export type Feed = {
  /** Unique among feeds, e.g. `gbfs:velib`, `citybikes:velib`. */
  id: string;
  kind: SourceKind;
  system_id: string;
  /** Words by which operator, brand and network are known: system name, operator, short name, brand, company. */
  names: readonly string[];
  /** Addresses of the underlying feed (GBFS discovery, `gbfs_href`), as published. */
  urls: readonly string[];
  /** Where it is (catalogue location, CityBikes city): words that say nothing of who runs it. */
  places?: readonly string[];
  /** Has it anything to rent at this moment? null or absent: it does not say. */
  rents?: boolean | null;
  /** Who runs it, as it says itself; null or absent: it does not. */
  operator?: string | null;
};

export type Observation = {
  /** Index into the feeds. */
  feed: number;
  /** The source's own key. */
  id: string;
  name: string;
  lat: number;
  lon: number;
  /** Bits of `packages/stations/shard/bits` (bicycle, scooter, moped, car); 0 when unknown. */
  modes: number;
  capacity: number | null;
  virtual: boolean | null;
  keys: Readonly<Partial<Record<KeyName, string>>>;
  /** Does the dock itself rent at this moment? null or absent: its source does not say. */
  rents?: boolean | null;
};

/** One observation, by its feed's id and its own. */
export type KeyRef = { feed: string; id: string };

/** An operator's word against the score: pairs that are one station, and pairs that never are. */
export type Overrides = {
  always: readonly (readonly [KeyRef, KeyRef])[];
  never: readonly (readonly [KeyRef, KeyRef])[];
};
