/** Imported bases, for people. */
import type { ExtractReport } from "#cli/io.ts";
import { formatLeftOut } from "#cli/print/print-import.ts";
import type { On } from "#cli/print/print-answer.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { count, UNKNOWN } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import { lacksWalking } from "#osm/base/base-layout.ts";

type Counts = Readonly<Record<string, number>>;

/** A base that cannot be read has its file alone. */
export type BaseRow = { id: string; bytes: number } & (
  | { readable: false }
  | {
      readable: true;
      region: string | null;
      /** RFC 3339; null: unknown. */
      data_at: string | null;
      imported_at: string;
      /** South, west, north, east in degrees. */
      bbox: readonly number[] | null;
      /** Of the extract. */
      objects: Counts;
      /** What the base holds, by section. */
      holds: Readonly<Record<string, Counts>>;
    }
);

const COLUMNS: readonly Column[] = [
  { title: "base" },
  { title: "data of" },
  { title: "size", align: "right" },
  { title: "south, west, north, east", spare: 1 },
  { title: "holds", elastic: true, least: 30, wraps: 14 },
];

/** What became of the import of an extract. */
export function formatExtract(report: ExtractReport, on: On): string {
  const { data_at_s, file_bytes, pack_bytes, elapsed_ms, counts, section_counts, dropped } = report;
  const date = data_at_s === null ? UNKNOWN : new Date(data_at_s * 1000).toISOString().slice(0, 10);
  const objects = `${count(counts.nodes)} nodes, ${count(counts.ways)} ways, ${count(counts.relations)} relations`;
  const lines = [
    `${objects} of ${date}; ${formatBytes(file_bytes)} became ${formatBytes(pack_bytes)} in ${(elapsed_ms / 1000).toFixed(1)} s`,
    `holds ${formatCounts(section_counts)}`,
    "",
  ];
  return `${lines.join("\n")}${formatLeftOut(dropped, on)}`;
}

/** `folder`: where they were looked for. */
export function formatBases(rows: readonly BaseRow[], folder: string, on: On): string {
  if (rows.length === 0) return `no base is imported in ${folder}; see vicinity import --help\n`;
  const lines = rows.map((row) => {
    const size = formatBytes(row.bytes);
    if (!row.readable) return [row.id, UNKNOWN, size, UNKNOWN, "cannot be read: import it again"];
    const { id, data_at, bbox, holds } = row;
    const box = bbox?.map((degrees) => degrees.toFixed(2)).join(", ") ?? UNKNOWN;
    return [id, data_at?.slice(0, 10) ?? UNKNOWN, size, box, formatCounts(holds)];
  });
  return renderTable(COLUMNS, lines, on);
}

/** `1 200 addresses, 30 toilets; ways on foot: 900 vertices, 1 200 edges, 40 stairs`. */
export function formatCounts(holds: Readonly<Record<string, Counts>>): string {
  const { walk, ...others } = holds;
  const parts = Object.values(others).flatMap(listCounts);
  const things = parts.join(", ") || "nothing";
  if (walk) return `${things}; ways on foot: ${listCounts(walk).join(", ")}`;
  return lacksWalking(holds) ? `${things}; ${NO_WALKING}` : things;
}

export const NO_WALKING = "no ways on foot: minutes on foot need a new import";

function listCounts(counts: Counts): string[] {
  return Object.entries(counts).map(
    ([name, many]) => `${count(many)} ${oneLine(name.replaceAll("_", " "))}`,
  );
}

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

/** `12 MB`: three digits at most, in powers of 1000. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const scaled = bytes / 1000 ** power;
  return `${scaled < 10 && power > 0 ? scaled.toFixed(1) : Math.round(scaled)} ${UNITS[power]}`;
}
