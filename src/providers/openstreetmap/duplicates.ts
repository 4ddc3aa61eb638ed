/**
 * One thing that the map has several times (places.md 3): as a node and as a building, as a car park
 * and its entrances, as a charging station and its posts. One remains, and knows the others' keys.
 */
import { fold } from "#kit/names/fold.ts";
import type { PlaceKind } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { Element, Tags } from "./element.ts";
import { POINTS_TAG } from "./osm-charging.ts";
import { createNear } from "./osm-near.ts";
import { hasNoEntrance } from "./osm-parking.ts";
import { isFountain } from "./osm-water.ts";

/** One thing; `also`: ids of the elements that are the same thing. */
export type Thing = { element: Element; also: string[] };

const SAME_M = 30;
const ENTRANCE_M = 100;
const POST_M = 30;

/** The elements of one kind, or of one class of points of interest (null), each thing once, by id. */
export function settleDuplicates(
  kind: PlaceKind | null,
  elements: readonly Element[],
  trail: TrailRecorder,
): Thing[] {
  const distinct = uniqueIds(elements);
  const things = distinct.map((element) => ({ element, also: [] }));
  if (kind === "parking") return joinSame(kind, joinEntrances(things, trail), trail);
  if (kind === "charging") return joinSame(kind, dropPosts(things, trail), trail);
  return joinSame(kind, things, trail);
}

/** By id, so that the order of an answer decides nothing, not even between equals. */
function uniqueIds(elements: readonly Element[]): Element[] {
  const byId = new Map(elements.map((element) => [element.id, element]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Entrances of a car park are no car parks of their own; they may know what its area does not say.
 * Where no area is mapped, the entrances within reach of each other are one car park.
 */
function joinEntrances(things: readonly Thing[], trail: TrailRecorder): Thing[] {
  const areas = things.filter((thing) => !isEntrance(thing));
  const near = createNear(areas.map(pointOf), ENTRANCE_M);
  const alone: Thing[] = [];
  for (const entrance of things.filter(isEntrance)) {
    const { element } = entrance;
    const area = near(element).find(({ point }) => !hasNoEntrance(point.thing.element.tags));
    if (area) joinTo(area.point.thing, element, trail);
    else alone.push(entrance);
  }
  return [...areas, ...joinAlone(alone, trail)];
}

function isEntrance({ element }: Thing): boolean {
  return element.tags.get("amenity") === "parking_entrance";
}

function joinAlone(entrances: readonly Thing[], trail: TrailRecorder): Thing[] {
  const near = createNear(entrances.map(pointOf), ENTRANCE_M);
  const settled = new Set<Thing>();
  return entrances.filter((entrance) => {
    if (settled.has(entrance)) return false;
    settled.add(entrance);
    for (const { point } of near(entrance.element)) {
      const { thing } = point;
      if (settled.has(thing) || !mayBeOne(entrance, thing)) continue;
      settled.add(thing);
      joinTo(entrance, thing.element, trail);
    }
    return true;
  });
}

function mayBeOne({ element: a }: Thing, { element: b }: Thing): boolean {
  return ["name", "operator", "parking"].every((key) => !differ(a.tags.get(key), b.tags.get(key)));
}

function joinTo(thing: Thing, { id, tags }: Element, trail: TrailRecorder): void {
  trail.drop("entrance_of_another", id);
  thing.also.push(id);
  thing.element = { ...thing.element, tags: filled(thing.element.tags, tags) };
}

const ENTRANCE_KNOWS = ["name", "operator", "opening_hours", "fee", "parking"] as const;

function filled(tags: Tags, more: Tags): Tags {
  const entries = ENTRANCE_KNOWS.flatMap((key) => {
    const value = more.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return new Map([...entries, ...tags]);
}

/** A single post next to its station is a part of it, which may know the ids of its points. */
function dropPosts(things: readonly Thing[], trail: TrailRecorder): Thing[] {
  const stations = things.filter(({ element }) => element.tags.has("amenity"));
  const near = createNear(stations.map(pointOf), POST_M);
  return things.filter(({ element }) => {
    if (element.tags.has("amenity")) return true;
    const station = near(element)[0]?.point.thing;
    if (!station) return true;
    trail.drop("post_of_a_station", element.id);
    addPoints(station, element.tags.get(POINTS_TAG));
    return false;
  });
}

function addPoints(station: Thing, ids: string | undefined): void {
  if (ids === undefined) return;
  const { element } = station;
  const all = [element.tags.get(POINTS_TAG), ids].filter((each) => each !== undefined);
  station.element = { ...element, tags: new Map([...element.tags, [POINTS_TAG, all.join(";")]]) };
}

/** The way or relation with more tags remains of node, way and relation. */
function joinSame(kind: PlaceKind | null, things: readonly Thing[], trail: TrailRecorder): Thing[] {
  const gone = new Set<Thing>();
  const points = things.map(pointOf);
  const near = createNear(
    points.filter(({ thing }) => typeOf(thing) !== "node"),
    SAME_M,
  );
  const byWorth = [...points].sort((a, b) => compareWorth(a.thing, b.thing));
  for (const point of byWorth) {
    const { thing } = point;
    const twin = near(point).find(({ point: other }) => {
      const better = compareWorth(other.thing, thing) < 0 && !gone.has(other.thing);
      return better && areSame(kind, other.thing, thing);
    });
    if (!twin) continue;
    gone.add(thing);
    twin.point.thing.also.push(thing.element.id, ...thing.also);
    trail.drop("duplicate", thing.element.id);
  }
  return things.filter((thing) => !gone.has(thing));
}

function pointOf(thing: Thing): { lat: number; lon: number; thing: Thing } {
  return { lat: thing.element.lat, lon: thing.element.lon, thing };
}

function typeOf({ element }: Thing): string {
  return element.id.slice(0, element.id.indexOf("/"));
}

/** Nodes last, then by tags, then by id. */
function compareWorth(a: Thing, b: Thing): number {
  const nodes = Number(typeOf(a) === "node") - Number(typeOf(b) === "node");
  const tags = b.element.tags.size - a.element.tags.size;
  return nodes || tags || (a.element.id < b.element.id ? -1 : 1);
}

function areSame(kind: PlaceKind | null, a: Thing, b: Thing): boolean {
  if (typeOf(a) === typeOf(b)) return false;
  const [one, other] = [a.element.tags, b.element.tags];
  // Two without a name may be one; one with and one without are two unless tagged as one.
  if (nameOf(one) !== nameOf(other) || mainOf(kind, one) !== mainOf(kind, other)) return false;
  const keys = kind === "parking" ? ["operator", "parking"] : ["operator"];
  return keys.every((key) => !differ(one.get(key), other.get(key)));
}

function nameOf(tags: Tags): string {
  return fold(tags.get("name") ?? tags.get("brand") ?? "");
}

const HOSTS = ["amenity", "tourism", "shop", "leisure", "office"] as const;

/** A tap next to a fountain is no fountain; a café in a hotel is no hotel. */
function mainOf(kind: PlaceKind | null, tags: Tags): string {
  if (kind === "water") return String(isFountain(tags));
  return kind === "wifi" ? HOSTS.map((key) => tags.get(key) ?? "").join(" ") : "";
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && fold(a) !== fold(b);
}
