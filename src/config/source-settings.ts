/**
 * Which sources a deployment has, and what the operator chooses among them. In live mode those that
 * the file names, and without a file of its own those whose key is in the environment; in the sandbox
 * all, simulated, unless the file says otherwise (operation.md, Modes).
 */
import { Type } from "typebox";
import type { Static, TOptional, TSchema } from "typebox";
import { WEATHER_UNITS } from "#api/weather.ts";
import { fillDefaults } from "#config/defaults.ts";
import type { RunMode, Variables } from "#config/env.ts";
import { section } from "#config/schema-parts.ts";
import { listSources, type SourceId, type SOURCES } from "#providers/registry.ts";
import type { Role } from "#providers/source.ts";

type Schemas = { [N in SourceId]: (typeof SOURCES)[N]["config"] };

/** The members of `sources` by id; one that is left out is not asked. */
export const SOURCE_MEMBERS = Object.fromEntries(
  listSources().map(([id, { config }]) => [id, Type.Optional(config)]),
) as { [N in SourceId]: TOptional<Schemas[N]> };

/** `simulated`: what the file leaves open is filled in from the simulator. */
export type SettledSources = {
  [N in SourceId]: Static<Schemas[N]> & { simulated: boolean };
};

function idsOf(role: Role): SourceId[] {
  return listSources().flatMap(([id, source]) => (source.role === role ? [id] : []));
}

export const MapsSchema = section(
  {
    adapter: Type.Optional(
      Type.Enum(["google_maps", "openstreetmap"], {
        description:
          "The maps provider of this deployment. Default: google_maps where it is enabled or simulated, else openstreetmap.",
      }),
    ),
    geocoder: Type.Enum([...idsOf("geocoder"), "embedded"], {
      default: "photon",
      description:
        "Which geocoder the adapter openstreetmap asks; embedded: the imported bases, which also answer where the chosen one is not configured.",
    }),
  },
  "Geocoding, parking and charging: one maps provider, never mixed.",
);

export const AedSchema = section(
  { registry: Type.Enum(idsOf("aed"), { default: "openaedmap" }) },
  "Which register of defibrillators leads where several know the same one; every enabled one is asked.",
);

export const WeatherSchema = section(
  {
    units: Type.Enum([...WEATHER_UNITS], {
      default: "metric",
      description: "°C and m/s, K and m/s, or °F and miles an hour.",
    }),
    source: Type.Optional(
      Type.Enum(idsOf("weather"), {
        description: "Who is asked. Default: openweathermap where it has a key, else met_norway.",
      }),
    ),
  },
  "The legacy routes of weather and forecast.",
);

export type Maps = { adapter: "google_maps" | "openstreetmap"; geocoder: string };

/** As the file has it, else as the sources do. */
export function settleMaps(stated: Static<typeof MapsSchema>, sources: SettledSources): Maps {
  const usual = sources.google_maps.enabled ? "google_maps" : "openstreetmap";
  return { adapter: stated.adapter ?? usual, geocoder: stated.geocoder };
}

type From = { mode: RunMode; variables: Variables; own_file: boolean };
type Stated = { readonly [N in SourceId]?: object | undefined };

export function settleSources(stated: Stated, from: From): SettledSources {
  const settled = listSources().map(([id]) => [id, settle(id, stated, from)]);
  return Object.fromEntries(settled) as SettledSources;
}

function settle(id: SourceId, stated: Stated, { mode, variables, own_file }: From) {
  const sandbox = mode === "sandbox";
  const source = listSources().find(([name]) => name === id)![1];
  const own = stated[id];
  if (own) return { ...own, simulated: sandbox && source.systems !== true };
  if (source.systems) {
    // A file that names GBFS systems of its own means those and no simulated ones.
    const simulated = sandbox && stated.gbfs === undefined;
    return { ...fill(source.config, { enabled: simulated }), simulated };
  }
  const { variable = "", member = "" } = source.key ?? {};
  const key = own_file || sandbox ? "" : (variables[variable] ?? "");
  const enabled = sandbox ? source.role !== "supplement" : key !== "" || source.always === true;
  const input = key === "" ? { enabled } : { enabled, [member]: key };
  return { ...fill(source.config, input), simulated: sandbox };
}

function fill(schema: TSchema, input: object) {
  return fillDefaults(schema, input) as Static<Schemas[SourceId]>;
}
