// A MOTIS server that has gathered the stations of some operators: /upstreams/motis/api/v1/rentals,
// and the stops of some feeds (stops.ts).
import { firstLanguage, textIn } from "../gbfs/context.ts";
import { distance, type Point } from "../geo.ts";
import { answerJson, refuse, type Reply, type SandboxRequest } from "../http.ts";
import type { Source } from "../source.ts";
import type { Operator, Place } from "../world/model.ts";
import type { World } from "../world/world.ts";
import { STOPS_ROOT } from "./stops.ts";

const PREFIX = "/upstreams/motis/api/v1/rentals";
/** Its copies are cut to five decimals. */
const DECIMALS = 5;

export type MotisHost = Source & { readonly documents: readonly MotisDocument[] };
export type MotisDocument = {
  readonly id: string;
  readonly url: string;
  readonly country: string;
  readonly name: string;
};
type Deps = { readonly world: World; readonly origin: string; readonly stops: Source };

export function createMotis({ world, origin, stops }: Deps): MotisHost {
  // One region of the simulated trip planner is Berlin and Warsaw.
  const gathered = world.operators.filter(
    ({ city, stations }) => stations?.model === "pool" && REGION.has(city.id),
  );
  const ids = new Set(gathered.map(({ id }) => id));
  const urlOf = ({ id, city, reach_m }: Operator): string =>
    `${origin}${PREFIX}?point=${city.lat},${city.lon}&radius=${reach_m * 2}#provider=${id}`;
  return {
    id: "motis",
    description: "MOTIS rentals",
    parts: gathered.map((operator) => ({ id: `motis:${operator.id}`, url: urlOf(operator) })),
    partsOf: (pathname) => (pathname.startsWith(STOPS_ROOT) ? [stops.id] : []),
    documents: gathered.map((operator) => ({
      id: operator.id,
      url: urlOf(operator),
      country: operator.city.country,
      name: nameOf(operator),
    })),
    observe(thing) {
      if (thing.kind !== "station" || !thing.is_installed) return [];
      const { place } = thing;
      return ids.has(place.operator.id) ? [observationOf(place)] : [];
    },
    handle: (request) =>
      request.pathname.startsWith(STOPS_ROOT)
        ? stops.handle(request)
        : answer(request, gathered, world),
  };
}

const REGION: ReadonlySet<string> = new Set(["berlin", "warsaw"]);

const nameOf = (operator: Operator): string =>
  textIn(operator.name, firstLanguage(operator), operator);

const observationOf = ({ operator, id }: Place) => ({
  source: "motis",
  network_id: operator.id,
  source_id: `motis:${operator.id}:${id}`,
});

function answer(
  { pathname, query }: SandboxRequest,
  gathered: readonly Operator[],
  world: World,
): Reply {
  if (pathname !== PREFIX) return refuse(404, "no such route");
  const [lat = Number.NaN, lon = Number.NaN] = (query.get("point") ?? "").split(",").map(Number);
  const radius_m = Number(query.get("radius"));
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && radius_m > 0))
    return answerJson(400, { error: "point and radius are required" });
  const near = (place: Point): boolean => distance({ lat, lon }, place) <= radius_m;
  const stations = gathered.flatMap((operator) =>
    world
      .listPlaces(operator)
      .filter((place) => place.condition !== "not_installed" && near(place))
      .map(toStation),
  );
  const providers = gathered.map((operator) => ({
    id: operator.id,
    name: nameOf(operator),
    groupId: operator.company,
    formFactors: ["BICYCLE"],
  }));
  return answerJson(200, { providerGroups: [], providers, stations, vehicles: [], zones: [] });
}

function toStation(place: Place): unknown {
  const { operator, id, lat, lon } = place;
  return {
    id,
    providerId: operator.id,
    providerGroupId: operator.company,
    name: textIn(place.name, firstLanguage(operator), operator),
    lat: Number(lat.toFixed(DECIMALS)),
    lon: Number(lon.toFixed(DECIMALS)),
    isRenting: true,
    isReturning: true,
    numVehiclesAvailable: 0,
    formFactors: ["BICYCLE"],
    vehicleTypesAvailable: {},
    vehicleDocksAvailable: {},
  };
}
