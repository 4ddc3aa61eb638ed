/** What the configuration leaves to the simulator of the sandbox, and what its first examples need. */
import type { Config } from "#config/load.ts";
import { fillDefaults } from "#config/defaults.ts";
import { listSources } from "#providers/registry.ts";
import { type RegisterEntry, RegisterSchema } from "#providers/register-source.ts";
import { SHAPES } from "#providers/register-shapes.ts";

type Sources = Config["sources"];

/** What the simulator says of itself. */
type Simulator = {
  url: string;
  upstreams(): Record<string, Record<string, string>>;
  motisStations(): Sources["motis"]["stations"];
  openMapStations(): Sources["openstreetmap"]["stations"];
  gtfsFeeds(): { id: string; url: string; realtime?: Omit<Live, keyof typeof LIVE_PACE> }[];
};
type Live = NonNullable<Sources["gtfs"]["feeds"][number]["realtime"]>;

/** What the configuration leaves to the simulator is taken from it. */
export function simulated(sources: Sources, sandbox: Simulator | null): Sources {
  if (!sandbox) return sources;
  const { citybikes, motis, openstreetmap, gtfs } = sources;
  const upstreams = sandbox.upstreams();
  const lookups = listSources().flatMap(([id, source]) => {
    const settings = sources[id] as { url?: unknown };
    const { default: usual } = (source.config.properties["url"] ?? {}) as { default?: unknown };
    // An address other than the schema's is meant.
    const isOpen = !source.systems && settings.url !== undefined && settings.url === usual;
    return isOpen ? [[id, { ...settings, ...toMembers(upstreams[id] ?? {}) }] as const] : [];
  });
  return {
    ...sources,
    ...(Object.fromEntries(lookups) as Partial<Sources>),
    citybikes: citybikes.simulated
      ? { ...citybikes, url: `${sandbox.url}/upstreams/citybikes` }
      : citybikes,
    motis: motis.simulated ? { ...motis, stations: sandbox.motisStations() } : motis,
    openstreetmap: {
      ...openstreetmap,
      url: openstreetmap.url ?? upstreams["openstreetmap"]?.url ?? null,
      ...(openstreetmap.simulated ? { stations: sandbox.openMapStations() } : {}),
    },
    registers: sources.registers ?? listSimulated(upstreams),
    gtfs: gtfs.feeds.length > 0 || gtfs.catalogue !== null ? gtfs : simulateGtfs(gtfs, sandbox),
  };
}

/** A register for each shape that the simulator has a host of. */
function listSimulated(upstreams: ReturnType<Simulator["upstreams"]>): Sources["registers"] {
  return SHAPES.flatMap(({ id, name }) => {
    const { url, live_url = null } = upstreams[id] ?? {};
    if (url === undefined) return [];
    const entry = { id: `sandbox_${id}`, shape: id, name: `Sandbox ${name}`, url, live_url };
    return [fillDefaults(RegisterSchema, entry) as RegisterEntry];
  });
}

/** The simulator says everything as text; its lists have commas. */
function toMembers({ countries, ...texts }: Record<string, string>) {
  return countries === undefined ? texts : { ...texts, countries: countries.split(",") };
}

function simulateGtfs(stated: Sources["gtfs"], sandbox: Simulator): Sources["gtfs"] {
  return {
    ...stated,
    feeds: sandbox.gtfsFeeds().map(({ realtime, ...feed }) => ({
      ...feed,
      ...(realtime && { realtime: { ...realtime, ...LIVE_PACE } }),
    })),
    catalogue: sandbox.upstreams()["mobilitydb"]?.url ?? null,
  };
}

/** The printed examples of the sandbox ask about its first cities. */
export const SHOWN_CITIES = 2;

/** How long the first readings of the sandbox may hold the start up. */
export const FIRST_READINGS = { within_ms: 2_000 };

/** What must be read before the printed examples have their answers. */
export type Needed = {
  /** Of their cities: whose systems are surveyed first. */
  countries: string[];
  /** Ids of timetables: those of the first city, where they are among the configured ones. */
  timetables: string[];
};

/** Live, nothing is printed. */
export function listNeeded(
  { gtfs }: { gtfs: Pick<Sources["gtfs"], "enabled"> & { feeds: readonly { id: string }[] } },
  sandbox: { cities(): readonly { country: string; timetables: readonly string[] }[] } | null,
): Needed {
  const listed = sandbox?.cities().slice(0, SHOWN_CITIES) ?? [];
  const ids = gtfs.enabled ? gtfs.feeds.map(({ id }) => id) : [];
  return {
    countries: listed.map(({ country }) => country),
    timetables: ids.filter((id) => listed[0]?.timetables.includes(id)),
  };
}

/** As the schema has it (src/providers/gtfs.ts). */
const LIVE_PACE = { max_age_s: 120, refresh_s: 15 };
