/**
 * npm run bench:base: decoding and importing an extract of about 100 MB, which the simulator's
 * encoder writes into a temporary folder. Each figure is a process of its own, in alternating rounds;
 * memory is the most that the process had at any time.
 */
import { execFileSync } from "node:child_process";
import {
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import type { BaseSection } from "#core/base/features.ts";
import { BlockReader } from "#providers/pbf/block.ts";
import { openBlobs } from "#upstream/base/file.ts";
import { importBase } from "#upstream/base/import.ts";
import { listCountry } from "../sandbox/pbf/country.ts";
import { encodePbf } from "../sandbox/pbf/encode.ts";

const { values: options } = parseArgs({
  options: {
    quarters: { type: "string", default: "48000" },
    rounds: { type: "string", default: "3" },
    /** Another extract. */
    file: { type: "string" },
    /** Internal: what a child process is to do. */
    child: { type: "string" },
  },
});

const MB = 1_000_000;
const KIB = 1024;

type Sample = { seconds: number; peak_mb: number; objects: number };

const JOBS: Readonly<Record<string, (path: string) => Promise<number>>> = {
  "start only": () => Promise.resolve(0),
  inflating: (path) => read(path, null),
  decoding: (path) => read(path, new BlockReader()),
  "import, no sections": (path) => load(path, []),
  "import, one section": (path) => load(path, [counting()]),
};

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "base-bench-"));
  const path = options.file ?? join(folder, "country.osm.pbf");
  console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
  if (!existsSync(path)) await write(path);
  const size_mb = statSync(path).size / MB;
  console.log(`extract of ${size_mb.toFixed(1)} MB\n`);
  const samples = new Map<string, Sample[]>(Object.keys(JOBS).map((name) => [name, []]));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const name of samples.keys()) samples.get(name)!.push(measure(name, path));
  const heads = ["s", "MB/s", "objects", "peak MB", "× file"];
  console.log(`${"".padEnd(24)}${heads.map((head) => head.padStart(12)).join("")}`);
  for (const [name, all] of samples) {
    const { seconds, peak_mb, objects } = all.toSorted((a, b) => a.seconds - b.seconds)[
      all.length >> 1
    ]!;
    const figures = [
      seconds.toFixed(2),
      (size_mb / seconds).toFixed(1),
      objects.toLocaleString("en"),
      peak_mb.toFixed(0),
      (peak_mb / size_mb).toFixed(1),
    ];
    console.log(name.padEnd(24) + figures.map((figure) => figure.padStart(12)).join(""));
  }
  rmSync(folder, { recursive: true });
}

async function write(path: string): Promise<void> {
  const begun = performance.now();
  const objects = listCountry({ quarters: Number(options.quarters) });
  const blobs = encodePbf(objects, { metadata: true, data_at_s: 1_700_000_000 });
  await pipeline(Readable.from(blobs), createWriteStream(path));
  console.log(`written in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

function measure(name: string, path: string): Sample {
  const argv = [import.meta.filename, "--child", name, "--file", path];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: "utf8" })) as Sample;
}

async function child(name: string, path: string): Promise<void> {
  const begun = performance.now();
  const objects = await JOBS[name]!(path);
  const seconds = (performance.now() - begun) / 1000;
  const status = readFileSync("/proc/self/status", "utf8");
  const peak_mb = (Number(/VmHWM:\s+(\d+)/.exec(status)![1]) * KIB) / MB;
  console.log(JSON.stringify({ seconds, peak_mb, objects } satisfies Sample));
}

/** All objects with their references, but without texts. */
async function read(path: string, reader: BlockReader | null): Promise<number> {
  const file = await openBlobs(path);
  let objects = 0;
  const all = Array.from({ length: file.count }, (_, i) => i);
  for await (const { bytes } of file.contents(all))
    reader?.read(bytes, {
      nodeKeys: () => 0,
      times: false,
      node: () => undefined,
      nodes: ({ count }) => (objects += count),
      way(way) {
        objects += 1;
        way.refs();
      },
      relation(relation) {
        objects += 1;
        relation.wayMembers(() => undefined);
      },
    });
  await file.close();
  return objects;
}

async function load(path: string, sections: BaseSection[]): Promise<number> {
  const result = await importBase(path, { id: "bench", region: null, now_ms: 0, sections });
  if (!result.ok) throw new Error(result.problem);
  const { nodes, ways, relations } = result.report.counts;
  return nodes + ways + relations;
}

/** Takes what a base takes, and keeps nothing of it. */
function counting(): BaseSection {
  const counts = { nodes: 0, ways: 0, relations: 0 };
  return {
    name: "counting",
    keys: {
      node: ["amenity", "emergency", "highway", "place", "shop", "natural", "addr:"],
      way: ["building", "highway", "natural", "addr:"],
      relation: ["type"],
    },
    node: () => void (counts.nodes += 1),
    way: () => void (counts.ways += 1),
    relation: () => void (counts.relations += 1),
    *finish() {
      yield;
      return { columns: {}, meta: {}, counts };
    },
  };
}

if (options.child === undefined) await main();
else await child(options.child, options.file!);
