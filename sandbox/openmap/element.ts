// What mappers have drawn: nodes, ways and relations with their tags.
import { around, type Point } from "../geo.ts";
import { CITIES } from "../world/cities.ts";
import { codeOf } from "../listing.ts";
import { unit } from "../rng.ts";
import type { City } from "../world/model.ts";
import type { ServiceThing, ServiceType } from "../world/service-model.ts";
import type { Tags } from "./query.ts";

export type ElementType = "node" | "way" | "relation";
export type Element = Point & {
  readonly type: ElementType;
  readonly id: number;
  readonly tags: Tags;
};

/** Of each type so much is drawn as a building or an area, and so much as a multipolygon. */
const SHAPES: Partial<Record<ServiceType, { readonly way: number; readonly relation: number }>> = {
  toilets: { way: 0.25, relation: 0.02 },
  fountain: { way: 0.2, relation: 0.03 },
  wifi: { way: 0.2, relation: 0.04 },
  parking: { way: 0.7, relation: 0.1 },
  charging: { way: 0.12, relation: 0 },
};

export function shapeOf({ service_type, key }: ServiceThing): ElementType {
  const { way = 0, relation = 0 } = SHAPES[service_type] ?? {};
  const drawn = unit(key, 111);
  return drawn < relation ? "relation" : drawn < relation + way ? "way" : "node";
}

const FIRST: Readonly<Record<ElementType, number>> = {
  // The numbers of real nodes have long outgrown 32 bits.
  node: 11_000_000_000,
  way: 1_200_000_000,
  relation: 14_000_000,
};

export const idOf = (thing: ServiceThing, type: ElementType): number => FIRST[type] + codeOf(thing);

const DECOYS_FROM = 80_000;

/** Returns the id of what is drawn and is no service: a number that no service has. */
export const decoyIdOf = (city: City, n: number, type: ElementType): number =>
  FIRST[type] + CITIES.findIndex(({ id }) => id === city.id) * 100_000 + DECOYS_FROM + n;

const PEN_M = 11;

/** Drawn from the air: mostly within a few metres. */
export const drawnAt = (thing: ServiceThing, salt = 0): Point =>
  around(thing, unit(thing.key, 112, salt), PEN_M * unit(thing.key, 113, salt) ** 2);

/** Seven decimals, as Overpass prints them; the last one is the mapper's hand. */
export const printed = (degrees: number, hand: number): number =>
  Number((degrees + hand * 1e-7).toFixed(7));

export const nameOfElement = ({ type, id }: Pick<Element, "type" | "id">): string =>
  `${type}/${id}`;
