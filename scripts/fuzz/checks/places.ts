/**
 * Service results (contract 2.3 to 2.5; decisions, Urban services), wherever they are shown: place,
 * order, who may say so, and that nothing unknown is told as nothing.
 */
import { findChargingProblem } from "./charging.ts";
import type { TrueStation } from "./missing.ts";
import { greatCircle, orderProblem, type Point } from "./geo.ts";

export type Place = {
  id: string;
  service_type: string;
  external_id?: string;
  name: string;
  location: Point;
  distance_meters: number;
  attributes: Record<string, unknown>;
  source_id: string;
  source_type: string;
};

/** In sandbox mode (decisions, Identifiers). */
const MAPS = "sandbox_maps";

/** Who may know of what. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  aed: ["openaedmap", "openstreetmap"],
  toilets: ["refuge_restrooms", "openstreetmap"],
  drinking_water: ["openstreetmap"],
  fountain: ["openstreetmap"],
  wifi: ["openstreetmap"],
  parking: [MAPS],
  charging: [MAPS],
  locker: ["inpost", "openstreetmap"],
};
const PARTNERS = [MAPS, "geodae", "inpost"];

export type PlacesQuestion = Point & { radius: number; types: readonly string[] };

/** What is known about the world beside the answer. */
export type PlacesContext = {
  /** Why a parking or charging result does not fit the schema of its own operation. */
  facilityProblem(kind: "parking" | "charging", place: unknown): string | null;
  /** Charging stations whose plugs somebody reports, by the maps provider's id. */
  reported: ReadonlySet<string>;
  /** Of public transport, as they truly stand. */
  stations: readonly TrueStation[];
};

export function findPlacesProblem(
  question: PlacesQuestion,
  places: readonly Place[],
  context: PlacesContext,
): string | null {
  const ids = new Set<string>();
  for (const place of places) {
    if (ids.has(place.id)) return `${place.id} stands twice`;
    ids.add(place.id);
    const problem =
      locationProblem(question, place) ??
      sourceProblem(question, place) ??
      waterProblem(question, place) ??
      facilityProblem(place, context);
    if (problem !== null) return `${place.service_type} ${place.id}: ${problem}`;
  }
  return orderProblem(places.map(({ id, distance_meters }) => ({ id, distance: distance_meters })));
}

/** Of what is rounded half up to whole metres; and of doubles. */
const HALF_M = 0.5 + 1e-6;

function locationProblem(question: PlacesQuestion, place: Place): string | null {
  const { distance_meters: told } = place;
  const own = greatCircle(question, place.location);
  if (Math.abs(own - told) > HALF_M) return `says ${told} m, is ${own} m away`;
  return own > question.radius + 1e-6 ? `${own} m is outside ${question.radius} m` : null;
}

function sourceProblem({ types }: PlacesQuestion, place: Place): string | null {
  const { service_type, source_id, source_type, name } = place;
  if (!types.includes(service_type)) return "was not asked for";
  if (!SOURCES[service_type]!.includes(source_id)) return `is from ${source_id}`;
  const partner = PARTNERS.includes(source_id) ? "partner_api" : "community";
  if (source_type !== partner) return `${source_id} is no ${source_type}`;
  return name.trim() === "" ? "has a blank name" : null;
}

/** Either token finds both; asked together, what is potable is `drinking_water`, the rest not. */
function waterProblem({ types }: PlacesQuestion, place: Place): string | null {
  const { service_type, attributes } = place;
  if (service_type !== "drinking_water" && service_type !== "fountain") return null;
  const potable = attributes["drinking_water"];
  if (!["yes", "no", "unknown"].includes(potable as string))
    return `drinking_water is ${JSON.stringify(potable)}`;
  const both = types.includes("drinking_water") && types.includes("fountain");
  if (!both || (potable === "yes") === (service_type === "drinking_water")) return null;
  return `drinking_water is ${String(potable)}`;
}

function facilityProblem(place: Place, context: PlacesContext): string | null {
  const { service_type: kind } = place;
  if (kind !== "parking" && kind !== "charging") return null;
  const problem = context.facilityProblem(kind, place);
  if (problem !== null || kind === "parking") return problem;
  return findChargingProblem(place.attributes, context.reported.has(place.external_id ?? ""));
}

/** Charging stations of which nobody says what is free, for the report. */
export function countUnreported(places: readonly Place[]): number {
  return places.filter(({ service_type, attributes }) => {
    const charging = attributes["charging"] as { available_count?: number } | undefined;
    return service_type === "charging" && charging?.available_count === undefined;
  }).length;
}
