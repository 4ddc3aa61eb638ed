/** Stations and vehicles of an answer: place, order, and that unknown is never nothing. */
import type { NearbyQuestion } from "../oracle/query.ts";
import { PLAN } from "../oracle/judge.ts";
import { greatCircle, orderProblem, type Point } from "./geo.ts";
import type { Place } from "./places.ts";

type Json = Record<string, unknown>;

export type Item = {
  kind: "station" | "vehicle";
  id: string;
  mode: string | null;
  distance: number;
  location: Point;
  actions: Json[];
  availability: Json | null;
  /** Per capability; and whether all flags say yes. */
  states: Json;
  operational: boolean;
};

/** Both arrays of the JSON form, one after the other; the features of GeoJSON as they come. */
export function itemsOf(body: Json, geojson: boolean): Item[] {
  if (geojson) return (body["features"] as Json[]).map(toItemOfFeature);
  const { stations, vehicles } = body["results"] as { stations: Json[]; vehicles: Json[] };
  return [...stations.map((one) => toItem(one, null)), ...vehicles.map((one) => toItem(one, null))];
}

/** GeoJSON shows none (decisions, Global nearby). */
export function placesOf(body: Json): Place[] {
  const results = body["results"] as { places: Place[] } | undefined;
  return results?.places ?? [];
}

function toItemOfFeature(feature: Json): Item {
  const [lon, lat] = (feature["geometry"] as { coordinates: [number, number] }).coordinates;
  return toItem(feature["properties"] as Json, { lat, lon });
}

function toItem(one: Json, at: Point | null): Item {
  const source = (one["source"] ?? null) as Json | null;
  const state = source ?? one;
  return {
    kind: source === null ? "station" : "vehicle",
    id: (source === null ? one["id"] : one["source_id"]) as string,
    mode: (state["mode"] ?? null) as string | null,
    distance: state["distance_meters"] as number,
    location: at ?? (state["location"] as Point),
    actions: (state["context_actions"] ?? []) as Json[],
    availability: (one["availability"] ?? null) as Json | null,
    states: (state["action_state"] ?? {}) as Json,
    operational: (state["service_status"] as Json | undefined)?.["state"] === "operational",
  };
}

export function findItemsProblem(question: NearbyQuestion, items: readonly Item[]): string | null {
  const ids = items.map((item) => `${item.kind} ${item.id}`);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return `${twice} stands twice`;
  for (const item of items) {
    const problem = placeProblem(question, item) ?? unknownProblem(item);
    if (problem !== null) return `${item.kind} ${item.id}: ${problem}`;
  }
  return question.format === "geojson"
    ? orderProblem(items)
    : (orderProblem(items.filter((item) => item.kind === "station")) ??
        orderProblem(items.filter((item) => item.kind === "vehicle")));
}

/** Distances are stated in tenths of a metre; GeoJSON rounds places to a centimetre. */
const TOLERANCE_M = 0.08;

function placeProblem(question: NearbyQuestion, { distance, location }: Item): string | null {
  const radius = Math.min(question.radius, PLAN.radius_max);
  if (distance > radius + 0.05) return `${distance} m is outside ${radius} m`;
  const own = greatCircle(question, location);
  return Math.abs(own - distance) <= TOLERANCE_M ? null : `says ${distance} m, is ${own} m away`;
}

const COUNTS = ["vehicles", "docks", "disabled_vehicles", "disabled_docks", "electric"];

/** Nothing observed: nothing counted; a count and what can be done agree. Modes are told only when they add up. */
function unknownProblem({ availability, states, operational }: Item): string | null {
  if (availability === null) return null;
  if (availability["vehicles"] === null && states["pickup"] === "available_now")
    return "pickup available, though nobody knows the vehicles";
  if (availability["vehicles"] === 0 && operational && states["pickup"] !== "unavailable_now")
    return "an unknown number of vehicles became none";
  if (availability["docks"] === 0 && operational && states["return"] !== "unavailable_now")
    return "an unknown number of docks became none";
  const counted = COUNTS.find((name) => availability[name] !== null);
  if (availability["observed_at"] === null && counted !== undefined)
    return `${counted} of a station that nobody observed`;
  const modes = availability["by_mode"] as Record<string, number> | null;
  if (modes === null) return null;
  const sum = Object.values(modes).reduce((all, one) => all + one, 0);
  return sum === availability["vehicles"] ? null : `by_mode adds up to ${sum}, not to vehicles`;
}

/** Members that say "unknown", for the report: an answer that knows everything proves nothing. */
export function countUnknown(items: readonly Item[]): number {
  const nulls = ({ availability }: Item): number =>
    availability === null ? 0 : COUNTS.filter((name) => availability[name] === null).length;
  return items.reduce((sum, item) => sum + nulls(item), 0);
}
