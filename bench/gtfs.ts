/**
 * npm run bench -- gtfs: a GTFS import as a whole process (start, read, pack, end), compared with the npm
 * package `gtfs` importing the same archive into SQLite, in alternating rounds of one run; and the
 * same feed ten times over, for what growth costs. Where the package cannot be installed, tables
 * filled by csv-parse and node:sqlite in one transaction replace it, and the output says so.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readArguments } from "../trials/arguments.ts";
import { parse } from "csv-parse";
import yauzl from "yauzl";
import { importGtfs } from "#transit/index.ts";
import { feedPath, listFeeds } from "../scripts/gtfs-count.ts";
import { zipOf } from "../test/support/zip.ts";

const options = readArguments(process.argv.slice(2), {
  feed: "exo-laurentides-2025",
  rounds: 5,
  copies: 10,
  version: "4.21.0",
  child: null,
  archive: null,
});

/** Files that the importer reads; the package is also asked for no more than these. */
const READ = [
  ...["agency", "stops", "routes", "trips", "stop_times"],
  ...["calendar", "calendar_dates", "feed_info"],
] as const;
const UNREAD = ["shapes", "fare_attributes", "fare_rules"];
const MB = 1024 * 1024;
const KIB = 1024;

type Sample = { seconds: number; rss_mb: number; rows: number };
type Job = { name: string; argv: string[] };

async function main(): Promise<void> {
  if (!listFeeds().includes(options.feed)) {
    console.log(`no feed ${options.feed} in ../shared/data/gtfs`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "gtfs-bench-"));
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
  const archive = feedPath(options.feed);
  const ours = (path: string): Job => ({ name: "vicinity", argv: own("ours", path) });
  const compared = await compare([ours(archive), ...baselines(folder, archive)]);
  print(`${options.feed}, whole process, ${options.rounds} rounds`, compared);
  const one = join(folder, "1.zip");
  const many = join(folder, "many.zip");
  await repeat(archive, one, 1);
  await repeat(archive, many, options.copies);
  const grown = await compare([
    { ...ours(one), name: "once" },
    { ...ours(many), name: `${options.copies} times` },
  ]);
  print(`the same feed ${options.copies} times over`, grown);
  rmSync(folder, { recursive: true });
}

function own(child: string, archive: string): string[] {
  return [import.meta.filename, "--child", child, "--archive", archive];
}

/** The package, with all files and with only those that we read; or its substitute. */
function baselines(folder: string, archive: string): Job[] {
  const script = install(folder);
  if (script === null) {
    console.log(
      `the package gtfs ${options.version} cannot be installed here: a substitute is measured`,
    );
    return [{ name: "substitute: csv-parse + node:sqlite", argv: own("tables", archive) }];
  }
  return [
    { name: `gtfs ${options.version}`, argv: [script, archive, ""] },
    { name: `gtfs ${options.version}, our files`, argv: [script, archive, UNREAD.join()] },
  ];
}

const PACKAGE_SCRIPT = `
import { importGtfs } from "gtfs";
import { DatabaseSync } from "node:sqlite";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
const [path, unread] = process.argv.slice(2);
const folder = mkdtempSync(new URL("./db-", import.meta.url).pathname);
const exclude = unread ? unread.split(",") : [];
await importGtfs({ agencies: [{ path, exclude }], sqlitePath: folder + "/gtfs.db", logLevel: "silent" });
const rss = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
const rows = new DatabaseSync(folder + "/gtfs.db").prepare("SELECT count(*) c FROM stop_times").get().c;
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ rows, rss }));
`;

/** Outside the repository, through the ordinary client; null when it does not work here. */
function install(folder: string): string | null {
  const npm = ["/usr/bin/npm", "/usr/local/bin/npm", join(dirname(process.execPath), "npm")];
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const script = join(folder, "package.mjs");
  writeFileSync(script, PACKAGE_SCRIPT);
  for (const path of npm) {
    try {
      const cli = realpathSync(path);
      const argv = [cli, "i", "--no-audit", "--no-fund", `gtfs@${options.version}`];
      execFileSync(process.execPath, argv, { cwd: folder, stdio: "ignore", timeout: 240_000 });
      const check = ["-e", 'import("better-sqlite3").then((m) => new m.default(":memory:"))'];
      execFileSync(process.execPath, check, { cwd: folder, stdio: "ignore" });
      return script;
    } catch {
      continue;
    }
  }
  return null;
}

async function compare(jobs: readonly Job[]): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(jobs.map(({ name }) => [name, []]));
  for (let round = 0; round < options.rounds; round++)
    for (const job of jobs) samples.get(job.name)!.push(await measure(job));
  return samples;
}

