/**
 * Objects of an extract of the open map with their place on the globe, as the import hands them to
 * the sections of a base. Coordinates are whole ten-millionths of a degree.
 */
import type { Columns } from "#kit/pack.ts";

/** A map, since a tag may be called `__proto__`. Texts are as tagged, and bounded in length. */
export type OsmTags = ReadonlyMap<string, string>;

export type NodeFeature = { type: "node"; id: number; lat7: number; lon7: number; tags: OsmTags };

export type WayFeature = {
  type: "way";
  id: number;
  tags: OsmTags;
  /** lat7, lon7, lat7, lon7, …; nodes that are missing from the extract are left out. */
  points: Int32Array;
  /** Ids of the nodes that lie at `points`, to be read before the next feature is handed over. */
  nodes: Float64Array;
  /** The way ends where it begins, and none of its nodes is missing. */
  closed: boolean;
};

type Ring = { points: Int32Array; inner: boolean };

export type RelationFeature = {
  type: "relation";
  id: number;
  tags: OsmTags;
  /** Of multipolygons and boundaries: closed rings, each outer one before its inner ones. */
  rings: readonly Ring[];
  /** No way is missing and every ring is closed. A boundary cut by the extract's edge is not whole. */
  whole: boolean;
  members: readonly { type: "node" | "way" | "relation"; id: number; role: string }[];
  /**
   * South, west, north, east in ten-millionths, over all known members; null: none is known. Worked
   * out when it is first read, which is to be before the next feature is handed over.
   */
  readonly box: readonly [number, number, number, number] | null;
};

/**
 * A part of a base: what it takes from an extract, and the columns that it becomes. The import calls
 * `node` for nodes that carry tags, in the file's order, then `relation`, then `way`, then `finish`.
 */
export type BaseSection = {
  /** Names its columns: `geocoder` owns `geocoder.*`. */
  name: string;
  /** Objects that carry one of these keys are handed over; a key that ends in `:` is a prefix. */
  keys: {
    node: readonly string[];
    way: readonly string[];
    relation: readonly string[];
  };
  node(feature: NodeFeature): void;
  way(feature: WayFeature): void;
  relation(feature: RelationFeature): void;
  /** In steps, since a country takes a while. `meta` becomes part of the header, `counts` are shown. */
  finish(): Generator<
    void,
    { columns: Columns; meta: unknown; counts: Readonly<Record<string, number>> }
  >;
};
