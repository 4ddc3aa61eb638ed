/** Documents of a base by column, as the pack has them but for texts, which are numbers of the import's. */
import { createTable, type GrowingTable, pushRow } from "#kit/growing.ts";

const COLUMNS = {
  osm: Float64Array,
  lat7: Int32Array,
  lon7: Int32Array,
  /** South, west, north, east of each. */
  boxes: Int32Array,
  /** Set of names. */
  names: Uint32Array,
  /** Main tag, as `place=city`. */
  kind: Uint32Array,
  /** 0 to 255. */
  importance: Uint8Array,
  context: Uint32Array,
  /** Of things of interest: the street they are on, by document (-1: none), and their number there. */
  street: Int32Array,
  number: Uint32Array,
  postcode: Uint32Array,
};
export type DocTable = GrowingTable<typeof COLUMNS>;

export type Doc = {
  osm: number;
  lat7: number;
  lon7: number;
  /** Without one it is the point. */
  box?: ArrayLike<number>;
  names: number;
  kind: number;
  /** 0 to 1. */
  importance: number;
  context: number;
  street?: number;
  number?: number;
  postcode: number;
};

export const createDocTable = (): DocTable => createTable(COLUMNS);

export function pushDoc(table: DocTable, { box, importance, ...doc }: Doc): void {
  const { lat7, lon7, street = -1, number = 0 } = doc;
  table.boxes.pushAll(box ?? [lat7, lon7, lat7, lon7]);
  const row = { ...doc, importance: Math.round(importance * 255), street, number };
  pushRow<Exclude<keyof DocTable, "boxes">>(table, row);
}
