/**
 * `npm run trials -- walking [--pairs 10000] [--only EXTRACT,…] [--seed N]`: ways on foot over the
 * captured extracts are as long as an independent program in Python finds them over the raw nodes and
 * ways (test/oracle/walking.py), by both sets of rules of the recorded pairs.
 *
 * `--nearest [--addresses N]`: the nearest place of five kinds on foot, for the addresses of each extract,
 * and how often the nearest by the straight line is another (walking/nearest.ts).
 *
 * `--routino`: the recorded pairs next to those of Routino, with the tags that are the reason where only one of the
 * two reaches the other end (walking/routino.ts).
 *
 * `--pages [--pairs 2200] [--zoom 15]`: the extracts as one graph and cut into pages of cells of that zoom
 * (walking/pages.ts).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createWalkSection, openWalk, snap, type WalkMeta, WalkSearch } from "#osm/walking.ts";
import { importBase } from "#osm/index.ts";
import { openPack } from "#osm/imports.ts";
import { compareNearest } from "./walking/nearest.ts";
import { comparePages } from "./walking/pages.ts";
import { compareRoutino } from "./walking/routino.ts";
import { listExtracts } from "../test/support/osmium.ts";

const RECORDED = fileURLToPath(new URL("../../shared/data/walking/", import.meta.url));
const ORACLE = fileURLToPath(new URL("../test/oracle/walking.py", import.meta.url));
const EXTRACTS = [
  "liechtenstein-alabama-2021",
  "helsinki-centre-2019",
  "monaco-2023",
  "queens-village-2016",
  "frankfurt-darmstadt-2024",
];
/** Targets of one start. */
const TARGETS = 10;
const MOST_M = 3_000;
const SAME_M = 0.1;
const MOST_SHOWN = 5;

type Pair = readonly [number, number, number, number, number | null];
type Ruleset = "plain" | "wide";

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      pairs: { type: "string" },
      only: { type: "string" },
      seed: { type: "string", default: "1" },
      nearest: { type: "boolean", default: false },
      routino: { type: "boolean", default: false },
      pages: { type: "boolean", default: false },
      zoom: { type: "string", default: "15" },
      addresses: { type: "string", default: "1000000" },
    },
  });
  const all = listExtracts();
  const paths = listPaths(all, values.only?.split(","));
  if (values.routino)
    return await compareRoutino(paths.filter((path) => path.startsWith(RECORDED)));
  if (values.pages) {
    const [pairs, zoom] = [Number(values.pairs ?? "2200"), Number(values.zoom)];
    return await comparePages(paths, { pairs, zoom, seed: Number(values.seed) });
  }
  if (values.nearest) {
    return await compareNearest(paths, Number(values.addresses));
  }
  const names = EXTRACTS.filter((name) => values.only?.split(",").includes(name) ?? true);
  const rulesets: readonly Ruleset[] = ["plain", "wide"];
  const each = Math.ceil(
    Number(values.pairs ?? "10000") / (names.length * rulesets.length * TARGETS),
  );
  let findings = 0;
  console.log("| extract | rules | pairs | with a way | longest difference | differ |");
  console.log("|---|---|---:|---:|---:|---:|");
  for (const name of names)
    for (const ruleset of rulesets) {
      const path = all.get(name);
      if (path === undefined) throw new Error(`no extract ${name}`);
      const pairs = await askOracle(path, ruleset, { seed: Number(values.seed), sources: each });
      const { ways, worst_m, wrong } = await compare(path, ruleset, pairs);
      findings += wrong.length + (pairs.length === 0 ? 1 : 0);
      console.log(
        `| ${name} | ${ruleset} | ${pairs.length} | ${ways} | ${worst_m.toFixed(3)} m | ${wrong.length} |`,
      );
      for (const line of wrong.slice(0, MOST_SHOWN)) console.log(`  ${line}`);
    }
  return findings;
}

/** Those with recorded ways, and the others. */
function listPaths(all: ReadonlyMap<string, string>, only?: readonly string[]): string[] {
  const recorded = existsSync(RECORDED) ? readdirSync(RECORDED) : [];
  const paths = recorded.map((name) => join(RECORDED, name, `${name}.osm.pbf`));
  const names = [...all].filter(([name]) => only?.includes(name) ?? true);
  return [
    ...paths.filter((path) => only?.some((name) => path.includes(name)) ?? true),
    ...names.map(([, path]) => path),
  ];
}

async function askOracle(
  path: string,
  ruleset: Ruleset,
  { seed, sources }: { seed: number; sources: number },
): Promise<Pair[]> {
  const osmium = spawn("osmium", ["cat", "--no-progress", "-f", "opl", path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const args = [ORACLE, ruleset, seed, sources, TARGETS, MOST_M].map(String);
  const python = spawn("python3", args, { stdio: [osmium.stdout, "pipe", "inherit"] });
  const ended = once(python, "close");
  const pairs: Pair[] = [];
  for await (const line of createInterface({ input: python.stdout }))
    pairs.push(JSON.parse(line) as Pair);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`python3 ended with ${code}`);
  return pairs;
}

async function compare(path: string, ruleset: Ruleset, pairs: readonly Pair[]) {
  const result = await importBase(path, {
    ...{ id: "walking", region: null, now_ms: 0 },
    sections: [createWalkSection({ ruleset, squares: false })],
  });
  if (!result.ok) throw new Error(result.problem);
  const { columns, meta } = openPack(result.pack)!;
  const graph = openWalk(columns, meta.sections["walk"] as WalkMeta)!;
  const search = new WalkSearch(graph);
  const at = (lat: number, lon: number) =>
    snap(
      graph,
      { lat7: Math.round(lat * 1e7), lon7: Math.round(lon * 1e7) },
      { most_m: 1, profile: "foot" },
    );
  let [ways, worst_m] = [0, 0];
  const wrong: string[] = [];
  for (const [from_lat, from_lon, to_lat, to_lon, wanted] of pairs) {
    const from = at(from_lat, from_lon);
    const to = at(to_lat, to_lon);
    const walk = from && search.find(from, [to], { most_cm: MOST_M * 100, profile: "foot" })[0]!;
    const got = walk ? walk.length_cm / 100 : null;
    if (wanted !== null) ways += 1;
    const difference = wanted === null || got === null ? null : Math.abs(got - wanted);
    worst_m = Math.max(worst_m, difference ?? 0);
    // The bound itself is met by one of the two where they differ by a millimetre.
    const isAtBound = Math.abs((wanted ?? got ?? 0) - MOST_M) < SAME_M;
    if (isAtBound || (difference === null ? wanted === got : difference <= SAME_M)) continue;
    wrong.push(`${from_lat},${from_lon} to ${to_lat},${to_lon}: ${got} m, expected ${wanted} m`);
  }
  return { ways, worst_m, wrong };
}
