/** The parts of a service by name: the rows of its table have these types. */
import type { ReplicaWatch } from "#observe/replica-watch.ts";
import { rowsOf } from "#process/parts.ts";
import type { OpenFeeds } from "../open-feeds.ts";
import type { Listeners } from "../listeners.ts";
import type { Made } from "./given.ts";
import type { LookupDeps } from "./lookups.ts";

/** A part that is null or void only does something: others wait for it, and use nothing of it. */
export type Parts = Made & {
  checked: null;
  lookups: LookupDeps;
  feeds: OpenFeeds;
  systems: null;
  meters: null;
  warnings: null;
  bases_read: void;
  registers_read: void;
  timetables_read: void;
  recalled: void;
  catalogues_read: void;
  cities_surveyed: void;
  first_timetables: unknown;
  surveyed: void;
  turn: null;
  countries: null;
  base_made: void;
  usage_counted: void;
  recovered: null;
  expiry: () => void;
  listeners: Listeners;
  ready_file: null;
  replicas: ReplicaWatch | null;
  announced: null;
};

export const part = rowsOf<Parts>();
