// Everything drawn in a city: the services, some of them twice, their parts, and the decoys.
import { isDrawn } from "../listing.ts";
import { around, distance, type Point } from "../geo.ts";
import { unit } from "../rng.ts";
import type { ServiceThing } from "../world/service-model.ts";
import type { World } from "../world/world.ts";
import { listDecoys } from "./decoys.ts";
import { drawnAt, type Element, type ElementType, idOf, shapeOf } from "./element.ts";
import { tagsOf } from "./tags.ts";
import type { Tags } from "./query.ts";

/** The share of things drawn as a building that are also there as the node drawn first. */
const TWICE = 0.15;

export const elementsOf = (thing: ServiceThing): readonly Element[] =>
  isDrawn(thing) ? [toElement(thing), ...firstDrafts(thing)] : [];

function toElement(thing: ServiceThing): Element {
  const type = shapeOf(thing);
  const { lat, lon } = drawnAt(thing);
  return { type, id: idOf(thing, type), lat, lon, tags: tagsOf(thing) };
}

/** Fewer tags, the same name or operator, a few metres off. */
function firstDrafts(thing: ServiceThing): Element[] {
  const tags = tagsOf(thing);
  const entry = tags["name"] ?? tags["operator"];
  if (shapeOf(thing) === "node" || entry === undefined || unit(thing.key, 181) >= TWICE) return [];
  const remaining = Object.entries(tags).filter(([name]) => KEPT.has(name));
  const { lat, lon } = drawnAt(thing, 1);
  return [{ type: "node", id: idOf(thing, "node"), lat, lon, tags: Object.fromEntries(remaining) }];
}

const KEPT: ReadonlySet<string> = new Set([
  ...["amenity", "tourism", "man_made", "natural", "emergency", "internet_access"],
  ...["parking", "name", "operator", "access", "drinking_water"],
]);

/** A way into an underground car park and a single post of a charging station are no services. */
const PARTS: Partial<Record<ServiceThing["service_type"], Tags>> = {
  parking: { amenity: "parking_entrance", parking: "underground" },
  charging: { man_made: "charge_point" },
};
const PART_IDS = 5;

function partsOf(thing: ServiceThing): Element[] {
  const tags = PARTS[thing.service_type];
  const part = tags !== undefined && isDrawn(thing) && unit(thing.key, 182) < 0.2;
  if (!part || (thing.parking !== undefined && tagsOf(thing)["parking"] !== "underground"))
    return [];
  const at = around(thing, unit(thing.key, 183), thing.parking === undefined ? 6 : 45);
  const id = 10 * idOf(thing, "node") + PART_IDS;
  return [{ type: "node", id, ...at, tags }];
}

export type Sheet = { readonly centre: Point; readonly elements: readonly Element[] };

/** Lists elements by city, sorted as Overpass prints: nodes, ways, relations, each by id. */
export function createSheets(world: World): () => readonly Sheet[] {
  let sheets: readonly Sheet[] | undefined;
  return () =>
    (sheets ??= world.cities.map((city) => {
      const services = world.listServices(city);
      const drawn = services.flatMap((thing) => [...elementsOf(thing), ...partsOf(thing)]);
      return { centre: city, elements: [...drawn, ...listDecoys(city, services, world.seed)] };
    }));
}

const ORDER: Readonly<Record<ElementType, number>> = { node: 0, way: 1, relation: 2 };

export const byTypeAndId = (a: Element, b: Element): number =>
  ORDER[a.type] - ORDER[b.type] || a.id - b.id;

/** How far from its centre anything of a city is drawn. */
const CITY_REACH_M = 5000;

export const isNearCity = ({ centre }: Sheet, at: Point, radius_m: number): boolean =>
  distance(centre, at) <= radius_m + CITY_REACH_M;
