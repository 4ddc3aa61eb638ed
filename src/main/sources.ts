/** Which systems the configuration means without a catalogue. */
import type { Sandbox } from "../../sandbox/main.ts";
import type { Config } from "#config/load.ts";
import { motisProtocol } from "#providers/motis/stations.ts";
import { openstreetmapProtocol } from "#providers/openstreetmap/stations.ts";
import type { FeedProtocol } from "#providers/provider.ts";
import type { FeedSystem } from "#upstream/feeds/types.ts";
import { listConfigured } from "./catalogue.ts";

type Sources = Config["sources"];

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
