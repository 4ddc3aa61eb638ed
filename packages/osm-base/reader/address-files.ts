/**
 * The import of a list of addresses: a table of text in, plain or gzip, one packed base out that
 * geocodes, or the reason why not in one line. Streets are made of the rows.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { parse } from "csv-parse";
import { createCoverage } from "../base/cover-cells.ts";
import type { AddressFormatName } from "../base/base-layout.ts";
import type { AddressRow, GeocoderSection } from "../geocoder/geocoder-section.ts";
import type { InflationBounds } from "#kit/inflation.ts";
import { problem } from "#kit/problem.ts";
import { checkNeeds, UNKNOWN_CAPACITY } from "../base/needs.ts";
import { createTrail } from "#kit/trail.ts";
import { type AddressFormat, FORMATS } from "../addresses/formats.ts";
import { guard } from "#kit/guard.ts";
import { type BaseImportOptions, type BaseImportResult, packBase } from "./import-extract.ts";
import type { BaseProgress } from "./import-progress.ts";
import { toProblem } from "#kit/run/run-problem.ts";
import { createTurn, type Turn } from "#kit/run/turn.ts";
import { passing, unpackGzip } from "#kit/run/unpack.ts";

export type AddressImportOptions = Omit<BaseImportOptions, "sections"> & {
  format: AddressFormatName;
  section: GeocoderSection;
  /** Blank lines count as rows. */
  max_rows?: number;
};

/** Of one row, and of a file: the addresses of a large country are 26 million. */
const MAX_ROW_BYTES = 65_536;
const MAX_ROWS = 60_000_000;
/** Lists unpack to 5 to 15 times their size. */
const BOUNDS: InflationBounds = {
  ratio: 100,
  ratio_from_bytes: 64 * 1024 ** 2,
  bytes: 16 * 1024 ** 3,
};
const BATCH_ROWS = 4_096;
/** The rest is the packing. */
const READING = 0.9;

/** Imports a list; never throws for what a file may hold: that is a `problem`. */
export function importAddresses(
  path: string,
  options: AddressImportOptions,
): Promise<BaseImportResult> {
  return guard<BaseImportResult, BaseImportResult>(
    () => run(path, options),
    (error) => toProblem(error, "addresses"),
  );
}

async function run(path: string, options: AddressImportOptions): Promise<BaseImportResult> {
  const begun_ms = performance.now();
  const { format: name, section, onProgress } = options;
  const format = FORMATS[name];
  const { size } = await stat(path);
  const isPacked = path.endsWith(".gz");
  const { capacity = UNKNOWN_CAPACITY } = options;
  checkNeeds("addresses", isPacked ? "packed list" : "list", size, capacity);
  const { max_rows = MAX_ROWS } = options;
  const intake = createIntake(section, format);
  const checkRows = (blank: number): void => {
    if (intake.rows() + blank > max_rows) throw problem(`addresses: more than ${max_rows} rows`);
  };
  const file = createReadStream(path, options.signal ? { signal: options.signal } : {});
  const show = (fraction: number): void =>
    onProgress?.(toProgress(fraction, file.bytesRead, size, intake.rows()));
  const parser = parse({
    bom: true,
    delimiter: format.delimiter,
    max_record_size: MAX_ROW_BYTES,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const unpacked = isPacked ? unpackGzip("addresses", BOUNDS) : [];
  // Of a list of blank lines no row ever arrives.
  const checked = passing(() => checkRows(parser.info.empty_lines));
  const turn = createTurn(options);
  const read = readRows(parser, intake, turn, () => show((READING * file.bytesRead) / size));
  await Promise.all([pipeline([file, ...unpacked, checked, parser]), read]);
  checkRows(parser.info.empty_lines);
  const summary = intake.finish();
  show(READING);
  const sections = [section];
  const result = await packBase(summary, { ...options, sections, terms: format.terms }, turn);
  show(1);
  const elapsed_ms = performance.now() - begun_ms;
  return { ok: true, pack: result.pack, report: { ...result.facts, file_bytes: size, elapsed_ms } };
}

async function readRows(
  rows: AsyncIterable<string[]>,
  intake: Intake,
  turn: Turn,
  onBatch: () => void,
): Promise<void> {
  let left = BATCH_ROWS;
  for await (const row of rows) {
    intake.take(row);
    if (--left > 0) continue;
    left = BATCH_ROWS;
    onBatch();
    await turn();
  }
}

type Intake = ReturnType<typeof createIntake>;

/** Takes the rows of one file: the first one may name the columns. */
function createIntake(section: GeocoderSection, { columns, needed, read }: AddressFormat) {
  const trail = createTrail();
  const coverage = createCoverage();
  let places = columns && toPlaces(columns, needed);
  let rows = 0;
  let batch: AddressRow[] = [];
  const flush = (): void => {
    section.addAddresses(batch);
    coverage.addPoints(
      Int32Array.from(
        batch.flatMap(({ lat, lon }) => [Math.round(lat * 1e7), Math.round(lon * 1e7)]),
      ),
    );
    batch = [];
  };
  return {
    rows: () => rows,
    take(cells: readonly string[]): void {
      if (places === null) return void (places = toPlaces(cells, needed));
      rows++;
      const entry = places;
      const row = read((column) => (cells[entry.get(column) ?? -1] ?? "").trim());
      if (typeof row === "string") trail.drop(row, `row ${rows}`);
      else if (batch.push(row) >= BATCH_ROWS) flush();
    },
    finish() {
      flush();
      if (coverage.box() === null) throw problem(`addresses: none in ${rows} rows`);
      return {
        counts: { nodes: rows, ways: 0, relations: 0 },
        box: coverage.box(),
        cells: coverage.cells(),
        data_at_s: null,
        trail,
      };
    },
  };
}

/** Places of the columns by their names in lower case. */
function toPlaces(names: readonly string[], needed: readonly string[]): Map<string, number> {
  const places = new Map(names.map((name, at) => [name.trim().toLowerCase(), at]));
  const missing = needed.find((name) => !places.has(name));
  if (missing !== undefined) throw problem(`addresses: no column ${missing}: another format?`);
  return places;
}

function toProgress(
  fraction: number,
  bytes: number,
  total_bytes: number,
  nodes: number,
): BaseProgress {
  return {
    pass: fraction < READING ? "nodes" : "packing",
    fraction: Math.min(1, fraction),
    bytes,
    total_bytes,
    counts: { nodes, ways: 0, relations: 0 },
    bytes_per_s: null,
    remaining_ms: null,
  };
}
