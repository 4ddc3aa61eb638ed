/** The history of sources as bytes, for the store: a list of its rows, and its columns as they are. */
import { isObject } from "#core/members/member-rules.ts";
import { parseJsonBytes } from "#kit/json.ts";
import {
  type RingColumns,
  createColumns,
  MAX_SOURCES,
  type RingRow,
  SLOTS,
} from "./history-rings.ts";

/** Another one voids what is kept. */
export const PACKED_AS = "source history 1";

type Exported = { rows: RingRow[]; columns: RingColumns };
const COLUMNS = ["attempts", "failures", "ages", "states"] as const;
const BYTES = { attempts: 4, failures: 4, ages: 4, states: 1 } as const;

/** The list, and each column as the bytes that it has in memory. */
export function packHistory({ rows, columns }: Exported): Uint8Array[] {
  const list = new TextEncoder().encode(JSON.stringify(rows));
  return [list, ...COLUMNS.map((name) => new Uint8Array(columns[name].buffer))];
}

/** null: it is damaged, or of another shape. */
export function unpackHistory([list, ...bodies]: readonly Uint8Array[]): Exported | null {
  const rows = list && parseJsonBytes(list);
  if (!Array.isArray(rows) || rows.length > MAX_SOURCES || !rows.every(isRow)) return null;
  const length = rows.length * SLOTS;
  const columns = createColumns(rows.length);
  for (const [i, name] of COLUMNS.entries()) {
    const body = bodies[i];
    if (body?.length !== length * BYTES[name]) return null;
    new Uint8Array(columns[name].buffer).set(body);
  }
  return { rows, columns };
}

function isRow(row: unknown): row is RingRow {
  return isObject(row) && typeof row["source_id"] === "string" && Number.isInteger(row["newest"]);
}
