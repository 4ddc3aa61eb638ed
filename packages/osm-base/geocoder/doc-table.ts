/** Documents of a base by column, as the pack has them but for texts, which are numbers of the import's. */
import { Growing } from "./growing.ts";

export type DocTable = {
  osm: Growing<Float64Array>;
  lat7: Growing<Int32Array>;
  lon7: Growing<Int32Array>;
  /** South, west, north, east of each. */
  boxes: Growing<Int32Array>;
  /** Set of names. */
  names: Growing<Uint32Array>;
  /** Main tag, as `place=city`. */
  kind: Growing<Uint32Array>;
  /** 0 to 255. */
  importance: Growing<Uint8Array>;
  context: Growing<Uint32Array>;
  /** Of things of interest: the street they are on, by document (-1: none), and their number there. */
  street: Growing<Int32Array>;
  number: Growing<Uint32Array>;
  postcode: Growing<Uint32Array>;
};

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

export function createDocTable(): DocTable {
  return {
    osm: new Growing(Float64Array),
    lat7: new Growing(Int32Array),
    lon7: new Growing(Int32Array),
    boxes: new Growing(Int32Array),
    names: new Growing(Uint32Array),
    kind: new Growing(Uint32Array),
    importance: new Growing(Uint8Array),
    context: new Growing(Uint32Array),
    street: new Growing(Int32Array),
    number: new Growing(Uint32Array),
    postcode: new Growing(Uint32Array),
  };
}

export function pushDoc(table: DocTable, doc: Doc): void {
  const { lat7, lon7 } = doc;
  table.osm.push(doc.osm);
  table.lat7.push(lat7);
  table.lon7.push(lon7);
  table.boxes.pushAll(doc.box ?? [lat7, lon7, lat7, lon7]);
  table.names.push(doc.names);
  table.kind.push(doc.kind);
  table.importance.push(Math.round(doc.importance * 255));
  table.context.push(doc.context);
  table.street.push(doc.street ?? -1);
  table.number.push(doc.number ?? 0);
  table.postcode.push(doc.postcode);
}
