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
  attribution: string | null;
};

/** A map that cannot be drawn: its base is of another version, or damaged. */
export type UnopenedMap = {
  id: string;
  /** null: unknown. */
  box: BaseMapRow["box"] | null;
  /** What is wrong and what to do, one sentence without its full stop. */
  message: string;
};

/** Vector tiles of all bases at once. */
export type BaseMaps = {
  list(): readonly BaseMapRow[];
  /** Absent: all can be drawn. */
  listUnopened?(): readonly UnopenedMap[];
  /** Whether one of them has the map of a place. */
  covers(lat: number, lon: number): boolean;
  /**
   * Has what a tile is drawn from read, as much of it as may be in memory at once. Zoom, column and row
   * are in range. The signal ends the reading: what was not read by then is left out.
   */
  pin(z: number, x: number, y: number, signal?: AbortSignal): Promise<PinnedTile>;
};

/** Disposing lets what was read go. */
export type PinnedTile = Disposable & {
  /** To be called once. */
  draw(): Promise<DrawnTile>;
};

export type DrawnTile = {
  /**
   * A vector tile, merged of all bases and not compressed; null: nothing of any base is in it, as far as
   * is known. No later call changes the bytes.
   */
  bytes: Uint8Array | null;
  /**
   * Why something may be missing in it, so that it is not to be kept: a part of a base cannot be read,
   * or could not be read in time; null: it has all.
   */
  lacks: "unreadable" | "time" | null;
};

/** A file of map tiles that the operator has given. */
export type TileFile = {
  name: string;
  /** Changes with the file. */
  version: string;
  bytes: number;
  modified_ms: number;
  /** null: the file does not say. */
  tiles: number | null;
  box: BaseMapRow["box"];
  max_zoom: number;
  attribution: string | null;
  /** Whether a part of it could not be read. */
  isDamaged(): boolean;
  covers(lat: number, lon: number): boolean;
  /** In the layers and classes of our own; null: there is none, or it is damaged. */
  tile(z: number, x: number, y: number): Promise<Uint8Array | null>;
  close(): Promise<void>;
};
