// Nearby Search: a circle and types, at most 20, and no next page.
import { distance, type Point } from "../geo.ts";
import type { Reply } from "../http.ts";
import type { Spot } from "../world/gazetteer.ts";
import type { ServiceThing } from "../world/service-model.ts";
import { answerWith, type PlaceRequest, countIn, type PlacesDeps } from "./asked.ts";
import {
  type Body,
  type Circle,
  invalid,
  type Members,
  readCircle,
  refuseTypes,
  textsIn,
} from "./body.ts";
import {
  isListed,
  type Place,
  serviceTypes,
  spotTypes,
  type PlaceContext,
  toServicePlace,
  toSpotPlace,
} from "./place.ts";
import { unknownTypes } from "./place-types.ts";

const CITY_REACH_M = 20_000;

export const NEARBY_MEMBERS: Members = {
  includedTypes: "texts",
  excludedTypes: "texts",
  includedPrimaryTypes: "texts",
  excludedPrimaryTypes: "texts",
  maxResultCount: "integer",
  locationRestriction: "object",
  rankPreference: "text",
  languageCode: "text",
  regionCode: "text",
  routingParameters: "object",
};

type Candidate = Point & {
  readonly types: readonly string[];
  readonly key: number;
  render(context: PlaceContext): Place;
};

export function answerNearby(request: PlaceRequest, deps: PlacesDeps): Reply {
  const { body } = request;
  const count = countIn(body, "maxResultCount");
  if (count === null)
    return invalid("Max result count must be between 1 and 20.", "maxResultCount");
  const refused = refuseTypes(body, (names) => unknownTypes(names, deps.old));
  if (refused !== null) return refused;
  const rank = body["rankPreference"] ?? "POPULARITY";
  if (rank !== "DISTANCE" && rank !== "POPULARITY")
    return invalid("Invalid value at 'rank_preference'.", "rankPreference");
  const area = readCircle(body["locationRestriction"], "locationRestriction");
  if ("refused" in area) return area.refused;
  const { circle } = area;
  const matches = listCandidates(deps, circle)
    .filter((each) => isWanted(each, body) && distance(each, circle) <= circle.radius)
    .toSorted((a, b) =>
      rank === "DISTANCE"
        ? distance(a, circle) - distance(b, circle) || a.key - b.key
        : a.key - b.key,
    );
  return answerWith(
    matches.slice(0, count).map(({ render }) => render(request.context)),
    request,
  );
}

function listCandidates({ world, addresses, old }: PlacesDeps, circle: Circle): Candidate[] {
  const services = world.cities
    .filter((city) => distance(city, circle) <= circle.radius + CITY_REACH_M)
    .flatMap((city) => world.listServices(city).filter(isListed));
  return [
    ...services.map((thing) => toServiceCandidate(thing, old)),
    // Its car parks are services, above.
    ...addresses
      .listPois()
      .filter(({ kind }) => kind !== "parking")
      .map(toSpotCandidate),
  ];
}

const toServiceCandidate = (thing: ServiceThing, old: boolean): Candidate => ({
  lat: thing.lat,
  lon: thing.lon,
  key: thing.key,
  types: serviceTypes(thing, old),
  render: (context) => toServicePlace(thing, context),
});

const toSpotCandidate = (spot: Spot): Candidate => ({
  lat: spot.lat,
  lon: spot.lon,
  key: spot.key,
  types: spotTypes(spot),
  render: (context) => toSpotPlace(spot, context),
});

function isWanted({ types }: Candidate, body: Body): boolean {
  const has = (name: string, own: readonly string[]): boolean =>
    textsIn(body, name).some((type) => own.includes(type));
  const allows = (name: string, own: readonly string[]): boolean =>
    textsIn(body, name).length === 0 || has(name, own);
  const main = types.slice(0, 1);
  return (
    allows("includedTypes", types) &&
    allows("includedPrimaryTypes", main) &&
    !has("excludedTypes", types) &&
    !has("excludedPrimaryTypes", main)
  );
}
