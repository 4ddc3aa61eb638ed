/** The sources of places as configured, with what the file leaves open filled in by the simulator. */
import type { Sandbox } from "../../../sandbox/main.ts";
import type { Config } from "#config/load.ts";
import { PLACE_SCHEMAS, type PlaceSourceName } from "#config/schema-places.ts";
import type { SettledPlaces } from "#config/places.ts";

/** Addresses as the schemas have them: whoever wrote another one means it. */
function defaultUrl(name: PlaceSourceName): unknown {
  return (PLACE_SCHEMAS[name].properties.url as { default?: unknown }).default;
}

export function fillIn(places: SettledPlaces, sandbox: Sandbox | null): SettledPlaces {
  if (!sandbox) return places;
  const upstreams = sandbox.upstreams();
  const filled = Object.entries(places).map(([key, settings]) => {
    const name = key as PlaceSourceName;
    const open = settings.simulated && settings.url === defaultUrl(name);
    return [name, open ? { ...settings, ...toMembers(upstreams[name] ?? {}) } : settings];
  });
  return Object.fromEntries(filled) as SettledPlaces;
}

/** The simulator says everything as text; its lists have commas. */
function toMembers({ countries, ...texts }: Record<string, string>): object {
  return countries === undefined ? texts : { ...texts, countries: countries.split(",") };
}

/** The Overpass server; null: none is configured. */
export function openMapUrl(
  openstreetmap: Config["sources"]["openstreetmap"],
  sandbox: Sandbox | null,
): string | null {
  if (!openstreetmap.enabled) return null;
  return openstreetmap.url ?? sandbox?.upstreams()["openstreetmap"]?.url ?? null;
}

/** Without a slash at its end: adapters put paths behind it. */
export function toBase(url: string): string {
  return url.replace(/(?<!\/)\/+$/, "");
}
