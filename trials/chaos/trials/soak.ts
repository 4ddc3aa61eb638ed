/**
 * A soak: one replica at half of its capacity, asked with as many different keys at as many
 * different places; what it holds after forced collections, and whether that grows.
 */
import { readdirSync } from "node:fs";
import { give, start } from "../../../bench/children.ts";
import type { LoadJob, LoadResult } from "../../../bench/client.ts";
import { createDice, type Dice } from "../../dice.ts";
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
  const stage = await openStage({
    replicas: 1,
    seed,
    engines,
    balancer: "none",
    variables: { NODE_OPTIONS: INSPECTABLE },
  });
  const client = start("client.ts");
  try {
    const asker = createAsker();
    await warm(stage.replicas, asker);
    asker.close();
    const keys = await insertKeys(stage, distinct);
    const paths = drawPaths(createDice(seed), distinct);
    const { port, pid, output } = stage.replicas[0]!;
    const inspector = await openInspector(output());
    const job = { port, paths, keys, connections: CONNECTIONS, sleepy: true };
    const peak = await give<LoadJob, LoadResult>(client, {
      ...job,
      seconds: CAPACITY_S,
      rate: null,
    });
    const rate = (SHARE * peak.requests) / peak.seconds;
    const load = give<LoadJob, LoadResult>(client, { ...job, seconds, rate });
    const samples = await sample(inspector, pid, wish);
    const { requests, errors } = await load;
    inspector.close();
    const verdict = checkSoak(samples, distinct / rate);
    const findings =
      errors <= LOST * requests ? [] : [`${errors} of ${requests} replies were not 200`];
    return {
      ...verdict,
      findings: [...verdict.findings, ...findings],
      figures: { rate_per_s: rate, requests, refused: errors, distinct, ...verdict.figures },
    };
  } finally {
    client.kill();
    await stage.close();
  }
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

const HELD = `({ heap_bytes: process.memoryUsage().heapUsed, rss_bytes: process.memoryUsage().rss,
  resources: process.getActiveResourcesInfo() })`;
type Held = { heap_bytes: number; rss_bytes: number; resources: string[] };

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
    const { heap_bytes, rss_bytes, resources } = await inspector.evaluate<Held>(HELD);
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
