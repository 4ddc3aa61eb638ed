// Open Charge Map v3: /v3/poi around a point and /v3/referencedata, for those who have the key.
import { isInOpenChargeMap, openChargeMapIdOf } from "../listing.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import type { Point } from "../geo.ts";
import {
  answerText,
  listAll,
  type Measured,
  nearest,
  numberIn,
  observe,
  once,
  pointIn,
  type RegistryDeps,
} from "../registry.ts";
import type { Source } from "../source.ts";
import { boxIn, isWithin } from "./box.ts";
import { type Item, listPois, type Poi } from "./pois.ts";
import { REFERENCE } from "./reference.ts";

const ROOT = "/upstreams/openchargemap";
const KEY = "sandbox-ocm-key";
const METRES = { KM: 1000, MILES: 1609.344 } as const;
/** The real one puts the whole world into an answer that asks for no distance. */
const REACH = { usual: 100, maxresults: 100, most: 5000 } as const;

export function createOpenChargeMap({ world, now, origin }: RegistryDeps): Source {
  const pois = once(() => listPois(world.cities, listAll(world), world.seed));
  return {
    id: "openchargemap",
    description: "Open Charge Map API v3",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}`, api_key: KEY },
    observe: (thing) =>
      thing.kind === "service" && isInOpenChargeMap(thing)
        ? observe("openchargemap", `ocm/${openChargeMapIdOf(thing)}`)
        : [],
    handle: (request) => refusal(request) ?? answer(request, pois(), now()),
  };
}

function refusal({ query, headers }: SandboxRequest): Reply | null {
  const key = query.get("key") ?? headers["x-api-key"] ?? "";
  if (key === KEY) return null;
  return answerText(
    403,
    key === ""
      ? "You must specify an API key using the key query parameter or x-api-key header."
      : "Invalid API key.",
  );
}

function answer(request: SandboxRequest, pois: readonly Poi[], now_ms: number): Reply {
  const path = request.pathname.slice(ROOT.length).replace(/\/$/, "");
  if (path === "/v3/referencedata") return answerJson(200, REFERENCE);
  if (path !== "/v3/poi") return answerText(404, "Not Found");
  const metres = METRES[unitIn(request)];
  const match = select(request, pois, metres);
  const most = numberIn(request, "maxresults") ?? REACH.maxresults;
  const items = match
    .slice(0, Math.min(REACH.most, Math.max(0, most)))
    .map((poi) => print(poi, poi.row.toItem(now_ms), metres));
  return answerJson(200, items.map(isCompact(request) ? (item) => item : expand));
}

/** Miles unless kilometres are asked for. */
const unitIn = ({ query }: SandboxRequest): keyof typeof METRES =>
  query.get("distanceunit")?.toUpperCase() === "KM" ? "KM" : "MILES";

const isCompact = ({ query }: SandboxRequest): boolean => query.get("compact") === "true";

type Match = Omit<Measured<Poi>, "distance_m"> & { readonly distance_m: number | null };

function select(request: SandboxRequest, pois: readonly Poi[], metres: number): readonly Match[] {
  const countries = (request.query.get("countrycode") ?? "")
    .toUpperCase()
    .split(",")
    .filter(Boolean);
  const box = boxIn(request.query.get("boundingbox"));
  const wanted = pois.filter(
    (poi) =>
      (countries.length === 0 || countries.includes(poi.country)) &&
      (box === null || isWithin(poi, box)),
  );
  const at: Point | null = pointIn(request, "latitude", "longitude");
  if (at === null) return wanted.map((row) => ({ row, distance_m: null }));
  return nearest(wanted, at, (numberIn(request, "distance") ?? REACH.usual) * metres);
}

function print({ row: { lat, lon }, distance_m }: Match, item: Item, metres: number): Item {
  const address = item["AddressInfo"];
  const at = {
    Latitude: lat,
    Longitude: lon,
    Distance: distance_m === null ? null : distance_m / metres,
    DistanceUnit: distance_m === null ? 0 : metres === METRES.KM ? 1 : 2,
  };
  return { ...item, AddressInfo: { ...(address as Item), ...at } };
}

/** In full the objects come alongside their numbers. */
function expand(item: Item): Item {
  const byId = (rows: readonly { readonly ID: number }[], id: unknown): unknown =>
    rows.find(({ ID }) => ID === id) ?? null;
  const connections = item["Connections"];
  return {
    ...item,
    DataProvider: byId(REFERENCE.DataProviders, item["DataProviderID"]),
    OperatorInfo: byId(REFERENCE.Operators, item["OperatorID"]),
    UsageType: byId(REFERENCE.UsageTypes, item["UsageTypeID"]),
    StatusType: byId(REFERENCE.StatusTypes, item["StatusTypeID"]),
    Connections: Array.isArray(connections)
      ? (connections as Item[]).map((each) => ({
          ...each,
          ConnectionType: byId(REFERENCE.ConnectionTypes, each["ConnectionTypeID"]),
          CurrentType: byId(REFERENCE.CurrentTypes, each["CurrentTypeID"]),
          StatusType: byId(REFERENCE.StatusTypes, each["StatusTypeID"]),
        }))
      : connections,
  };
}
