/** Features of extracts made by hand, and maps of them. */
import {
  type BaseMap,
  type BaseSection,
  createMapSection,
  type MapMeta,
  openMap,
} from "#osm/index.ts";
import {
  columnName,
  type NodeFeature,
  type RelationFeature,
  type WayFeature,
} from "#osm/sections.ts";
import type { PackColumn } from "#kit/pack.ts";

export type Feature = NodeFeature | WayFeature | RelationFeature;
/** Latitude and longitude in degrees. */
export type Place = readonly [lat: number, lon: number];
type Tags = Readonly<Record<string, string>>;

let ids = 0;

export function node(at: Place, tags: Tags): NodeFeature {
  const [lat7, lon7] = toPoints([at]) as unknown as [number, number];
  return { type: "node", id: ++ids, lat7, lon7, tags: new Map(Object.entries(tags)) };
}

/** Closed where it ends at the place at which it begins. */
export function way(places: readonly Place[], tags: Tags): WayFeature {
  const points = toPoints(places);
  const [first, last] = [places[0], places.at(-1)];
  const closed = places.length > 3 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
  return {
    type: "way",
    id: ++ids,
    tags: new Map(Object.entries(tags)),
    points,
    nodes: new Float64Array(places.length),
    closed,
  };
}

/** A multipolygon of one outer ring and its inner ones. */
export function multipolygon(rings: readonly (readonly Place[])[], tags: Tags): RelationFeature {
  return {
    type: "relation",
    id: ++ids,
    tags: new Map(Object.entries({ type: "multipolygon", ...tags })),
    rings: rings.map((ring, i) => ({ points: toPoints(ring), inner: i > 0 })),
    whole: true,
    members: [],
    box: null,
  };
}

/** A square around a place, as a closed line; `side` in degrees of longitude. */
export function square([lat, lon]: Place, side: number): Place[] {
  const [high, wide] = [side * 0.35, side / 2];
  return [
    [lat - high, lon - wide],
    [lat - high, lon + wide],
    [lat + high, lon + wide],
    [lat + high, lon - wide],
    [lat - high, lon - wide],
  ];
}

/** In the order in which an import hands features over. */
export function inOrder(features: readonly Feature[]): Feature[] {
  return (["node", "relation", "way"] as const).flatMap((type) =>
    features.filter((each) => each.type === type),
  );
}

const { keys: KEYS } = createMapSection();

/** Whether an import hands it to the map. */
export function isWanted({ type, tags }: Feature): boolean {
  return KEYS[type].some((key) => tags.has(key));
}

export function mapOf(features: readonly Feature[]): BaseMap {
  const section = createMapSection();
  for (const each of inOrder(features))
    if (each.type === "node") section.node(each);
    else if (each.type === "way") section.way(each);
    else section.relation(each);
  return finishMap(section);
}

export function finishMap(section: BaseSection): BaseMap {
  const steps = section.finish();
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const { columns, meta } = step.value;
  const byName: Record<string, PackColumn> = {};
  for (const [name, column] of Object.entries(columns)) byName[columnName("map", name)] = column;
  return openMap(byName, meta as MapMeta);
}

/** The tile of a zoom that a place lies in. */
export function tileAt([lat, lon]: Place, z: number): { z: number; x: number; y: number } {
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  const most = 2 ** z - 1;
  const toTile = (share: number): number => Math.max(0, Math.min(most, Math.floor(share * 2 ** z)));
  return { z, x: toTile(lon / 360 + 0.5), y: toTile(y) };
}

function toPoints(places: readonly Place[]): Int32Array {
  return Int32Array.from(
    places.flatMap(([lat, lon]) => [Math.round(lat * 1e7), Math.round(lon * 1e7)]),
  );
}
