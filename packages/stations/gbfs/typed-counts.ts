/**
 * Counts by vehicle type in all their spellings: `[{vehicle_type_id, count}]`,
 * `[{vehicle_type_ids, count}]` (3.x, 2.1+) and `{type_id: count}` (2.x capacities).
 */
import { toId, toIds, toList, toRow } from "#kit/coerce.ts";
import { member, noteCount } from "./gbfs-rows.ts";
import type { Item } from "./gbfs-rows.ts";

export type TypedCount = { type_ids: string[]; count: number | null };

const ID_NAMES = ["vehicle_type_ids", "vehicle_type_id"];

/** Entries of the first named member; [] when there is none. */
export function readTypedCounts(item: Item, ...names: string[]): TypedCount[] {
  const raw = member(item.row, names);
  const map = toRow(raw);
  if (map) return Object.entries(map).flatMap(([id, count]) => toEntry(item, toId(id), count));
  return toList(raw).flatMap((entry) => {
    const row = toRow(entry);
    return row
      ? [{ type_ids: toIds(member(row, ID_NAMES)), count: noteCount(item, row["count"]) }]
      : [];
  });
}

/** Entries whose count is known, as capacities are handed on. */
export function knownCounts(
  counts: readonly TypedCount[],
): { type_ids: string[]; count: number }[] {
  return counts.flatMap(({ type_ids, count }) => (count === null ? [] : [{ type_ids, count }]));
}

/** Adds up the counts; null when there is no entry or one of them is unknown: a part is no total. */
export function sumOf(counts: readonly TypedCount[]): number | null {
  if (counts.length === 0) return null;
  return counts.reduce<number | null>(
    (sum, { count }) => (sum === null || count === null ? null : sum + count),
    0,
  );
}

function toEntry(item: Item, id: string | null, count: unknown): TypedCount[] {
  return id === null ? [] : [{ type_ids: [id], count: noteCount(item, count) }];
}
