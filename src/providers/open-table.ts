/**
 * A table as open data is published: CSV with commas or semicolons, JSON objects a line, a JSON list, or
 * GeoJSON. Where rows are is found in one walk; a row is read when it is asked for, so that a file of
 * hundreds of thousands of rows costs no object for each.
 */
import { toRow } from "#kit/coerce.ts";
import { createCsvScanner, type CsvRow } from "#kit/csv.ts";
import { Growing } from "#kit/growing.ts";
import { type JsonSpan, parseJsonSpan } from "#kit/json-elements.ts";
import { openJsonList } from "#providers/json-list.ts";

/** Value of a column in one row, by any of its names; undefined: it has none, or an empty one. */
export type Cells = (names: readonly string[]) => unknown;

export type OpenTable = {
  count: number;
  /** null: no row, though the file has something there. May be called again. */
  row(index: number): Cells | null;
};

export type TableOptions = {
  /** Columns that are read, each by its names. */
  columns: Readonly<Record<string, readonly string[]>>;
  /** One of these names has to be there: else it is another table. */
  needed: readonly string[];
  max_rows: number;
  onBroken(line: number): void;
};

/** Opens a document; null: it is no table, or one of something else. */
export function openTable(bytes: Uint8Array, options: TableOptions): OpenTable | null {
  const first = bytes[skipBlank(bytes)];
  if (first === undefined || first === 0x3c) return null;
  const isJson = first === 0x5b || first === 0x7b;
  const table = isJson ? openJson(bytes, options) : openCsv(bytes, options);
  return table && isWanted(table, options) ? table : null;
}

/** Rows of which none has the needed column are rows of something else. */
function isWanted({ count, row }: OpenTable, { needed }: TableOptions): boolean {
  for (let index = 0; index < count; index++) if (row(index)?.(needed) !== undefined) return true;
  return count === 0;
}

function skipBlank(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && bytes[at]! <= 0x20) at++;
  return at;
}

const MEMBERS = ["features", "data", "results", "records", "items"] as const;

function openJson(bytes: Uint8Array, { max_rows }: TableOptions): OpenTable | null {
  const list = openJsonList(bytes, MEMBERS);
  const spans = list ? list.spans() : listLines(bytes);
  const [starts, ends] = [new Growing(Uint32Array), new Growing(Uint32Array)];
  for (const [from, to] of spans) {
    if (starts.length === max_rows) return null;
    starts.push(from);
    ends.push(to);
  }
  const parsed = (index: number): unknown =>
    parseJsonSpan(bytes, [starts.at(index), ends.at(index)]);
  // One object that is no list of anything is a document of another kind.
  if (!list && (starts.length < 2 || toRow(parsed(0)) === null)) return null;
  return { count: starts.length, row: (index) => jsonCells(parsed(index)) };
}

function* listLines(bytes: Uint8Array): Generator<JsonSpan, void> {
  for (let from = skipBlank(bytes); from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from);
    const to = end === -1 ? bytes.length : end;
    // An object has two bytes at least; blank lines are none.
    if (to - from >= 2) yield [from, to];
    from = to + 1;
  }
}

/** The properties of a feature, with its geometry under that name; or the members of an object. */
function jsonCells(value: unknown): Cells | null {
  const whole = toRow(value);
  const properties = toRow(whole?.["properties"]);
  const row = properties ?? toRow(whole?.["fields"]) ?? whole;
  if (!row) return null;
  return (names) => {
    for (const name of names) {
      const cell = row[name] ?? (properties && name === "geometry" ? whole?.[name] : null);
      if (cell != null && cell !== "") return cell;
    }
    return undefined;
  };
}

const SEPARATORS = [0x2c, 0x3b] as const;
/** Of a header; more is no table. */
const MAX_HEADER = 65_536;

function openCsv(bytes: Uint8Array, options: TableOptions): OpenTable | null {
  const from = skipBlank(bytes);
  const line_end = bytes.subarray(0, from + MAX_HEADER).indexOf(0x0a, from);
  const header = bytes.subarray(from, line_end === -1 ? from + MAX_HEADER : line_end);
  const names = new TextDecoder().decode(header).toLowerCase();
  const needed = options.needed.some((name) => names.includes(name.toLowerCase()));
  if (!needed) return null;
  const [commas, semicolons] = SEPARATORS.map((byte) => header.filter((b) => b === byte).length);
  const separator = semicolons! > commas! ? SEPARATORS[1] : SEPARATORS[0];
  return scanCsv(bytes, separator, options);
}

function scanCsv(bytes: Uint8Array, separator: number, options: TableOptions): OpenTable | null {
  const all = Object.values(options.columns).flat();
  // The scanner has names of columns in small letters.
  const columns = [...new Set(all.map((name) => name.toLowerCase()))];
  const slots = new Map(all.map((name) => [name, columns.indexOf(name.toLowerCase())]));
  const width = columns.length;
  const bounds = new Growing(Uint32Array);
  /** Cells with doubled quotes: few are. */
  const escaped = new Set<number>();
  let count = 0;
  const scanner = createCsvScanner({
    ...{ file: "table", columns, needed: [], separator, max_rows: options.max_rows },
    onBroken: options.onBroken,
    onRow(row: CsvRow) {
      for (let slot = 0; slot < width; slot++) {
        bounds.push(row.starts[slot]!);
        bounds.push(row.ends[slot]!);
        if (row.escaped[slot] === 1) escaped.add(count * width + slot);
      }
      count += 1;
    },
  });
  if (scanner.whole(bytes) !== null) return null;
  const read = (cell: number): string | undefined => {
    const [start, end] = [bounds.at(cell * 2), bounds.at(cell * 2 + 1)];
    if (start === end) return undefined;
    const text = decoder.decode(bytes.subarray(start, end));
    return escaped.has(cell) ? text.replaceAll('""', '"') : text;
  };
  return {
    count,
    row: (index) => (names) => firstOf(names, slots, (slot) => read(index * width + slot)),
  };
}

const decoder = new TextDecoder();

function firstOf(
  names: readonly string[],
  slots: ReadonlyMap<string, number>,
  read: (slot: number) => string | undefined,
): string | undefined {
  for (const name of names) {
    const slot = slots.get(name);
    const text = slot === undefined ? undefined : read(slot);
    if (text !== undefined) return text;
  }
  return undefined;
}
