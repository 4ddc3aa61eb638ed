/**
 * A soak: one replica at half of its capacity, asked with as many different keys at as many
 * different places; what it holds after forced collections, and whether that grows.
 */
import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { give, start } from "../../../bench/children.ts";
import type { LoadJob, LoadResult } from "../../../bench/client.ts";
import { createDice, type Dice } from "../../dice.ts";
import { checkGrowth } from "../check/growth.ts";
import { checkSoak, type SoakSample } from "../check/soak.ts";
import type { Verdict } from "../check/verdict.ts";
import { createAsker } from "../fleet/asker.ts";
import { nowMs, sleep } from "../fleet/clock.ts";
import { insertKeys } from "../fleet/insert-keys.ts";
import { INSPECTABLE, type Inspector, openInspector } from "../fleet/inspector.ts";
import { openStage } from "../fleet/stage.ts";
import { warm } from "../work/warm.ts";
import { PLACES, toNearby } from "../work/places.ts";

export type SoakWish = {
  seconds: number;
  /** Distinct keys, and distinct positions. */
  distinct: number;
  every_s: number;
  seed: number;
  engines: boolean;
  onSample(sample: SoakSample): void;
};

const CONNECTIONS = 32;
const CAPACITY_S = 5;
/** Of the measured capacity. */
const SHARE = 0.5;
/** May be refused, where another program takes the processor for a moment. */
const LOST = 0.01;

export async function runSoak(wish: SoakWish): Promise<Verdict> {
  const { seed, engines, distinct, seconds } = wish;
  const folder = mkdtempSync(join(tmpdir(), "vicinity-soak-"));
  const log = join(folder, "soak.log");
  const stage = await openStage({
    replicas: 1,
    seed,
    engines,
    balancer: "none",
    // As a deployment has it: a line for each request.
    variables: { NODE_OPTIONS: INSPECTABLE, LOG_LEVEL: "info", LOG_FILE: log },
  });
  const client = start("client.ts");
  try {
    const asker = createAsker();
    await warm(stage.replicas, asker);
    const keys = await insertKeys(stage, distinct);
    const paths = drawPaths(createDice(seed), distinct);
    const { port, pid, output, data_dir, url, admin_url } = stage.replicas[0]!;
    const inspector = await openInspector(output());
    const job = { port, paths, keys, connections: CONNECTIONS, sleepy: true };
    const peak = await give<LoadJob, LoadResult>(client, {
      ...job,
      seconds: CAPACITY_S,
      rate: null,
    });
    const rate = (SHARE * peak.requests) / peak.seconds;
    const before = {
      log: sizeOf(log),
      folder: sizeOf(data_dir),
      series: await listSeries(admin_url),
    };
    const load = give<LoadJob, LoadResult>(client, { ...job, seconds, rate });
    const samples = await sample(inspector, pid, wish);
    const { requests, errors } = await load;
    inspector.close();
    for (let i = 0; i < ANONYMOUS; i++)
      await asker.ask(url + paths[i % paths.length]!, { key: null });
    asker.close();
    // A thread writes the lines, in batches.
    await sleep(SETTLED_MS);
    const growth = checkGrowth({
      requests,
      log_bytes: sizeOf(log) - before.log,
      lines: readLast(log),
      folder_bytes: engines ? null : sizeOf(data_dir) - before.folder,
      series: [before.series, await listSeries(admin_url)],
    });
    const verdict = checkSoak(samples, distinct / rate);
    const findings =
      errors <= LOST * requests ? [] : [`${errors} of ${requests} replies were not 200`];
    return {
      ...verdict,
      findings: [...verdict.findings, ...growth.findings, ...findings],
      figures: {
        ...{ rate_per_s: rate, requests, refused: errors, distinct },
        ...verdict.figures,
        ...growth.figures,
      },
    };
  } finally {
    client.kill();
    await stage.close();
    rmSync(folder, { recursive: true });
  }
}

/** Within the burst of an address. */
const ANONYMOUS = 20;
const SETTLED_MS = 2_000;
const LAST_BYTES = 256 * 1024;

/** Of a file, or of all that is in a folder. */
function sizeOf(path: string): number {
  const match = statSync(path, { throwIfNoEntry: false });
  if (!match?.isDirectory()) return match?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** Whole lines from the end of the log. */
function readLast(path: string): string[] {
  const { size } = statSync(path);
  const file = openSync(path, "r");
  const bytes = Buffer.alloc(Math.min(size, LAST_BYTES));
  readSync(file, bytes, 0, bytes.length, size - bytes.length);
  closeSync(file);
  return bytes.toString().split("\n").slice(1, -1);
}

async function listSeries(admin_url: string): Promise<string[]> {
  const text = await (await fetch(`${admin_url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => line.slice(0, line.lastIndexOf(" ")));
}

/** All over the simulated cities: a few kilometres around their middles. */
function drawPaths(dice: Dice, count: number): string[] {
  const places = Object.values(PLACES);
  const near = (middle: number): number =>
    Math.round((middle + dice.between(-0.03, 0.03)) * 1e6) / 1e6;
  return Array.from({ length: count }, () => {
    const { lat, lon } = dice.pick(places);
    return toNearby({ lat: near(lat), lon: near(lon) }, "&limit=20");
  });
}

const RETAINED = `({ heap_bytes: process.memoryUsage().heapUsed, rss_bytes: process.memoryUsage().rss,
  resources: process.getActiveResourcesInfo() })`;
type Retained = { heap_bytes: number; rss_bytes: number; resources: string[] };

async function sample(
  inspector: Inspector,
  pid: number,
  { seconds, every_s, onSample }: SoakWish,
): Promise<SoakSample[]> {
  const samples: SoakSample[] = [];
  const begun_ms = nowMs();
  for (let at_s = every_s; at_s < seconds; at_s += every_s) {
    await sleep(Math.max(0, begun_ms + at_s * 1000 - nowMs()));
    // Once for what is unreachable, once more for what its finalizers released.
    await inspector.collect();
    await inspector.collect();
    const { heap_bytes, rss_bytes, resources } = await inspector.evaluate<Retained>(RETAINED);
    const timers = resources.filter((name) => name === "Timeout" || name === "Immediate").length;
    const taken = {
      at_s: (nowMs() - begun_ms) / 1000,
      heap_bytes,
      rss_bytes,
      timers,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      others: resources.length - timers,
    };
    samples.push(taken);
    onSample(taken);
  }
  return samples;
}
