/** Every provider there is, by hand: what is not in this array does not exist. */
import type { Descriptor } from "#providers/define.ts";
import citybikes from "#providers/citybikes/index.ts";
import { citybikesProtocol } from "#providers/citybikes/protocol.ts";
import gbfs from "#providers/gbfs/index.ts";
import { gbfsProtocol } from "#providers/gbfs/protocol.ts";
import geodae from "#providers/geodae/index.ts";
import gtfs from "#providers/gtfs/index.ts";
import mobilitydb from "#providers/mobilitydb/index.ts";
import navitia from "#providers/navitia/index.ts";
import transitland from "#providers/transitland/index.ts";
import googleMaps from "#providers/google_maps/index.ts";
import inpost from "#providers/inpost/index.ts";
import nominatim from "#providers/nominatim/index.ts";
import ocpi from "#providers/ocpi/index.ts";
import openaedmap from "#providers/openaedmap/index.ts";
import openchargemap from "#providers/openchargemap/index.ts";
import pelias from "#providers/pelias/index.ts";
import photon from "#providers/photon/index.ts";
import parisOpendata from "#providers/paris_opendata/index.ts";
import refugeRestrooms from "#providers/refuge_restrooms/index.ts";
import metNorway from "#providers/met_norway/index.ts";
import openMeteo from "#providers/open_meteo/index.ts";
import openWeatherMap from "#providers/openweathermap/index.ts";
import motis from "#providers/motis/index.ts";
import { motisProtocol } from "#providers/motis/stations.ts";
import openstreetmap from "#providers/openstreetmap/index.ts";
import { openstreetmapProtocol } from "#providers/openstreetmap/stations.ts";
import type { FeedProtocol, IngestJob, IngestResult } from "#providers/provider.ts";

export const PROVIDERS: readonly Descriptor[] = [
  ...[gbfs, citybikes, motis, openstreetmap],
  ...[googleMaps, photon, nominatim, pelias],
  ...[gtfs, navitia, transitland, mobilitydb],
  ...[refugeRestrooms, openaedmap, geodae, inpost, openchargemap, ocpi],
  parisOpendata,
  ...[openWeatherMap, metNorway, openMeteo],
];

export function findProvider(id: string): Descriptor | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}

/** Throws for an id that is not listed: a wrong name is a programming error. */
export function getProvider(id: string): Descriptor {
  const found = findProvider(id);
  if (!found) throw new Error(`no provider ${id}`);
  return found;
}

/** Every way of publishing whole systems that the feed runtime can drive. */
const FEED_PROTOCOLS: Readonly<Record<string, FeedProtocol>> = {
  gbfs: gbfsProtocol,
  citybikes: citybikesProtocol,
  motis: motisProtocol,
  openstreetmap: openstreetmapProtocol,
};

/** Bodies in, packs out, whoever published them: what the parsing thread runs. */
export function ingest(job: IngestJob): IngestResult {
  return FEED_PROTOCOLS[job.protocol]!.ingest(job);
}
