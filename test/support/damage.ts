/** Extracts that are cut short or have a flipped bit, and whether each is read or is one line. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importBase } from "#osm/index.ts";
import { listCountry } from "../../sandbox/pbf/country.ts";
import { toPbf } from "../../sandbox/pbf/encode.ts";
import type { PbfOptions } from "../../sandbox/pbf/objects.ts";
import { hash } from "../../sandbox/rng.ts";
import { collect } from "./base.ts";

const LONGEST_LINE = 200;
const KEYS = ["name", "addr:", "building", "highway", "place", "type", "natural", "amenity"];

/** How the undamaged files are written: a flip in plain bytes reaches further than one in zlib. */
const WAYS_TO_WRITE: readonly PbfOptions[] = [
  { compression: "none", metadata: true, objects_per_block: 100 },
  { compression: "none", dense: false, objects_per_block: 100 },
  { compression: "zlib", metadata: true, objects_per_block: 100 },
];

export type DamageReport = {
  read: number;
  refused: number;
  /** Lines of the refusals with their counts, numbers left out. */
  lines: Map<string, number>;
  /** What must not be: more than one line, or longer than a line is. */
  wrong: string[];
};

/** Why a file is refused; null: it is read. */
type ReadDamaged = (path: string) => Promise<string | null>;

const importDamaged: ReadDamaged = async (path) => {
  const { section } = collect({ node: KEYS, way: KEYS, relation: KEYS });
  const options = { id: "damaged", region: null, now_ms: 1, sections: [section] };
  const result = await importBase(path, options);
  return result.ok ? null : result.problem;
};

/** Tries damages number `from` to `from + count`, the same ones every time. */
export async function tryDamaged(
  count: number,
  from = 0,
  read: ReadDamaged = importDamaged,
): Promise<DamageReport> {
  const files = WAYS_TO_WRITE.map((options) => toPbf(listCountry({ quarters: 2 }), options));
  const folder = await mkdtemp(join(tmpdir(), "damage-"));
  const path = join(folder, "damaged.osm.pbf");
  const report: DamageReport = { read: 0, refused: 0, lines: new Map(), wrong: [] };
  for (let seed = from; seed < from + count; seed++) {
    await writeFile(path, damage(files[seed % files.length]!, seed));
    const problem = await read(path);
    if (problem === null) report.read += 1;
    else note(report, seed, problem);
  }
  await rm(folder, { recursive: true });
  return report;
}

function damage(bytes: Uint8Array, seed: number): Uint8Array {
  const at = hash(seed, 1) % bytes.length;
  if (hash(seed, 2) % 3 === 0) return bytes.subarray(0, at);
  const flipped = Uint8Array.from(bytes);
  const times = 1 + (hash(seed, 3) % 3);
  for (let i = 0; i < times; i++)
    flipped[hash(seed, 4, i) % bytes.length]! ^= 1 << (hash(seed, 5, i) % 8);
  return flipped;
}

function note(report: DamageReport, seed: number, line: string): void {
  report.refused += 1;
  const kind = line.replaceAll(/\d+/g, "N");
  report.lines.set(kind, (report.lines.get(kind) ?? 0) + 1);
  const isLine = /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(line) && line.length <= LONGEST_LINE;
  if (!isLine || !line.startsWith("extract: ")) report.wrong.push(`${seed}: ${line}`);
}