async function measure({ name, argv }: Job): Promise<Sample> {
  const begun = performance.now();
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  const seconds = (performance.now() - begun) / 1000;
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  const { rows, rss } = JSON.parse(out.trim().split("\n").at(-1)!) as { rows: number; rss: number };
  return { seconds, rss_mb: (rss * KIB) / MB, rows };
}

function print(title: string, all: ReadonlyMap<string, Sample[]>): void {
  const base = [...all.values()][0]!;
  const median = (samples: readonly Sample[], of: keyof Sample): number =>
    samples.map((one) => one[of]).toSorted((a, b) => a - b)[samples.length >> 1]!;
  console.log(`\n${title}`);
  console.log(
    `${"".padEnd(36)}${["s", "rows/s", "peak MB", "× time", "× memory"].map((x) => x.padStart(10)).join("")}`,
  );
  for (const [name, samples] of all) {
    const seconds = median(samples, "seconds");
    const figures = [
      seconds.toFixed(2),
      Math.round(median(samples, "rows") / seconds).toLocaleString("en"),
      median(samples, "rss_mb").toFixed(0),
      (seconds / median(base, "seconds")).toFixed(2),
      (median(samples, "rss_mb") / median(base, "rss_mb")).toFixed(2),
    ];
    console.log(`${name.padEnd(36)}${figures.map((figure) => figure.padStart(10)).join("")}`);
  }
}

/** Of this program alone: resourceUsage() also counts what the parent held when it forked. */
function peak_kib(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]);
}

async function importOnce(path: string): Promise<void> {
  const result = await importGtfs({ path }, { feed_id: "bench", region: null, now_ms: 0 });
  if (!result.ok) throw new Error(result.problem);
  const rss = peak_kib();
  console.log(JSON.stringify({ rows: result.report.stop_times, rss }));
}

/** The substitute: the same files into tables, all columns as text, one transaction. */
async function fillTables(path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gtfs-tables-"));
  const database = new DatabaseSync(join(folder, "gtfs.db"));
  let rows = 0;
  database.exec("BEGIN");
  for await (const [file, row, isHeader] of rowsOf(path)) {
    if (isHeader) {
      const columns = row.map((name) => `"${name}" TEXT`).join(", ");
      database.exec(`CREATE TABLE ${file} (${columns})`);
    } else {
      insertInto(database, file, row);
      if (file === "stop_times") rows++;
    }
  }
  database.exec("COMMIT");
  const rss = peak_kib();
  database.close();
  rmSync(folder, { recursive: true });
  console.log(JSON.stringify({ rows, rss }));
}

const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();

function insertInto(database: DatabaseSync, file: string, row: readonly string[]): void {
  let statement = statements.get(file);
  if (!statement) {
    const marks = row.map(() => "?").join(", ");
    statements.set(file, (statement = database.prepare(`INSERT INTO ${file} VALUES (${marks})`)));
  }
  statement.run(...row);
}

async function* rowsOf(path: string): AsyncGenerator<[string, string[], boolean]> {
  const zip = await yauzl.openPromise(path);
  for await (const entry of zip.eachEntry()) {
    const file = READ.find((name) => entry.fileName.split("/").at(-1) === `${name}.txt`);
    if (file === undefined) continue;
    const stream = await zip.openReadStreamPromise(entry);
    let isHeader = true;
    for await (const row of stream.pipe(parse({ bom: true, trim: true, skip_empty_lines: true }))) {
      yield [file, row as string[], isHeader];
      isHeader = false;
    }
  }
}

/** Columns that name something: each copy of the feed has names of its own. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  stops: ["stop_id", "parent_station"],
  routes: ["route_id"],
  trips: ["route_id", "trip_id"],
  stop_times: ["trip_id", "stop_id"],
};

/** Writes an archive of `copies` copies of a feed: stops, routes, trips and calls of each. */
async function repeat(path: string, to: string, copies: number): Promise<void> {
  const files = new Map<string, string[][]>();
  for await (const [file, row] of rowsOf(path)) {
    const rows = files.get(file);
    if (rows) rows.push(row);
    else files.set(file, [row]);
  }
  const texts: Record<string, Buffer> = {};
  for (const [file, [header, ...rows]] of files) {
    const ids = (IDS[file] ?? []).map((name) => header!.indexOf(name));
    const times = file in IDS ? copies : 1;
    const parts = [Buffer.from(`${header!.join()}\n`)];
    for (let copy = 0; copy < times; copy++) {
      const lines = rows.map((row) =>
        row.map((cell, i) => quoted(ids.includes(i) && cell !== "" ? `${cell}~${copy}` : cell)),
      );
      parts.push(Buffer.from(`${lines.map((cells) => cells.join()).join("\n")}\n`));
    }
    texts[`${file}.txt`] = Buffer.concat(parts);
  }
  writeFileSync(to, zipOf(texts));
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

if (options.child === "ours") await importOnce(options.archive!);
else if (options.child === "tables") await fillTables(options.archive!);
else await main();
