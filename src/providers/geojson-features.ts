/** A GeoJSON FeatureCollection (RFC 7946), read feature by feature from its bytes. */
import { toRow } from "#kit/coerce.ts";
import { openJsonList } from "#providers/json-list.ts";

export type Features = {
  count: number;
  /** The document is the bare list that a FeatureCollection should hold. */
  bare: boolean;
  /** Each member of `features`, parsed; undefined for one that is no JSON, or beyond the bounds. May be walked again. */
  rows(): Iterable<unknown>;
};

/** null: no object with a list of features, or not a whole one. */
export function openFeatures(bytes: Uint8Array): Features | null {
  const list = openJsonList(bytes, ["features"]);
  if (!list) return null;
  const { count, rows } = list;
  const bare = list.member === null;
  if (bare && !startsWithFeature(rows())) return null;
  return { count, bare, rows };
}

/** A list that is the whole document is one of features as far as the first one shows. */
function startsWithFeature(rows: Iterable<unknown>): boolean {
  for (const row of rows) return toRow(row)?.["type"] === "Feature";
  return false;
}
