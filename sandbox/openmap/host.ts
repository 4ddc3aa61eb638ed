// The open map: /upstreams/openstreetmap/api/interpreter answers as Overpass does: queries in `data`
// with urban services, and without one the rental stations that mappers have drawn, which `network`
// narrows to those of one operator.
import { firstLanguage, textIn } from "../gbfs/context.ts";
import { answerJson, refuse, type Reply, type SandboxRequest } from "../http.ts";
import type { Source } from "../source.ts";
import type { Operator, Place } from "../world/model.ts";
import type { ServiceThing } from "../world/service-model.ts";
import type { World } from "../world/world.ts";
import { docksOf, dockIdOf, isDockDrawn, mappedOperators } from "./docks.ts";
import { nameOfElement } from "./element.ts";
import { createSheets, elementsOf, type Sheet } from "./elements.ts";
import { answerPage, answerQuery, isStockAgent, queryTextOf } from "./overpass.ts";
import { createSlots } from "./slots.ts";

const API = "/upstreams/openstreetmap/api";
const PREFIX = `${API}/interpreter`;

export type OpenMap = Source & { readonly documents: readonly MapDocument[] };
export type MapDocument = {
  readonly id: string;
  readonly url: string;
  readonly country: string;
  readonly name: string;
};
type Deps = { readonly world: World; readonly now: () => number; readonly origin: string };

export function createOpenMap({ world, now, origin }: Deps): OpenMap {
  const mapped = mappedOperators(world);
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
      return isDockDrawn(thing.place) ? [observationOf(thing.place)] : [];
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

const observationOf = (place: Place) => ({
  source: "openstreetmap",
  network_id: place.operator.id,
  source_id: `openstreetmap:${place.operator.id}:node/${dockIdOf(place)}`,
});

function answer(
  request: SandboxRequest,
  byId: ReadonlyMap<string, Operator>,
  { world }: Deps,
): Reply {
  if (request.pathname !== PREFIX) return refuse(404, "no such route");
  const network = request.query.get("network");
  const operators = [...byId.values()].filter(({ id }) => network === null || id === network);
  const elements = operators.flatMap((operator) => docksOf(world, operator));
  return answerJson(200, {
    version: 0.6,
    generator: "Overpass API 0.7.62.8",
    osm3s: { copyright: "© OpenStreetMap contributors, ODbL 1.0" },
    elements,
  });
}
