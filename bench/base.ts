/**
 * npm run bench -- base: decoding and importing an extract of about 100 MB, which the simulator's
 * encoder writes into a temporary folder: an invented country, or with `--copies NAME` a real extract
 * over and over, each copy further east and with ids of its own. Each figure is a process of its own,
 * in alternating rounds; memory is the most that the process had at any time. Then other readers of
 * the same file (base-readers.ts), and the throughput of services over a base (base-services.ts),
 * which `--services` measures alone. `--pages 30`: what pages cost in place of it (base-pages.ts).
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
import { readArguments } from "../trials/arguments.ts";
import { BlockReader, openBlobs } from "#osm/imports.ts";
import { type BaseSection, importBase } from "#osm/index.ts";
import { listCountry } from "../sandbox/pbf/country.ts";
import { encodePbf } from "../sandbox/pbf/encode.ts";
import type { PbfObject } from "../sandbox/pbf/objects.ts";
import { extractPath } from "../test/support/base.ts";
import { measurePages } from "./base-pages.ts";
import { measureReaders } from "./base-readers.ts";
import { measureServices } from "./base-services.ts";

const options = readArguments(process.argv.slice(2), {
  quarters: 85_000,
  copies: null,
  megabytes: 100,
  rounds: 3,
  services: false,
  pages: 0,
  seconds: 4,
  file: null,
  child: null,
});

const MB = 1_000_000;
const KIB = 1024;

/** `cpu_seconds`: of all threads, which a busy machine changes less. */
type Sample = { seconds: number; cpu_seconds: number; peak_mb: number; objects: number };

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
  for (let round = 0; round < options.rounds; round++)
    for (const name of samples.keys()) samples.get(name)!.push(measure(name, path));
  const heads = ["s", "MB/s", "cpu s", "objects", "peak MB", "× file"];
  console.log(`${"".padEnd(24)}${heads.map((head) => head.padStart(12)).join("")}`);
  for (const [name, all] of samples) {
    const { seconds, cpu_seconds, peak_mb, objects } = median(all);
    const figures = [
      seconds.toFixed(2),
      (size_mb / seconds).toFixed(1),
      cpu_seconds.toFixed(2),
      objects.toLocaleString("en"),
      peak_mb.toFixed(0),
      (peak_mb / size_mb).toFixed(1),
    ];
    console.log(name.padEnd(24) + figures.map((figure) => figure.padStart(12)).join(""));
  }
  measureReaders(path, options.rounds);
  rmSync(folder, { recursive: true });
}

/** Of the extract with most services that is kept next to the repository. */
const SERVED = "liechtenstein-alabama-2021";

async function measureThroughput(): Promise<void> {
  const path = options.file ?? extractPath(SERVED);
  if (!existsSync(path)) return console.log("no extract with services here: name one with --file");
  const [rounds, seconds] = [options.rounds, options.seconds];
  await measureServices(path, { rounds, seconds });
}

function median(samples: readonly Sample[]): Sample {
  return samples.toSorted((a, b) => a.seconds - b.seconds)[samples.length >> 1]!;
}

async function write(path: string): Promise<void> {
  const begun = performance.now();
  const objects =
    options.copies === undefined
      ? listCountry({ quarters: options.quarters })
      : await repeat(extractPath(options.copies));
  const blobs = encodePbf(objects, { metadata: true, data_at_s: 1_700_000_000 });
  await pipeline(Readable.from(blobs), createWriteStream(path));
  console.log(`written in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

const EAST7 = 5_000_000;
const LON_SPAN7 = 3_600_000_000;
/** Beyond all ids of the map. */
const ID_STEP = 2 ** 36;

async function repeat(path: string): Promise<Generator<PbfObject>> {
  const copies = Math.round((options.megabytes * MB) / statSync(path).size);
  const objects = await listObjects(path);
  return (function* () {
    for (const kind of ["node", "way", "relation"])
      for (let copy = 0; copy < copies; copy++)
        for (const object of objects) if (object.type === kind) yield shift(object, copy);
  })();
}

function shift(object: PbfObject, copy: number): PbfObject {
  const id = object.id + copy * ID_STEP;
  if (object.type === "way")
    return { ...object, id, refs: object.refs.map((ref) => ref + copy * ID_STEP) };
  if (object.type === "relation") {
    const members = object.members.map((one) => ({ ...one, id: one.id + copy * ID_STEP }));
    return { ...object, id, members };
  }
  const lon7 = object.lon7 + copy * EAST7;
  return { ...object, id, lon7: lon7 > LON_SPAN7 / 2 ? lon7 - LON_SPAN7 : lon7 };
}

async function listObjects(path: string): Promise<PbfObject[]> {
  const file = await openBlobs(path);
  const reader = new BlockReader();
  const objects: PbfObject[] = [];
  const all = Array.from({ length: file.count }, (_, i) => i);
  for await (const { bytes } of file.contents(all)) {
    const tagged = new Map<number, Record<string, string>>();
    reader.read(bytes, {
      nodeKeys: () => 1,
      times: false,
      node: ({ id, tags }) => tagged.set(id, Object.fromEntries(tags)),
      nodes({ count, ids, lat7, lon7 }) {
        for (let i = 0; i < count; i++) {
          const tags = tagged.get(ids[i]!);
          const node = { type: "node", id: ids[i]!, lat7: lat7[i]!, lon7: lon7[i]! } as const;
          objects.push(tags ? { ...node, tags } : node);
        }
      },
      way: (way) =>
        objects.push({
          type: "way",
          id: way.id,
          tags: Object.fromEntries(way.tags()),
          refs: [...way.refs()],
        }),
      relation: (relation) =>
        objects.push({
          type: "relation",
          id: relation.id,
          tags: Object.fromEntries(relation.tags()),
          members: relation.members(),
        }),
    });
  }
  await file.close();
  return objects;
}

function measure(name: string, path: string): Sample {
  const argv = [import.meta.filename, "--child", name, "--file", path];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: "utf8" })) as Sample;
}

async function child(name: string, path: string): Promise<void> {
  const begun = performance.now();
  const objects = await JOBS[name]!(path);
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage();
  const cpu_seconds = (user + system) / 1e6;
  const status = readFileSync("/proc/self/status", "utf8");
  const peak_mb = (Number(/VmHWM:\s+(\d+)/.exec(status)![1]) * KIB) / MB;
  console.log(JSON.stringify({ seconds, cpu_seconds, peak_mb, objects } satisfies Sample));
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

if (options.child !== undefined) await child(options.child, options.file!);
else if (options.pages > 0) await measurePages({ pages: options.pages, rounds: options.rounds });
else {
  if (!options.services) await main();
  await measureThroughput();
}
