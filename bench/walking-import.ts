/**
 * What the walking section takes of an import: processor time and peak memory of processes that import
 * the same extract with it and without, in alternating rounds, and the sizes of the bases.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { importBase } from "#osm/index.ts";
import { createSections } from "../src/main/bases/sections.ts";
import { print, spread } from "./children.ts";

type Sample = { cpu_s: number; peak_mb: number; pack_mb: number };
const MB = 1e6;

/** An import by a process of its own. */
export async function measureImport(extract: string, rounds: number): Promise<void> {
  const sides = { without: [] as Sample[], with: [] as Sample[] };
  for (let round = 0; round < rounds; round++)
    for (const side of ["without", "with"] as const) sides[side].push(importOnce(extract, side));
  const ratio = (part: keyof Sample): string =>
    spread(sides.with.map((sample, i) => sample[part] / sides.without[i]![part]));
  const of = (side: keyof typeof sides, part: keyof Sample): string =>
    spread(sides[side].map((sample) => sample[part]));
  print(`processor time ${of("without", "cpu_s")} s, with ways on foot ${of("with", "cpu_s")} s, ratio ${ratio("cpu_s")}`);
  print(`peak memory ${of("without", "peak_mb")} MB, with ways on foot ${of("with", "peak_mb")} MB`);
  print(`base ${of("without", "pack_mb")} MB, with ways on foot ${of("with", "pack_mb")} MB`);
  await Promise.resolve();
}

function importOnce(extract: string, side: "without" | "with"): Sample {
  const argv = [import.meta.filename, extract, side];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: "utf8" })) as Sample;
}

async function child(extract: string, side: string): Promise<void> {
  const sections = createSections(undefined, side === "without" ? ["walk"] : []);
  const done = await importBase(extract, { id: "bench", region: null, now_ms: 0, sections });
  if (!done.ok) throw new Error(done.problem);
  const { user, system } = process.cpuUsage();
  const peak_kb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]);
  const sample: Sample = {
    cpu_s: (user + system) / 1e6,
    peak_mb: (peak_kb * 1024) / MB,
    pack_mb: done.pack.byteLength / MB,
  };
  print(JSON.stringify(sample));
}

if (process.argv[1] === import.meta.filename) await child(process.argv[2]!, process.argv[3]!);
