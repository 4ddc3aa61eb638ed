/** Which systems the configuration means: those it names, and those that catalogues list. */
import type { Logger } from "pino";
import type { Sandbox } from "../sandbox/main.ts";
import type { AdjustableClock } from "#clock.ts";
import type { Config } from "#config/load.ts";
import { motisProtocol } from "#providers/motis/stations.ts";
import { openstreetmapProtocol } from "#providers/openstreetmap/stations.ts";
import type { FeedProtocol } from "#providers/provider.ts";
import type { FeedSystem } from "#upstream/feeds/types.ts";
import type { Run } from "#upstream/run.ts";
import type { World } from "#world/world.ts";
import { listConfigured, readCatalogueSystems } from "./catalogue.ts";
import { readCitybikesSystems } from "./networks.ts";

type Sources = Config["sources"];

/** A list of systems that is read now and then. */
export type Catalogue = {
  /** Stands in the world for systems nobody can name yet: answers stay `partial` until then. */
  id: string;
  /** null: it could not be read. */
  read: () => Promise<FeedSystem[] | null>;
};

/** It is asked for again after this long when it could not be read, and daily. */
const RETRY_MS = 60_000;
const RENEW_MS = 24 * 3_600_000;

/** What the configuration leaves to the simulator is taken from it. */
export function simulated(sources: Sources, sandbox: Sandbox | null): Sources {
  if (!sandbox) return sources;
  const { citybikes, motis, openstreetmap } = sources;
  const upstreams = `${sandbox.url}/upstreams`;
  return {
    ...sources,
    citybikes: citybikes.simulated ? { ...citybikes, url: `${upstreams}/citybikes` } : citybikes,
    motis: motis.simulated ? { ...motis, stations: sandbox.motisStations() } : motis,
    openstreetmap: openstreetmap.simulated
      ? { ...openstreetmap, stations: sandbox.openMapStations() }
      : openstreetmap,
  };
}

/** Sources that are documents of stations, named one by one. */
const DOCUMENTS = [
  { source: "motis", protocol: motisProtocol },
  { source: "openstreetmap", protocol: openstreetmapProtocol },
] as const;

/** Systems that need no catalogue. */
export function listSystems({ gbfs, ...others }: Sources, sandbox: Sandbox | null): FeedSystem[] {
  const own = gbfs.enabled ? gbfsSystems(gbfs, sandbox) : [];
  const documents = DOCUMENTS.flatMap(({ source, protocol }) =>
    others[source].enabled
      ? others[source].stations.map((each) => toDocumentSystem(source, protocol, each))
      : [],
  );
  return [...own, ...documents];
}

export function listCatalogues({ gbfs, citybikes }: Sources, run: Run): Catalogue[] {
  const catalogues: Catalogue[] = [];
  if (gbfs.enabled && gbfs.catalogue !== null)
    catalogues.push({ id: "gbfs_catalogue", read: () => readCatalogueSystems(gbfs, run) });
  if (citybikes.enabled)
    catalogues.push({ id: "citybikes_networks", read: () => readCitybikesSystems(citybikes, run) });
  return catalogues;
}

/** The simulator's systems, unless the configuration names its own. */
function gbfsSystems(gbfs: Sources["gbfs"], sandbox: Sandbox | null): FeedSystem[] {
  if (!sandbox || gbfs.systems.length || gbfs.catalogue !== null) return listConfigured(gbfs);
  return sandbox.gbfsSystems().map((system) => ({
    ...{ id: system.id, url: system.url, name: system.name, country: system.country },
    auth: system.auth ?? { kind: "none" },
    ...{ mode_hint: null, network: null, same_site_as: null },
  }));
}

function toDocumentSystem(
  source: string,
  protocol: FeedProtocol,
  document: Sources["openstreetmap"]["stations"][number],
): FeedSystem {
  const { id, url, country = null, name = null } = document;
  return {
    ...{ id: `${source}:${id}`, url, protocol, name, country },
    ...{ auth: { kind: "none" }, mode_hint: null, network: { id, name }, same_site_as: null },
  };
}

type Following = {
  world: World;
  add: (systems: FeedSystem[]) => Promise<void>;
  clock: AdjustableClock;
  log: Logger;
};

/** Reads a catalogue now and then; until it was read once, nobody knows what it would name. */
export async function follow(catalogue: Catalogue, following: Following): Promise<void> {
  const { world, add, clock, log } = following;
  world.register({ source_id: catalogue.id, country: null });
  const systems = await catalogue.read();
  if (systems) {
    world.setBox(catalogue.id, null);
    await add(systems);
    log.info({ catalogue: catalogue.id, systems: systems.length }, "catalogue");
  } else log.warn({ catalogue: catalogue.id }, "the catalogue could not be read");
  const again_ms = systems ? RENEW_MS : RETRY_MS;
  clock.schedule(clock.now() + again_ms, () => follow(catalogue, following));
}
