/**
 * The reader of extracts next to others that are on this machine: osmium (Debian's osmium-tool), and
 * osm-pbf-parser of npm in the folder that BENCH_NPM names. Each reads the same file in a process of
 * its own, in alternating rounds; one that is missing is said to be.
 */
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { print } from "./children.ts";

const MB = 1_000_000;
const PARSER = join("node_modules", "osm-pbf-parser", "index.js");

type Reader = { name: string; command: string[] };
type Sample = { seconds: number; cpu_seconds: number };

export function measureReaders(path: string, rounds: number): void {
  const readers = listReaders(path);
  const samples = new Map<string, Sample[]>(readers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const { name, command } of readers) samples.get(name)!.push(measure(command));
  const size_mb = statSync(path).size / MB;
  print(`\nreaders of the same file, ${size_mb.toFixed(1)} MB, least of ${rounds}`);
  for (const [name, all] of samples) {
    const least = (part: keyof Sample): number => Math.min(...all.map((each) => each[part]));
    const [seconds, cpu_seconds] = [least("seconds"), least("cpu_seconds")];
    const rate = size_mb / cpu_seconds;
    print(
      `  ${name.padEnd(34)} ${seconds.toFixed(2)} s, ${cpu_seconds.toFixed(2)} s of processors, ${rate.toFixed(1)} MB a second of them`,
    );
  }
}

function listReaders(path: string): Reader[] {
  const own = (job: string): string[] => [
    ...[process.execPath, join(import.meta.dirname, "base.ts")],
    ...["--child", job, "--file", path],
  ];
  const readers = [
    { name: "ours: decoding", command: own("decoding") },
    { name: "ours: import without sections", command: own("import, no sections") },
  ];
  if (spawnSync("osmium", ["--version"]).status === 0) readers.push(...listOsmium(path));
  else print("NOT MEASURED: osmium is not on this machine (apt-get install osmium-tool)");
  const folder = process.env["BENCH_NPM"];
  if (folder !== undefined && existsSync(join(folder, PARSER)))
    readers.push({ name: "osm-pbf-parser (npm)", command: toParser(join(folder, PARSER), path) });
  else print("NOT MEASURED: osm-pbf-parser is not in the folder that BENCH_NPM names");
  return readers;
}

/** In the format opl every object is read and written as a line; with tags-filter few are. */
function listOsmium(path: string): Reader[] {
  const cat = ["osmium", "cat", path, "--output=/dev/null", "--overwrite", "--no-progress"];
  const filter = ["osmium", "tags-filter", "--omit-referenced", path, "amenity", "emergency"];
  return [
    { name: "osmium cat --output-format=opl", command: [...cat, "--output-format=opl"] },
    { name: "osmium cat --output-format=pbf", command: [...cat, "--output-format=pbf"] },
    {
      name: "osmium tags-filter",
      command: [...filter, "--output=/dev/null", "--output-format=opl", "--overwrite"],
    },
    { name: "osmium fileinfo --extended", command: ["osmium", "fileinfo", "--extended", path] },
  ];
}

function toParser(parser: string, path: string): string[] {
  const script = `
    const reader = require(${JSON.stringify(parser)})();
    require("node:fs").createReadStream(${JSON.stringify(path)}).pipe(reader);
    let objects = 0;
    reader.on("data", (items) => (objects += items.length));
    reader.on("end", () => console.log(objects));`;
  return [process.execPath, "--eval", script];
}

/** Times of a process and its threads, as the shell measures them. */
function measure(command: readonly string[]): Sample {
  const timed = 'TIMEFORMAT="%3R %3U %3S"; time "$@" > /dev/null';
  const { status, stderr } = spawnSync("bash", ["-c", timed, "bash", ...command], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command.slice(0, 3).join(" ")}: ${stderr.slice(0, 300)}`);
  const [seconds, user, system] = stderr.trim().split("\n").at(-1)!.split(" ").map(Number);
  return { seconds: seconds!, cpu_seconds: user! + system! };
}
