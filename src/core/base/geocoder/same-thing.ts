/**
 * Whether two candidates are one thing: a point, an outline and a relation of it, or what two maps
 * have of it (decisions, Several bases and indexes).
 */
import { distance_m } from "../../geo.ts";
import { wordsOf } from "./fold.ts";
import type { GeocodeItem } from "./present.ts";
import { isWide } from "./settlements.ts";

/** A thing on the map as a point and as an outline, whose middle is elsewhere in it. */
const THING_M = 100;
/** A house of one number of one street. */
const HOUSE_M = 50;
/** A village as a point and as an area; its centre differs by as much between two maps. */
const PLACE_M = 2_000;

export function isOneThing(a: GeocodeItem, b: GeocodeItem): boolean {
  if (a.source_place_id !== null && a.source_place_id === b.source_place_id) return true;
  if (kindOf(a) !== kindOf(b) || !isCalledAlike(a, b)) return false;
  const { city } = a.address;
  // What is in two towns is two, however near.
  if (city !== null && b.address.city !== null && city !== b.address.city) return false;
  const metres = distance_m(a.location.lat, a.location.lon, b.location.lat, b.location.lon);
  return metres <= reachOf(a) || (a.type !== "address" && (isIn(a, b) || isIn(b, a)));
}

/** Tags of things; settlements of all sizes are of one kind, and so are streets. */
function kindOf({ type, osm_key, osm_value }: GeocodeItem): string {
  if (type === "address" || type === "street") return type;
  if (osm_key === "place") return isWide(osm_value) ? `place=${osm_value}` : "place";
  return `${osm_key}=${osm_value}`;
}

function isCalledAlike(a: GeocodeItem, b: GeocodeItem): boolean {
  return a.name === b.name || wordsOf(a.name).join(" ") === wordsOf(b.name).join(" ");
}

function reachOf({ type, osm_key }: GeocodeItem): number {
  if (type === "address") return HOUSE_M;
  return osm_key === "place" && type !== "street" ? PLACE_M : THING_M;
}

/** The point of one lies in the box of the other. */
function isIn({ location: { lat, lon } }: GeocodeItem, { box7 }: GeocodeItem): boolean {
  if (box7 === null) return false;
  const [south, west, north, east] = box7;
  return lat * 1e7 >= south && lat * 1e7 <= north && lon * 1e7 >= west && lon * 1e7 <= east;
}
