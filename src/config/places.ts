/**
 * Which sources of places a deployment has. In live mode those that the file names, and without a
 * file of its own those whose key is in the environment; in the sandbox all, simulated, unless the
 * file says otherwise (operation.md, Modes).
 */
import { Value } from "typebox/value";
import type { Variables } from "#config/env.ts";
import type { RunMode } from "#config/load.ts";
import { PLACE_SCHEMAS, type PlaceSourceName, type PlaceSources } from "#config/schema-places.ts";
import type { ConfigFile } from "#config/schema.ts";

export type SettledPlaces = {
  [N in PlaceSourceName]: PlaceSources[N] & { simulated: boolean };
};
export type Maps = {
  adapter: "google_maps" | "openstreetmap";
  geocoder: "photon" | "nominatim" | "pelias";
};

/** Supplements that are off unless the file names them (decisions, Urban services). */
const OFF_BY_DEFAULT: ReadonlySet<PlaceSourceName> = new Set(["openchargemap", "ocpi"]);
/** Keys that switch a source on where no file was written. */
const KEYS: Partial<Record<PlaceSourceName, string>> = {
  google_maps: "GOOGLE_MAPS_API_KEY",
  openchargemap: "OPENCHARGEMAP_API_KEY",
};

type From = { mode: RunMode; variables: Variables; own_file: boolean };

export function settlePlaces(sources: ConfigFile["sources"], from: From): SettledPlaces {
  const names = Object.keys(PLACE_SCHEMAS) as PlaceSourceName[];
  const settled = names.map((name) => [name, settle(sources, name, from)]);
  return Object.fromEntries(settled) as SettledPlaces;
}

function settle(sources: ConfigFile["sources"], name: PlaceSourceName, from: From): unknown {
  const stated = sources[name];
  const sandbox = from.mode === "sandbox";
  if (stated) return { ...stated, simulated: sandbox };
  const key = from.own_file ? undefined : from.variables[KEYS[name] ?? ""];
  const enabled = sandbox ? !OFF_BY_DEFAULT.has(name) : key !== undefined && key !== "";
  const given = { enabled, ...(key === undefined || sandbox ? {} : { api_key: key }) };
  return { ...(Value.Default(PLACE_SCHEMAS[name], given) as object), simulated: sandbox };
}

export function settleMaps({ maps }: ConfigFile["sources"], places: SettledPlaces): Maps {
  const adapter = maps.adapter ?? (places.google_maps.enabled ? "google_maps" : "openstreetmap");
  return { adapter, geocoder: maps.geocoder };
}
