// Every simulated upstream, made once: another one is a line in this list.
import { createCitybikesHost } from "./citybikes/host.ts";
import { createDatexEnergy } from "./datex2energy/host.ts";
import { createDatexParking } from "./datex2parking/host.ts";
import { createFasta } from "./fasta/host.ts";
import { createGbfsHost, type GbfsHost } from "./gbfs/host.ts";
import { createGeodae } from "./geodae/host.ts";
import { createGoogleMaps, createOldGoogleMaps } from "./google/host.ts";
import { createGtfs } from "./gtfs/host.ts";
import { createGtfsRealtime, type RealtimeHost } from "./gtfs-rt/host.ts";
import { createInpost } from "./inpost/host.ts";
import { createIrve } from "./irve/host.ts";
import { createMetNorway } from "./metnorway/host.ts";
import { createMotis, type MotisHost } from "./motis/host.ts";
import { createMotisStops } from "./motis/stops.ts";
import { createNavitia } from "./navitia/host.ts";
import { createNominatim } from "./nominatim/host.ts";
import { createOcpi } from "./ocpi/host.ts";
import { createOcpiBulk } from "./ocpibulk/host.ts";
import { createOicp } from "./oicp/host.ts";
import { createOpenAedMap } from "./openaedmap/host.ts";
import { createOpenChargeMap } from "./openchargemap/host.ts";
import { createOpenMap, type OpenMap } from "./openmap/host.ts";
import { createOpenMeteo } from "./openmeteo/host.ts";
import { createOpenWeatherMap } from "./openweathermap/host.ts";
import { createParisData } from "./parisdata/host.ts";
import { createParkApi } from "./parkapi/host.ts";
import { createPelias } from "./pelias/host.ts";
import { createPhoton } from "./photon/host.ts";
import { createRefuge } from "./refuge/host.ts";
import type { Source } from "./source.ts";
import { createMobilityDatabase } from "./mobilitydb/host.ts";
import { createTransitland } from "./transitland/host.ts";
import { createAddresses } from "./world/addresses.ts";
import type { World } from "./world/world.ts";

export type HostDeps = {
  readonly world: World;
  readonly now: () => number;
  /** Scheme, host and port of the simulator. */
  readonly origin: string;
};

export type Hosts = {
  /** In the order in which a thing's observations are listed. */
  readonly sources: readonly Source[];
  readonly gbfs: GbfsHost;
  readonly map: OpenMap;
  readonly motis: MotisHost;
  readonly realtime: RealtimeHost;
};

export function createHosts(deps: HostDeps): Hosts {
  const gbfs = createGbfsHost(deps);
  const map = createOpenMap(deps);
  const stops = createMotisStops(deps);
  const motis = createMotis({ ...deps, stops });
  const realtime = createGtfsRealtime(deps);
  const places = { ...deps, addresses: createAddresses(deps.world) };
  return {
    gbfs,
    map,
    motis,
    realtime,
    sources: [
      gbfs,
      createCitybikesHost(deps),
      map,
      motis,
      createOpenAedMap(deps),
      createGeodae(deps),
      createRefuge(deps),
      createInpost(deps),
      createOpenChargeMap(deps),
      createOcpi(deps),
      createGoogleMaps(places),
      createOldGoogleMaps(places),
      createPhoton(places),
      createNominatim(places),
      createPelias(places),
      createGtfs(deps),
      realtime,
      createMobilityDatabase(deps),
      createNavitia(deps),
      createTransitland(deps),
      stops,
      createOpenWeatherMap(deps),
      createMetNorway(deps),
      createOpenMeteo(deps),
      createParisData(deps),
      createFasta(deps),
      createParkApi(deps),
      createDatexParking(deps),
      createOcpiBulk(deps),
      createIrve(deps),
      createOicp(deps),
      createDatexEnergy(deps),
    ],
  };
}
