/**
 * `npm run bench -- walking [FILE.osm.pbf] [--copies 48] [--questions 3000]`: milliseconds to find the
 * nearest edge, the ways to twenty points within a kilometre, all that lies within fifteen minutes, and
 * the longest search; over copies of an extract side by side; bytes an edge. Without a file it takes the
 * densest extract of ../shared/data/walking.
 *
 * `--import` measures instead what the section takes of an import (walking-import.ts), `--answers` what
 * ways take of an answer (walking-answers.ts): ratios of processor time, in alternating rounds.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { importBase } from "#osm/index.ts";
import { openPack } from "#osm/imports.ts";
import {
  createWalkSection,
  openWalk,
  snap,
  Walker,
  type WalkGraph,
  type WalkMeta,
  WalkSearch,
} from "#osm/walking.ts";
import { print, quantile } from "./children.ts";
import { measureAnswers } from "./walking-answers.ts";
import { measureImport } from "./walking-import.ts";

const USUAL = new URL(
  "../../shared/data/walking/oslo-east-2019/oslo-east-2019.osm.pbf",
  import.meta.url,
).pathname;
/** Ten-millionths of a degree between two copies, and numbers between their nodes. */
const SHIFT7 = 4_000_000;
const ID_STEP = 2 ** 40;
const FIFTEEN_MINUTES_CM = 125_000;
const LONGEST_CM = 450_000;
const NEAR7 = 90_000;

const { values: options, positionals } = parseArgs({
  options: {
    copies: { type: "string", default: "48" },
    questions: { type: "string", default: "3000" },
    rounds: { type: "string", default: "5" },
    import: { type: "boolean", default: false },
    answers: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const file = positionals[0] ?? (existsSync(USUAL) ? USUAL : undefined);
if (file === undefined) {
  print("NO EXTRACT: name a file");
  process.exit(1);
}

const rounds = Number(options.rounds);
if (options.import) await measureImport(file, rounds);
else if (options.answers) await measureAnswers(file, { rounds, seconds: 2 });
else await measureSearches(Number(options.copies), Number(options.questions));

async function measureSearches(copies: number, questions: number): Promise<void> {
  const { graph, bytes } = await importCopies(copies);
  print(
    `${basename(file!)}, ${copies} copies: ${graph.vertices} vertices, ${graph.edges} edges, ` +
      `${(bytes / graph.edges).toFixed(1)} bytes an edge`,
  );
  measure(graph, questions);
}

/** That number of copies of the extract, each to the east of the one before. */
async function importCopies(count: number): Promise<{ graph: WalkGraph; bytes: number }> {
  const section = createWalkSection();
  const all = Array.from({ length: count }, (_, i) => i);
  const done = await importBase(file!, {
    ...{ id: "bench", region: null, now_ms: 0 },
    sections: [
      {
        ...section,
        node: (feature) => {
          for (const i of all)
            section.node({
              ...feature,
              id: feature.id + i * ID_STEP,
              lon7: feature.lon7 + i * SHIFT7,
            });
        },
        way: (feature) => {
          for (const i of all)
            section.way({
              ...feature,
              nodes: feature.nodes.map((id) => id + i * ID_STEP),
              points: feature.points.map((value, at) =>
                at % 2 === 0 ? value : value + i * SHIFT7,
              ),
            });
        },
      },
    ],
  });
  if (!done.ok) throw new Error(done.problem);
  const { columns, meta } = openPack(done.pack)!;
  const own = Object.entries(columns).filter(([name]) => name.startsWith("walk."));
  const bytes = own.reduce((sum, [, { byteLength }]) => sum + byteLength, 0);
  return { graph: openWalk(columns, meta.sections["walk"] as WalkMeta)!, bytes };
}

function measure(graph: WalkGraph, questions: number): void {
  const walker = new Walker(graph);
  const search = new WalkSearch(graph);
  const times = {
    "nearest edge": [] as number[],
    "20 ways": [] as number[],
    "15 minutes": [] as number[],
    "4,500 m": [] as number[],
  };
  const looked_m: number[] = [];
  for (let i = 0; i < questions; i++) {
    // A prime: vertices all over the copies, in no order of their places.
    const [lat7, lon7] = graph.pointOf((i * 7_919_003) % graph.vertices);
    const around = Array.from({ length: 20 }, (_, k) => ({
      lat: (lat7 + NEAR7 * Math.sin(k * k + i) * 0.7) / 1e7,
      lon: (lon7 + NEAR7 * Math.cos(k * k + i)) / 1e7,
    }));
    const at = { lat7: lat7 + 500, lon7: lon7 - 500 };
    const from = timed(times["nearest edge"], () =>
      snap(graph, at, { most_m: 100, profile: "foot" }),
    );
    if (from === null) continue;
    timed(times["20 ways"], () =>
      walker.walkTo({ lat: at.lat7 / 1e7, lon: at.lon7 / 1e7 }, around, {
        most_m: 1_250,
        profile: "foot",
      }),
    );
    timed(times["15 minutes"], () =>
      search.reach(from, { most_cm: FIFTEEN_MINUTES_CM, profile: "foot" }),
    );
    if (i % 10 > 0) continue;
    timed(times["4,500 m"], () => search.reach(from, { most_cm: LONGEST_CM, profile: "foot" }));
    looked_m.push(search.searched_cm / 100);
  }
  for (const [name, list] of Object.entries(times)) {
    const shown = [0.5, 0.95, 0.99, 1].map((q) => quantile(list, q).toFixed(3)).join(" / ");
    print(`${name}: median / 95 % / 99 % / most: ${shown} ms, mean ${mean(list).toFixed(3)}`);
  }
  const [median, least] = [0.5, 0].map((q) => quantile(looked_m, q).toFixed(0));
  print(`of 4,500 m a search looked at ${median} m (median), ${least} m at least`);
}

function timed<T>(into: number[], work: () => T): T {
  const start = performance.now();
  const result = work();
  into.push(performance.now() - start);
  return result;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
