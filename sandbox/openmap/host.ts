// The open map: /upstreams/openstreetmap/api/interpreter answers as Overpass does: queries in `data`
// with urban services, and without one the rental stations that mappers have drawn, which `network`
// narrows to those of one operator.
import { firstLanguage, textIn } from "../gbfs/context.ts";
import { around, type Point } from "../geo.ts";
import { answerJson, refuse, type Reply, type SandboxRequest } from "../http.ts";
import { hash, unit } from "../rng.ts";
import type { Source } from "../source.ts";
import type { Operator, Place } from "../world/model.ts";
import type { ServiceThing } from "../world/service-model.ts";
import type { World } from "../world/world.ts";
import { nameOfElement } from "./element.ts";
import { createSheets, elementsOf, type Sheet } from "./elements.ts";
import { answerPage, answerQuery, isStockAgent, queryTextOf } from "./overpass.ts";
import { createSlots } from "./slots.ts";

const API = "/upstreams/openstreetmap/api";
const PREFIX = `${API}/interpreter`;

/** Shares of the stations that mappers have drawn, numbered, named as the operator does, counted. */
const RATES = { drawn: 0.8, numbered: 0.55, exact_name: 0.2, capacity: 0.6 } as const;

export type OpenMap = Source & { readonly documents: readonly MapDocument[] };
export type MapDocument = {
  readonly id: string;
  readonly url: string;
  readonly country: string;
  readonly name: string;
};
type Deps = { readonly world: World; readonly now: () => number; readonly origin: string };

export function createOpenMap({ world, now, origin }: Deps): OpenMap {
  // Mappers are busy in every third city.
  const mapped = world.operators
    .filter(({ gbfs_only }) => !gbfs_only)
    .filter(({ stations, types }) => stations?.model === "pool" && types[0]?.mode === "bicycle")
    .filter((_, n) => n % 3 === 0);
  const byId = new Map(mapped.map((operator) => [operator.id, operator]));
  const sheets = createSheets(world);
  const slots = createSlots();
  return {
    id: "openstreetmap",
    description: "OpenStreetMap, as Overpass answers",
    upstream: { url: `${origin}${API}` },
    admit: (request) => (isQuery(request) ? slots.admit(request) : {}),
    parts: mapped.map(({ id }) => ({
      id: `openstreetmap:${id}`,
      url: `${origin}${PREFIX}?network=${id}`,
    })),
    partsOf: () => [],
    documents: mapped.map((operator) => ({
      id: operator.id,
      url: `${origin}${PREFIX}?network=${operator.id}`,
      country: operator.city.country,
      name: textIn(operator.name, firstLanguage(operator), operator),
    })),
    observe(thing) {
      if (thing.kind === "service") return observeService(thing);
      if (thing.kind !== "station" || !byId.has(thing.place.operator.id)) return [];
      return isDrawn(thing.place) ? [observationOf(thing.place)] : [];
    },
    handle(request) {
      if (request.pathname === `${API}/status`) return slots.status(now());
      if (isQuery(request)) return answerData(request, sheets(), now());
      return answer(request, byId, { world, now, origin });
    },
  };
}

const isQuery = (request: SandboxRequest): boolean =>
  request.pathname === PREFIX && (request.method === "POST" || request.query.has("data"));

function answerData(request: SandboxRequest, sheets: readonly Sheet[], now_ms: number): Reply {
  if (isStockAgent(request.headers["user-agent"]))
    return answerPage(406, "Not Acceptable", "the user agent must name the application");
  return answerQuery(queryTextOf(request), sheets, now_ms);
}

/** What is drawn twice is known by both numbers, the building first. */
const observeService = (thing: ServiceThing) =>
  elementsOf(thing).map((element) => ({
    source: "openstreetmap",
    network_id: "",
    source_id: nameOfElement(element),
  }));

const isDrawn = ({ operator, index, condition }: Place): boolean =>
  condition !== "not_installed" && unit(operator.key, index, 91) < RATES.drawn;

const nodeOf = ({ operator, index }: Place): number =>
  1_000_000_000 + (hash(operator.key, index, 92) % 900_000_000);

const observationOf = (place: Place) => ({
  source: "openstreetmap",
  network_id: place.operator.id,
  source_id: `openstreetmap:${place.operator.id}:node/${nodeOf(place)}`,
});

function answer(
  request: SandboxRequest,
  byId: ReadonlyMap<string, Operator>,
  { world }: Deps,
): Reply {
  if (request.pathname !== PREFIX) return refuse(404, "no such route");
  const network = request.query.get("network");
  const operators = [...byId.values()].filter(({ id }) => network === null || id === network);
  const elements = operators.flatMap((operator) =>
    world.listPlaces(operator).filter(isDrawn).map(toNode),
  );
  return answerJson(200, {
    version: 0.6,
    generator: "Overpass API 0.7.62.8",
    osm3s: { copyright: "© OpenStreetMap contributors, ODbL 1.0" },
    elements,
  });
}

/** Drawn from the air: rarely more than a few metres off, and twins nearly right. */
function drawnAt(place: Place): Point {
  const { key } = place.operator;
  const off_m = (place.twin === null ? 14 : 3) * unit(key, place.index, 93) ** 2;
  return around(place, unit(key, place.index, 94), off_m);
}

function toNode(place: Place): unknown {
  const { operator, index, capacity } = place;
  const { key } = operator;
  const at = drawnAt(place);
  const name = textIn(place.name, firstLanguage(operator), operator);
  const exact = place.twin !== null || unit(key, index, 95) < RATES.exact_name;
  return {
    type: "node",
    id: nodeOf(place),
    lat: at.lat,
    lon: at.lon,
    tags: {
      amenity: "bicycle_rental",
      bicycle_rental: "docking_station",
      name: exact ? name : shortened(name),
      network: textIn(operator.name, firstLanguage(operator), operator),
      operator: operator.company,
      ...(unit(key, index, 96) < RATES.numbered ? { ref: place.id } : {}),
      ...(unit(key, index, 97) < RATES.capacity ? { capacity: String(capacity) } : {}),
    },
  };
}

/** Mappers write what is on the sign: less, and in small letters. */
const shortened = (name: string): string =>
  name
    .replaceAll(/\b(Street|Avenue|Road|Square|Boulevard)\b/g, (word) => `${word.slice(0, 2)}.`)
    .toLowerCase();
