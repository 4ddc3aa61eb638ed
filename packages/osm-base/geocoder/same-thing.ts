/**
 * Whether two candidates are one thing: a point, an outline and a relation of it, or what two maps
 * have of it (decisions, Several bases and indexes).
 */
import { distance_m } from "#kit/geo.ts";
import { wordsOf } from "./fold-words.ts";
import type { GeocodeItem } from "./present-answers.ts";
import { isWide } from "./settlements.ts";

/** A thing that is drawn twice; as a point and as an outline, whose middle is elsewhere in it. */
const THING_M = { alike: 100, otherwise: 200 } as const;
/** A thing without a name as a point and as an outline. */
const UNNAMED_M = 30;
/** Poles, platforms and shelters of one stop. */
const STOP_M = 150;
/** A house of one number of one street. */
const HOUSE_M = 50;
/** A village as a point and as an area; its centre differs by as much between two maps. */
const PLACE_M = 2_000;

export function isOneThing(a: GeocodeItem, b: GeocodeItem): boolean {
  if (isFarApart(a, b)) return false;
  if (a.source_place_id !== null && a.source_place_id === b.source_place_id) return true;
  if (!areOfOneKind(a, b)) return false;
  const metres = distance_m(a.location.lat, a.location.lon, b.location.lat, b.location.lon);
  // Things without a name are called by their kind, all alike.
  if (a.unnamed || b.unnamed) return a.osm_type !== b.osm_type && metres <= UNNAMED_M;
  const isWithin = a.type !== "address" && (isIn(a, b) || isIn(b, a));
  // Names last: they cost the most.
  if ((metres > reachOf(a, b) && !isWithin) || !isCalledAlike(a, b)) return false;
  const [town, other] = [townOf(a), townOf(b)];
  // What is in two towns is two, however near.
  return town === null || other === null || town === other;
}

/** Neither is near the other by latitude alone, which most pairs are not. */
function isFarApart(a: GeocodeItem, b: GeocodeItem): boolean {
  const apart = Math.abs(a.location.lat - b.location.lat);
  return a.box7 === null && b.box7 === null && apart > FAR_DEG;
}

/** Town that a thing is in; a village is its own where no municipality is known, and says nothing. */
function townOf({ name, address: { city } }: GeocodeItem): string | null {
  return city === name ? null : city;
}

/** Bridges and tunnels that are called as a street are pieces of it. */
const OF_STREETS: ReadonlySet<string> = new Set(["highway", "bridge", "tunnel"]);

function areOfOneKind(a: GeocodeItem, b: GeocodeItem): boolean {
  if (a.type === b.type && a.osm_key === b.osm_key && a.osm_value === b.osm_value) return true;
  // A house that is called as what is in it.
  const isHouse = a.osm_key === "building" || b.osm_key === "building";
  return kindOf(a) === kindOf(b) || (isHouse && isThing(a) && isThing(b));
}

function isThing({ type, osm_key }: GeocodeItem): boolean {
  return type !== "address" && type !== "street" && osm_key !== "place";
}

/** Tags of things. Settlements of all sizes are of one kind, and so are streets with their pieces, and stops. */
function kindOf({ type, osm_key, osm_value }: GeocodeItem): string {
  if (type === "address" || type === "street" || type === "transit_station") return type;
  if (type === "poi" && OF_STREETS.has(osm_key)) return "street";
  if (osm_key === "place") return isWide(osm_value) ? `place=${osm_value}` : "place";
  // Houses of a village, drawn as an area of its name.
  if (osm_key === "landuse" && osm_value === "residential") return "place";
  return `${osm_key}=${osm_value}`;
}

function isCalledAlike(a: GeocodeItem, b: GeocodeItem): boolean {
  return a.name === b.name || wordsOf(a.name).join(" ") === wordsOf(b.name).join(" ");
}

function reachOf(a: GeocodeItem, b: GeocodeItem): number {
  if (a.type === "address") return HOUSE_M;
  const kind = kindOf(a);
  if (kind === "transit_station") return STOP_M;
  if (kind === "place") return PLACE_M;
  return a.osm_type === b.osm_type ? THING_M.alike : THING_M.otherwise;
}

/** More than the largest of these, in degrees of latitude. */
const FAR_DEG = 0.02;
/** Beyond a box, which of a straight street is a line: some 50 metres. */
const MARGIN7 = 5_000;

/** The point of one lies in the box of the other. */
function isIn({ location: { lat, lon } }: GeocodeItem, { box7 }: GeocodeItem): boolean {
  if (box7 === null) return false;
  const [south, west, north, east] = box7;
  const [lat7, lon7] = [lat * 1e7, lon * 1e7];
  const isBetween = (value: number, from: number, to: number): boolean =>
    value >= from - MARGIN7 && value <= to + MARGIN7;
  return isBetween(lat7, south, north) && isBetween(lon7, west, east);
}
