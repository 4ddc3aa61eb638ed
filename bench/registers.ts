/**
 * Reading a national register of charging points: 224,488 rows of the shape of IRVE, as CSV and as JSON
 * lines, and as many points of OICP, DATEX II as JSON and OCPI, against csv-parse and JSON.parse in the
 * same run. Each sample is a process of its own, which has the document before its clock and its memory
 * are looked at.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "csv-parse/sync";
import { createTrail } from "#kit/trail.ts";
import { findShape } from "#providers/register-shapes.ts";
import { DOCUMENTS, makeRows, type Row } from "./register-documents.ts";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "224488" },
    rounds: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    child: { type: "string" },
    file: { type: "string" },
  },
});

const MB = 1e6;
const KIB = 1024;
/** `cpu_ms`: of all threads; `ms` includes waiting for other programs of the machine. */
type Sample = { ms: number; cpu_ms: number; peak_mb: number; points: number };

function readWith(shape: string, bytes: Uint8Array): number {
  const settings = {
    ...{ id: shape, name: shape, url: "https://register.example", live_url: null },
    ...{ timeout_ms: 1_000, auth: null, attribution: null, country: "FR" },
  };
  let points = 0;
  const places = findShape(shape)!.readPlaces(bytes, { settings, trail: createTrail() });
  for (const place of places ?? [])
    if (place?.live?.kind === "points") points += place.live.points.length;
  return points;
}

/** What anybody would take: an object of all, or of each row, at once. */
const BASELINES: Readonly<Record<string, (bytes: Uint8Array) => number>> = {
  "csv-parse": (bytes) => parse(Buffer.from(bytes), { columns: true, bom: true }).length,
  "JSON lines": (bytes) =>
    new TextDecoder()
      .decode(bytes)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Row).length,
  "JSON.parse": (bytes) => Object.keys(JSON.parse(new TextDecoder().decode(bytes))).length,
};

function runChild(): void {
  const bytes = readFileSync(options.file!);
  const begin_kib = status_kib("VmRSS");
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const read = BASELINES[options.child!];
  const points = read ? read(bytes) : readWith(options.child!, bytes);
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  const cpu_ms = (user + system) / 1_000;
  const peak_mb = ((status_kib("VmHWM") - begin_kib) * KIB) / MB;
  console.log(JSON.stringify({ ms, cpu_ms, peak_mb, points }));
}

function status_kib(name: string): number {
  const text = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)![1]);
}

function measure(child: string, file: string): Sample {
  const argv = [import.meta.filename, "--child", child, "--file", file];
  const samples = Array.from({ length: Number(options.rounds) }, () => {
    const out = execFileSync(process.execPath, argv, { encoding: "utf8" });
    return JSON.parse(out) as Sample;
  });
  return samples.toSorted((a, b) => a.cpu_ms - b.cpu_ms)[samples.length >> 1]!;
}

const HEADER = ["", "MB", "ms", "cpu ms", "peak MB", "× cpu", "× memory"];

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), "registers-"));
  console.log(`node ${process.version}, ${options.rows} rows, median of ${options.rounds} rounds`);
  console.log(toLine(HEADER));
  const rows = [...makeRows(Number(options.rows), Number(options.seed))];
  for (const [name, { shape, baseline, write }] of Object.entries(DOCUMENTS)) {
    const file = join(folder, shape);
    write(file, rows);
    const [ours, theirs] = [measure(shape, file), measure(baseline, file)];
    for (const [label, sample] of [
      [name, ours],
      [baseline, theirs],
    ] as const)
      console.log(
        toLine([
          label,
          (statSync(file).size / MB).toFixed(0),
          sample.ms.toFixed(0),
          sample.cpu_ms.toFixed(0),
          sample.peak_mb.toFixed(0),
          (sample.cpu_ms / theirs.cpu_ms).toFixed(2),
          (sample.peak_mb / theirs.peak_mb).toFixed(2),
        ]),
      );
    if (ours.points !== Number(options.rows)) throw new Error(`${name}: ${ours.points} points`);
  }
  rmSync(folder, { recursive: true });
}

const toLine = ([first = "", ...figures]: readonly string[]): string =>
  first.padStart(16) + figures.map((figure) => figure.padStart(11)).join("");

if (options.child === undefined) main();
else runChild();
