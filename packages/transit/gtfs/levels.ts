/** levels.txt: what the levels of stations are called, for the platforms on them. */
import type { TrailRecorder } from "#kit/trail.ts";
import { toName, toNumber } from "#kit/coerce.ts";
import { addText, type ByteTable } from "./byte-table.ts";
import { type CsvFile, readCell } from "#kit/csv.ts";

const COLUMNS = ["level_id", "level_index", "level_name"] as const;
const [ID, INDEX, NAME] = [0, 1, 2] as const;

export type Levels = {
  /** Ids that levels.txt and stops.txt name; a number of it is a level. */
  ids: ByteTable;
  /** Name of a level; null: none is stated. */
  name(level: number): string | null;
  clear(): void;
};

export function readLevels(ids: ByteTable, trail: TrailRecorder): CsvFile & Levels {
  const names = new Map<number, string | null>();
  return {
    file: "levels.txt",
    columns: COLUMNS,
    needed: [],
    ids,
    name: (level) => names.get(level) ?? null,
    clear: () => names.clear(),
    onRow(row) {
      const id = readCell(row, ID);
      if (id === "") return trail.drop("level_without_id", `line ${row.line}`);
      if (toNumber(readCell(row, INDEX)) === null) return trail.drop("level_without_index", id);
      const level = addText(ids, row, ID);
      if (names.has(level)) return trail.drop("duplicate_level", id);
      names.set(level, toName(readCell(row, NAME)));
    },
  };
}
