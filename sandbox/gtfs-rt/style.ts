// What each feed publishes live, and how it says it.
import type { Feed } from "../gtfs/style.ts";
import { hash, hex } from "../rng.ts";

export const FILES = ["trip_updates", "vehicle_positions", "alerts", "all"] as const;
export type File = (typeof FILES)[number];

export type LiveStyle = {
  /** `all` alone: one address for everything. */
  readonly files: readonly File[];
  /** What calls are known by. */
  readonly names: "sequence" | "stop" | "both";
  readonly times: "delay" | "time" | "both";
  /** `arrival`: the only one where a vehicle does not wait. */
  readonly events: "arrival" | "departure" | "both";
  /** Whether calls that are over are left out. */
  readonly drops: boolean;
  /** Whether a header with a key is wanted. */
  readonly keyed: boolean;
};

const USUAL: LiveStyle = {
  files: ["trip_updates", "vehicle_positions", "alerts"],
  names: "both",
  times: "both",
  events: "both",
  drops: false,
  keyed: false,
};

/** Feeds that are not here have no live data: berlin-rail, tokyo-rail and taveuni. */
const STYLES: Readonly<Record<string, Partial<LiveStyle>>> = {
  paris: {},
  "paris-rail": { files: ["trip_updates"], names: "sequence", times: "delay" },
  london: { names: "stop", times: "time", drops: true },
  berlin: { keyed: true, names: "sequence", times: "time", events: "departure" },
  madrid: { names: "stop", times: "delay", events: "arrival" },
  warsaw: { files: ["trip_updates", "alerts"] },
  "new-york": { names: "sequence", times: "time" },
  "new-york-rail": { files: ["trip_updates", "vehicle_positions"], drops: true },
  "san-francisco": { names: "stop", times: "delay", drops: true },
  "mexico-city": { names: "sequence" },
  "sao-paulo": { files: ["trip_updates"] },
  tokyo: { times: "delay", events: "arrival" },
  sydney: { files: ["all"] },
  "cape-town": { names: "sequence", drops: true },
  "cape-town-rail": { files: ["trip_updates"], times: "time" },
};

/** null: it has no live data. */
export function liveStyleOf({ id }: Pick<Feed, "id">): LiveStyle | null {
  const own = STYLES[id];
  return own === undefined ? null : { ...USUAL, ...own };
}

export const KEY_HEADER = "x-api-key";

/** The secret of a feed that wants one. */
export const keyOf = (feed: Feed, seed: number): string =>
  hex(32, hash(seed, 81), feed.city.id.length, feed.part);
