// Objects of OpenStreetMap as the encoder takes them, and how they are to be written.

/** What objects have in common. Absent metadata are not written. */
type Common = {
  id: number;
  tags?: Readonly<Record<string, string>>;
  /** Seconds since 1970. */
  changed_at_s?: number;
  /** False: a deleted object, as files of the whole history have them. */
  visible?: boolean;
};

/** Coordinates are whole ten-millionths of a degree. */
export type PbfNode = Common & { type: "node"; lat7: number; lon7: number };
export type PbfWay = Common & {
  type: "way";
  refs: readonly number[];
  /** lat7, lon7, … of the nodes, for `locations_on_ways`. */
  points?: readonly number[];
};
export type PbfMember = { type: "node" | "way" | "relation"; id: number; role: string };
export type PbfRelation = Common & { type: "relation"; members: readonly PbfMember[] };
export type PbfObject = PbfNode | PbfWay | PbfRelation;

export type PbfOptions = {
  /** Nodes in columns, as nearly all files have them. */
  dense?: boolean;
  compression?: "zlib" | "none";
  /** From 1, fastest, to 9. */
  level?: number;
  metadata?: boolean;
  locations_on_ways?: boolean;
  /** The header promises nodes, ways and relations in this order, each by id. */
  sorted?: boolean;
  objects_per_block?: number;
  /** South, west, north, east in degrees. */
  box?: readonly [number, number, number, number];
  data_at_s?: number;
  program?: string;
  source?: string;
  /** In addition to those that the contents need. */
  required_features?: readonly string[];
  /** Nanodegrees per unit, and of the origin. */
  granularity?: number;
  lat_offset?: number;
  lon_offset?: number;
  /** Milliseconds per unit of time. */
  date_granularity?: number;
};
