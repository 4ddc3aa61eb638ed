/**
 * `npm run bench -- nearby-on-foot [FILE.osm.pbf] [--things 6000] [--questions 300] [--rounds 5]`: the
 * processor time of an answer of /v1/nearby in process, rendered, with ways on foot and without, in turns
 * of one run. Without a file it takes the densest extract of ../shared/data/walking.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { importBase } from "#osm/index.ts";
import { openPack } from "#osm/imports.ts";
import { createWalkSection, openWalk, type WalkMeta, Walker } from "#osm/walking.ts";
import { createNearby } from "#app/nearby.ts";
import { deploy, toBytes, toInput, type Wish } from "../test/support/answers.ts";
import { aShard, aStation, aVehicle } from "../test/support/domain.ts";
import { FAKE_BASE, walksOfBase } from "../test/support/fake-walks.ts";
import { median, print } from "./children.ts";
import { createRng } from "./world.ts";

const USUAL = new URL(
  "../../shared/data/walking/oslo-east-2019/oslo-east-2019.osm.pbf",
  import.meta.url,
).pathname;

const { values: options, positionals } = parseArgs({
  options: {
    things: { type: "string", default: "6000" },
    questions: { type: "string", default: "300" },
    rounds: { type: "string", default: "5" },
  },
  allowPositionals: true,
});
const file = positionals[0] ?? (existsSync(USUAL) ? USUAL : undefined);
if (file === undefined) {
  print("NO EXTRACT: name a file");
  process.exit(1);
}

/** A degree of latitude has 111 km: some 50 m. */
const ASIDE_DEG = 0.000_45;
const FORMS: Readonly<Record<string, Wish>> = {
  "no ways": {},
  "walk=true": { walk: true },
  "within_minutes=4": { within_minutes: 4 },
  "sort=walk": { sort: "walk" },
  "sort=walk without steps": { sort: "walk", profile: "step_free" },
};

const graph = await importGraph(file);
const rng = createRng(7);
const { nearby, deployment } = makeTown(Number(options.things));
const questions = Array.from({ length: Number(options.questions) }, () => aside());
await measure(Number(options.rounds));

async function importGraph(path: string) {
  const sections = [createWalkSection()];
  const done = await importBase(path, { id: "bench", region: null, now_ms: 0, sections });
  if (!done.ok) throw new Error(done.problem);
  const { columns, meta } = openPack(done.pack)!;
  return openWalk(columns, meta.sections["walk"] as WalkMeta)!;
}

/** A point next to a street. */
function aside(): { lat: number; lon: number } {
  const [lat7, lon7] = graph.pointOf(Math.floor(rng() * graph.vertices));
  const off = (): number => (rng() - 0.5) * ASIDE_DEG;
  return { lat: lat7 / 1e7 + off(), lon: lon7 / 1e7 + off() };
}

/** One thing in three is a station. */
function makeTown(things: number) {
  const ids = Array.from({ length: things }, (_, i) => `${i}`);
  const shard = aShard({
    stations: ids.filter((_, i) => i % 3 === 0).map((id) => aStation(id, aside())),
    vehicles: ids.filter((_, i) => i % 3 > 0).map((id) => aVehicle(id, { location: aside() })),
  });
  const town = deploy({ shards: [shard] });
  const walker = new Walker(graph);
  const walks = walksOfBase({ statement: FAKE_BASE, walker });
  const countries = (): Promise<() => string[]> => Promise.resolve(() => ["FR"]);
  const own = { findRetained: null, findLines: () => null };
  return { deployment: town, nearby: createNearby({ ...town, countries, walks, ...own }) };
}

async function measure(rounds: number): Promise<void> {
  const costs = new Map(Object.keys(FORMS).map((name) => [name, [] as number[]]));
  const longest = new Map<string, number>();
  let totals = 0;
  for (let round = -1; round < rounds; round++)
    for (const [name, wish] of Object.entries(FORMS)) {
      const begun = process.cpuUsage();
      for (const at of questions) {
        const from = performance.now();
        const reply = await nearby(toInput(deployment, { ...at, limit: 20, ...wish }));
        if (reply.kind === "ok") toBytes(reply);
        const took_ms = performance.now() - from;
        // The first round warms up.
        if (round < 0) continue;
        longest.set(name, Math.max(longest.get(name) ?? 0, took_ms));
        if (reply.kind === "ok" && name === "no ways") totals += reply.found.total;
      }
      const { user, system } = process.cpuUsage(begun);
      if (round >= 0) costs.get(name)!.push((user + system) / questions.length);
    }
  const each = Math.round(totals / rounds / questions.length);
  print(`${basename(file!)}: ${graph.edges} edges, ${each} things in a circle of 400 m, 20 shown`);
  const plain_us = median(costs.get("no ways")!);
  for (const [name, list] of costs) {
    const us = median(list);
    print(
      `  ${name.padEnd(24)} ${us.toFixed(0).padStart(6)} µs of processor time an answer, ` +
        `${(us / plain_us).toFixed(1)} times; the longest ${longest.get(name)!.toFixed(1)} ms`,
    );
  }
}
