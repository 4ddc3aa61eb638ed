/** Which sources of public transport a deployment has: as with places (config/places.ts). */
import { Value } from "typebox/value";
import type { Static } from "typebox";
import type { Variables } from "#config/env.ts";
import type { RunMode } from "#config/load.ts";
import { type Gtfs, GtfsSchema, TRANSIT_SCHEMAS } from "#config/schema-transit.ts";
import type { ConfigFile } from "#config/schema.ts";

export type SettledTransport = {
  gtfs: Gtfs & { simulated: boolean };
  navitia: Static<(typeof TRANSIT_SCHEMAS)["navitia"]> & { simulated: boolean };
  transitland: Static<(typeof TRANSIT_SCHEMAS)["transitland"]> & { simulated: boolean };
};

const SCHEMAS = { gtfs: GtfsSchema, ...TRANSIT_SCHEMAS };
/** Keys that switch a source on where no file was written. */
const KEYS = {
  navitia: { variable: "NAVITIA_TOKEN", member: "token" },
  transitland: { variable: "TRANSITLAND_API_KEY", member: "api_key" },
} as const;

type From = { mode: RunMode; variables: Variables; own_file: boolean };

export function settleTransport(sources: ConfigFile["sources"], from: From): SettledTransport {
  const names = ["gtfs", "navitia", "transitland"] as const;
  return Object.fromEntries(
    names.map((name) => [name, settle(sources, name, from)]),
  ) as SettledTransport;
}

function settle(
  sources: ConfigFile["sources"],
  name: keyof SettledTransport,
  { mode, variables, own_file }: From,
): unknown {
  const sandbox = mode === "sandbox";
  const stated = sources[name];
  if (stated) return { ...stated, simulated: sandbox };
  const row = name === "gtfs" ? null : KEYS[name];
  const key = own_file || sandbox || !row ? undefined : variables[row.variable];
  const keyed = key !== undefined && key !== "";
  // Feeds may be imported by hand, which needs no file; without any, nobody serves gtfs.
  const given = { enabled: sandbox || keyed || !row, ...(keyed ? { [row!.member]: key } : {}) };
  return { ...(Value.Default(SCHEMAS[name], given) as object), simulated: sandbox };
}
