/**
 * Urban services of a base: the open map's rules (rules.ts) applied to a whole extract when it is
 * imported, and the result searched where it lies. What a base answers is what an Overpass server
 * would answer from the same data.
 */
import type {
  BaseSection,
  NodeFeature,
  RelationFeature,
  WayFeature,
} from "#osm/base/base-features.ts";
import { isInCell, type PageCell, WHOLE } from "#osm/pages/page-cell.ts";
import type { Columns } from "#kit/pack.ts";
import { countedFactsOf, FACTS_VERSION } from "#core/places/place-facts.ts";
import { type PlaceHits, noHits } from "#core/places/place-hits.ts";
import { PLACE_KINDS, type Place, type PlaceKind } from "#core/places/place.ts";
import {
  type PlaceCircle,
  type PlaceRows,
  searchRows,
  type SearchOptions,
} from "#core/places/place-columns.ts";
import { createTrail, droppedCount, type Trail } from "#kit/trail.ts";
import { type Element, elementId, placed, toTags } from "./element.ts";
import { isKind } from "./osm-rules.ts";
import { boxOf, centreOf, openThings, packThings } from "./packed-things.ts";
import { placesOf } from "./tags.ts";

const NAME = "services";
/** Keys of which one is in every rule. */
const KEYS: readonly string[] = [
  ...["amenity", "emergency", "medical", "man_made", "natural"],
  ...["drinking_water:refill", "fountain", "internet_access", "wifi"],
];

type Counts = Readonly<Partial<Record<PlaceKind, number>>>;
/** `facts`, `cells`: absent in bases that were imported before these were written. */
type Meta = { counts: Counts; trail: Trail; facts?: number; cells?: boolean };

/** The services of one base. */
export type BaseServices = {
  counts: Counts;
  /** Of all services; null: it was made without them. */
  rows: PlaceRows | null;
  /** Services of these kinds within the circle, in no particular order; as values. */
  search(kinds: readonly PlaceKind[], circle: PlaceCircle, options: SearchOptions): PlaceHits;
};

/** Collects the services of an extract; `cell`: those alone whose point lies in it. */
export function createServicesSection({ cell = WHOLE }: { cell?: PageCell } = {}): BaseSection {
  const elements: Element[] = [];
  const trail = createTrail();
  const take = (
    { type, id, tags }: NodeFeature | WayFeature | RelationFeature,
    centre: readonly [lat7: number, lon7: number] | null,
  ): void => {
    const ours = PLACE_KINDS.some((kind) => isKind(tags, kind));
    const name = elementId(type, id);
    if (!ours || name === null) return;
    if (centre !== null && !isInCell(cell, centre[0], centre[1])) return;
    const at = centre === null ? {} : { lat: centre[0] / 1e7, lon: centre[1] / 1e7 };
    const element = placed(name, at, { tags: toTags(Object.fromEntries(tags)), trail });
    if (element) elements.push(element);
  };
  return {
    name: NAME,
    keys: { node: KEYS, way: KEYS, relation: KEYS },
    node: (node) => take(node, [node.lat7, node.lon7]),
    way: (way) => take(way, centreOf(boxOf(way.points))),
    relation: (relation) => take(relation, centreOf(relation.box)),
    *finish() {
      const places: Place[] = [];
      for (const kind of PLACE_KINDS) {
        const fitting = elements.filter(({ tags }) => isKind(tags, kind));
        places.push(...placesOf(fitting, [kind], trail));
        yield;
      }
      const counts: Partial<Record<PlaceKind, number>> = {};
      for (const { kind } of places) counts[kind] = (counts[kind] ?? 0) + 1;
      const meta: Meta = { counts, trail: trail.toTrail(), facts: FACTS_VERSION, cells: true };
      const { columns, sorted } = yield* packThings(places, ({ kind }) =>
        PLACE_KINDS.indexOf(kind),
      );
      const all = { ...columns, facts: Uint8Array.from(sorted, countedFactsOf) };
      return { columns: all, meta, counts: { ...counts, left_out: droppedCount(meta.trail) } };
    },
  };
}

/** The services of an open base; one that was made without them has none. */
export function openServices(columns: Columns, meta: unknown): BaseServices {
  if (meta === undefined) return { counts: {}, rows: null, search: noHits };
  const { counts, facts, cells = false } = meta as Meta;
  const rows: PlaceRows = openThings(columns, NAME, { facts: facts === FACTS_VERSION, cells });
  return {
    counts,
    rows,
    search: (wanted, circle, options) => searchRows(rows, wanted, circle, options),
  };
}
