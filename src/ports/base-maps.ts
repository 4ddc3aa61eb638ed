/** The maps of the bases: one of the replaceable things (ports.ts). */

/** What is known of the map of a base without reading it. */
export type BaseMapRow = {
  id: string;
  /** South, west, north, east in degrees. */
  box: readonly [south: number, west: number, north: number, east: number];
  /** Changes with every import. */
  version: string;
  /** RFC 3339 date of the data; null: the extract has none. */
  data_as_of: string | null;
};

/** Vector tiles of all bases at once. */
export type BaseMaps = {
  list(): readonly BaseMapRow[];
  /**
   * A vector tile, merged of all bases and not compressed; null: nothing of any base is in it.
   * Zoom, column and row are in range. No later call changes the bytes.
   */
  tile(z: number, x: number, y: number): Uint8Array | null | Promise<Uint8Array | null>;
};
