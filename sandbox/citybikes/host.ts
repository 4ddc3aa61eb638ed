// CityBikes: /upstreams/citybikes/v2/networks and /v2/networks/<id>, for the docked bicycles.
import { firstLanguage, rfc3339, textIn } from "../gbfs/context.ts";
import type { Point } from "../geo.ts";
import { answerJson, refuse, type Reply, type SandboxRequest } from "../http.ts";
import { unit } from "../rng.ts";
import type { Source } from "../source.ts";
import type { Operator, Place, StationThing } from "../world/model.ts";
import type { World } from "../world/world.ts";
import { idAt, RATES, seenAt, seenCapacity, seenName, siteKey, staleNear } from "./disagreement.ts";
import { createLimit } from "./limit.ts";

const PREFIX = "/upstreams/citybikes/v2/networks";
/** How far behind the operators it is: none of its reports is fresher than theirs. */
const LAG_MS = 5 * 60_000;

export type CitybikesHost = Source & { readonly networks: readonly Network[] };
type Network = { readonly id: string; readonly operator: Operator; readonly scraped: boolean };
type Deps = { readonly world: World; readonly now: () => number; readonly origin: string };

export function createCitybikesHost({ world, now, origin }: Deps): CitybikesHost {
  const networks = world.operators.filter(isDocked).map((operator, n) => ({
    id: operator.id.replaceAll("-", ""),
    operator,
    // Every third is read from the operator's site, and knows no GBFS.
    scraped: n % 3 === 2,
  }));
  const byId = new Map(networks.map((network) => [network.id, network]));
  const byOperator = new Map(networks.map((network) => [network.operator.id, network]));
  const limit = createLimit(now);

  return {
    id: "citybikes",
    description: "CityBikes API v2",
    networks,
    parts: networks.map(({ id }) => ({ id: `citybikes:${id}`, url: `${origin}${PREFIX}/${id}` })),
    partsOf: (pathname) => {
      const id = networkIn(pathname);
      return byId.has(id) ? [`citybikes:${id}`] : [];
    },
    observe(thing) {
      const network =
        thing.kind === "station" ? byOperator.get(thing.place.operator.id) : undefined;
      if (!network || thing.kind !== "station" || !isListed(thing)) return [];
      return [observationOf(network, seenAt(thing.place, network.scraped))];
    },
    alone(operator) {
      const network = byOperator.get(operator.id);
      if (!network) return [];
      return staleOf(world, network).map(({ place, at }) => ({
        place,
        location: at,
        name: seenName(place),
        sources: [observationOf(network, at)],
      }));
    },
    handle(request) {
      if (request.method !== "GET") return refuse(405, "use GET");
      const { headers, refused } = limit();
      if (refused) return answerJson(429, { error: "API rate limit exceeded" }, headers);
      const reply = answer(request, { world, now, origin, networks, byId });
      return { ...reply, headers: { ...reply.headers, ...headers } };
    },
  };
}

const isDocked = ({ stations, types, gbfs_only }: Operator): boolean =>
  !gbfs_only && stations?.model === "pool" && types.every(({ mode }) => mode === "bicycle");

/** What is not installed is left out of its lists (mobility.md 2.2). */
const isListed = ({ is_installed }: StationThing): boolean => is_installed;

const networkIn = (pathname: string): string =>
  pathname.slice(PREFIX.length + 1).split("/")[0] ?? "";

const observationOf = (network: Network, at: Point) => ({
  source: "citybikes",
  network_id: network.id,
  source_id: `citybikes:${network.id}:${idAt(at)}`,
});

type Stale = { readonly place: Place; readonly at: Point };

const staleOf = (world: World, { operator }: Network): Stale[] =>
  world.listPlaces(operator).flatMap((place) => {
    const at = staleNear(place);
    return at === null ? [] : [{ place, at }];
  });

type Answering = Deps & {
  readonly networks: readonly Network[];
  readonly byId: ReadonlyMap<string, Network>;
};

function answer(request: SandboxRequest, deps: Answering): Reply {
  const fields = request.query.get("fields")?.split(",") ?? null;
  const id = networkIn(request.pathname);
  if (id === "") {
    const listed = deps.networks.map((network) => only(facts(network, deps.origin), fields));
    return answerJson(200, { networks: listed });
  }
  const network = deps.byId.get(id);
  if (!network) return answerJson(404, {});
  const stations = listStations(network, deps);
  return answerJson(200, {
    network: only({ ...facts(network, deps.origin), stations }, fields),
  });
}

const only = (value: Record<string, unknown>, fields: readonly string[] | null): unknown =>
  fields === null
    ? value
    : Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));

/** Some countries come in three letters, some companies as a bare text. */
const ALPHA_3: Readonly<Record<string, string>> = { FR: "FRA", DE: "DEU", JP: "JPN" };

function facts({ id, operator, scraped }: Network, origin: string): Record<string, unknown> {
  const { city, company } = operator;
  return {
    id,
    name: textIn(operator.name, firstLanguage(operator), operator),
    href: `/v2/networks/${id}`,
    company: id.length % 2 === 0 ? company : [company],
    ...(scraped ? {} : { gbfs_href: `${origin}/upstreams/gbfs/${operator.id}/gbfs.json` }),
    location: {
      latitude: city.lat,
      longitude: city.lon,
      city: city.name,
      country: ALPHA_3[city.country] ?? city.country,
    },
  };
}

function listStations(network: Network, { world, now }: Answering): unknown[] {
  const scene = world.getScene(network.operator, now() - LAG_MS);
  const listed = scene.stations.filter(isListed).map((station) => toStation(network, station));
  const stale = staleOf(world, network).map((each) => toStale(each));
  return [...listed, ...stale];
}

function toStation({ scraped }: Network, station: StationThing): unknown {
  const { place, available, docks, by_type, last_reported_s } = station;
  const { operator, index } = place;
  const at = seenAt(place, scraped);
  const slots = seenCapacity(place);
  const electric = by_type.find(({ type }) => type.propulsion !== "human")?.count ?? 0;
  return {
    id: idAt(at),
    name: seenName(place),
    latitude: at.lat,
    longitude: at.lon,
    timestamp: timestampOf(operator, index, last_reported_s),
    free_bikes: available,
    empty_slots: docks,
    extra: {
      uid: scraped ? siteKey(place) : place.id,
      renting: flag(index, station.is_renting),
      returning: flag(index, station.is_returning),
      last_updated: last_reported_s,
      ...(docks === null ? {} : { slots }),
      ...(index % 2 === 0 ? { has_ebikes: true, ebikes: electric } : {}),
      address: place.address,
    },
  };
}

/** Numbers here, booleans there. */
const flag = (index: number, value: boolean): boolean | number =>
  index % 3 === 0 ? Number(value) : value;

/** It was there once: its name and its last counts remain. */
function toStale({ place, at }: Stale): unknown {
  const { operator, index } = place;
  return {
    id: idAt(at),
    name: seenName(place),
    latitude: at.lat,
    longitude: at.lon,
    timestamp: timestampOf(operator, index + 500, STALE_S),
    free_bikes: index % 4,
    empty_slots: null,
    extra: { last_updated: STALE_S },
  };
}

/** Their last report. */
const STALE_S = 1_735_689_600;

function timestampOf({ key }: Operator, index: number, time_s: number): string {
  const plain = rfc3339(time_s);
  return unit(key, index, 82) < RATES.malformed_timestamp
    ? plain.replace(/:(\d\d)Z$/, ":$1505032+00:00Z")
    : plain;
}
