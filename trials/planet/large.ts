/** A large extract imported by the command, and what it and the service over its base take. */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "../../test/support/at-exit.ts";
import { temporaryFolder } from "./folders.ts";
import { listCopies, readTowns } from "./large-file.ts";
import { folderBytes, readProcess } from "./machine.ts";
import { writePlanet } from "./make-planet.ts";
import { basesOf, BASE_ID, readHead } from "./paged-import.ts";
import { measureServing } from "./serving.ts";

const GB = 1e9;
const MB = 1e6;
/** File, runs and base of one byte of an extract, at the same time. */
const DISK_FACTOR = 9;

type Row = readonly [what: string, value: string];

export async function measureLarge(
  sizes: readonly number[],
  { memory_mb, folder: parent = tmpdir() }: { memory_mb: number; folder?: string | undefined },
): Promise<number> {
  const columns: Row[][] = [];
  let findings = 0;
  for (const gb of sizes) {
    const disk = statfsSync(parent);
    const most_gb = (disk.bavail * disk.bsize) / GB / DISK_FACTOR;
    if (gb > most_gb) {
      console.log(
        `${gb} GB left out: ${(gb * DISK_FACTOR).toFixed(0)} GB of disk are needed, and ${(most_gb * DISK_FACTOR).toFixed(0)} are free`,
      );
      continue;
    }
    const folder = temporaryFolder(parent);
    const measured = await measureOne(gb, folder, memory_mb);
    columns.push(measured.rows);
    findings += measured.findings;
    rmSync(folder, { recursive: true, force: true });
    print(columns);
  }
  return findings;
}

async function measureOne(
  gb: number,
  folder: string,
  memory_mb: number,
): Promise<{ rows: Row[]; findings: number }> {
  const extract = join(folder, "planet.osm.pbf");
  const copies = listCopies(await readTowns(), gb * GB);
  const begun = performance.now();
  await writePlanet(extract, copies);
  const { size } = statSync(extract);
  console.log(
    `${(size / GB).toFixed(2)} GB of ${copies.length} towns, written in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  );
  const data_dir = join(folder, "data");
  mkdirSync(basesOf(data_dir), { recursive: true });
  const took = await runImport(extract, data_dir);
  if (took.code !== 0) {
    console.log(`  the import ended with ${took.code}: ${took.err}`);
    return {
      rows: [
        ["file", `${(size / GB).toFixed(2)} GB`],
        ["import", took.err.trim()],
      ],
      findings: 1,
    };
  }
  rmSync(extract);
  const head = await readHead(data_dir);
  const base_bytes = folderBytes(basesOf(data_dir));
  const pages = head.meta.pages.map(({ bytes }) => bytes).sort((a, b) => a - b);
  const served = await measureServing(data_dir, { copies, memory_mb, pages });
  return {
    findings: 0,
    rows: [
      ["file", `${(size / GB).toFixed(2)} GB`],
      ["import", `${took.seconds.toFixed(0)} s`],
      ["processor time of it", `${took.cpu_s.toFixed(0)} s`],
      ["PBF a second", `${(size / MB / took.seconds).toFixed(1)} MB`],
      ["PBF a second of processor time", `${(size / MB / took.cpu_s).toFixed(1)} MB`],
      ["peak memory of the import", `${(took.peak_bytes / MB).toFixed(0)} MB`],
      [
        "peak disk of the import, base included, times the file",
        (took.disk_bytes / size).toFixed(2),
      ],
      ["base, times the file", (base_bytes / size).toFixed(2)],
      [
        "pages, the middle one, the largest",
        `${pages.length}, ${(pages[pages.length >> 1]! / MB).toFixed(0)} MB, ${(pages.at(-1)! / MB).toFixed(0)} MB`,
      ],
      ["head", `${(head.bytes / MB).toFixed(1)} MB`],
      ...served,
    ],
  };
}

type Took = {
  code: number | null;
  err: string;
  seconds: number;
  cpu_s: number;
  peak_bytes: number;
  disk_bytes: number;
};
const SAMPLE_MS = 200;

/** The command as an operator calls it, in a process of its own. */
async function runImport(extract: string, data_dir: string): Promise<Took> {
  const begun = performance.now();
  const main = new URL("../../src/main.ts", import.meta.url).pathname;
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(
    process.execPath,
    [main, "import", "osm", extract, "--id", BASE_ID, "--json"],
    {
      env: { PATH, HOME, VICINITY_DATA_DIR: data_dir },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const stay = atExit(() => child.kill("SIGKILL"));
  const took: Took = { code: null, err: "", seconds: 0, cpu_s: 0, peak_bytes: 0, disk_bytes: 0 };
  child.stderr.setEncoding("utf8").on("data", (text: string) => (took.err += text));
  const sample = setInterval(() => {
    const facts = readProcess(child.pid!);
    if (facts !== null) {
      took.peak_bytes = Math.max(took.peak_bytes, facts.peak_bytes);
      took.cpu_s = Math.max(took.cpu_s, facts.cpu_s);
    }
    took.disk_bytes = Math.max(took.disk_bytes, folderBytes(data_dir));
  }, SAMPLE_MS);
  took.code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(sample);
  stay();
  took.seconds = (performance.now() - begun) / 1000;
  return took;
}

function print(columns: readonly Row[][]): void {
  const names = [...new Set(columns.flatMap((rows) => rows.map(([name]) => name)))];
  const [heading = "", ...others] = names;
  const valueOf = (rows: readonly Row[], name: string): string =>
    rows.find(([own]) => own === name)?.[1] ?? "–";
  console.log(`\n| ${[heading, ...columns.map((rows) => valueOf(rows, heading))].join(" | ")} |`);
  console.log(`|---|${columns.map(() => "---:|").join("")}`);
  for (const name of others)
    console.log(`| ${[name, ...columns.map((rows) => valueOf(rows, name))].join(" | ")} |`);
  console.log();
}
