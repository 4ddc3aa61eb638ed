/** The sources of a deployment: what the simulator fills in, and the systems that are named one by one. */
import type { Sandbox, SandboxCity } from "../../sandbox/main.ts";
import { listUrls } from "#config/hosts.ts";
import type { Config } from "#config/load.ts";
import { FEED_PROTOCOLS } from "#providers/protocols.ts";
import { listSources, type SourceId } from "#providers/registry.ts";
import type { FeedSystem } from "#upstream/feeds/types.ts";
import { listConfigured } from "./catalogue.ts";

type Sources = Config["sources"];

/** What the configuration leaves to the simulator is taken from it. */
export function simulated(sources: Sources, sandbox: Sandbox | null): Sources {
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
    gtfs: gtfs.feeds.length > 0 || gtfs.catalogue !== null ? gtfs : simulateGtfs(gtfs, sandbox),
  };
}

/** The simulator says everything as text; its lists have commas. */
function toMembers({ countries, ...texts }: Record<string, string>) {
  return countries === undefined ? texts : { ...texts, countries: countries.split(",") };
}

function simulateGtfs(stated: Sources["gtfs"], sandbox: Sandbox): Sources["gtfs"] {
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
  sandbox: { cities(): readonly Pick<SandboxCity, "country" | "timetables">[] } | null,
): Needed {
  const shown = sandbox?.cities().slice(0, SHOWN_CITIES) ?? [];
  const ids = gtfs.enabled ? gtfs.feeds.map(({ id }) => id) : [];
  return {
    countries: shown.map(({ country }) => country),
    timetables: ids.filter((id) => shown[0]?.timetables.includes(id)),
  };
}

/** As the schema has it (src/providers/gtfs.ts). */
const LIVE_PACE = { max_age_s: 120, refresh_s: 15 };

/** Every address of the operator's own that may be asked; those of GBFS systems are theirs. */
export function listAddresses(sources: Sources): string[] {
  return listUrls({ ...sources, gbfs: null }).filter((url) => URL.canParse(url));
}

/** Sources that are documents of stations, named one by one. */
const DOCUMENTS = ["motis", "openstreetmap"] as const satisfies SourceId[];

/** Systems that need no catalogue. */
export function listSystems({ gbfs, ...others }: Sources, sandbox: Sandbox | null): FeedSystem[] {
  const own = gbfs.enabled ? gbfsSystems(gbfs, sandbox) : [];
  const documents = DOCUMENTS.flatMap((source) =>
    others[source].enabled
      ? others[source].stations.map((each) => toDocumentSystem(source, each))
      : [],
  );
  return [...own, ...documents];
}

/** The simulator's systems, unless the configuration names its own. */
function gbfsSystems(gbfs: Sources["gbfs"], sandbox: Sandbox | null): FeedSystem[] {
  if (!sandbox || gbfs.systems.length || gbfs.catalogue !== null) return listConfigured(gbfs);
  return sandbox.gbfsSystems().map((system) => ({
    id: system.id,
    url: system.url,
    name: system.name,
    country: system.country,
    auth: system.auth ?? { kind: "none" },
    mode_hint: null,
    network: null,
    same_site_as: null,
  }));
}

function toDocumentSystem(
  source: (typeof DOCUMENTS)[number],
  document: Sources["openstreetmap"]["stations"][number],
): FeedSystem {
  const { id, url, country = null, name = null } = document;
  return {
    id: `${source}:${id}`,
    url,
    protocol: FEED_PROTOCOLS[source]!,
    name,
    country,
    auth: { kind: "none" },
    mode_hint: null,
    network: { id, name },
    same_site_as: null,
  };
}
