/** The history of sources as bytes, for the store: a list of its rows, and its columns as they are. */
import { isObject } from "#core/members/member-rules.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { MAX_SOURCES, type RingRow } from "./history-rings.ts";
import {
  COLUMN_NAMES,
  createColumns,
  QUARTERS,
  type RingColumns,
  type RingShape,
  widthOf,
} from "./ring-shape.ts";

/** Another one voids what is kept of the quarters of an hour, or of the days. */
export const PACKED_AS = "source history 1";
export const DAYS_PACKED_AS = "source days 1";

type Exported = { rows: RingRow[]; columns: RingColumns };

/** The list, and each column as the bytes that it has in memory. */
export function packHistory(
  { rows, columns }: Exported,
  shape: RingShape = QUARTERS,
): Uint8Array[] {
  const list = new TextEncoder().encode(JSON.stringify(rows));
  return [list, ...namesOf(shape).map((name) => new Uint8Array(columns[name].buffer))];
}

/** null: it is damaged, or of another shape. */
export function unpackHistory(
  [list, ...bodies]: readonly Uint8Array[],
  shape: RingShape = QUARTERS,
): Exported | null {
  const rows = list && parseJsonBytes(list);
  if (!Array.isArray(rows) || rows.length > MAX_SOURCES || !rows.every(isRow)) return null;
  const columns = createColumns(rows.length, shape);
  for (const [i, name] of namesOf(shape).entries()) {
    const body = bodies[i];
    const target = new Uint8Array(columns[name].buffer);
    if (body?.length !== target.length) return null;
    target.set(body);
  }
  return { rows, columns };
}

/** A column without a width is not written. */
function namesOf(shape: RingShape): (keyof RingColumns)[] {
  return COLUMN_NAMES.filter((name) => widthOf(name, shape) > 0);
}

function isRow(row: unknown): row is RingRow {
  return isObject(row) && typeof row["source_id"] === "string" && Number.isInteger(row["newest"]);
}
