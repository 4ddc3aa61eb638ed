/**
 * What a fleet costs: requests per second of processor time (user and system, by the kernel) of one
 * replica and of two, over the same engines, behind balancers of the same kind, in turn in one run at
 * the same total load; also of one replica with its embedded store, and of one at half the
 * load, which is what each of two has to do; and of one and two servers that do nothing, and that do
 * nothing but wait for the shared store and the disk as they must, whose part of the difference is no
 * service's. Questions come one by one, at fixed times.
 */
import type { ChildProcess } from "node:child_process";
import { give, median, quantile, start } from "../../../bench/children.ts";
import type { LoadJob, LoadResult } from "../../../bench/client.ts";
import type { Verdict } from "../check/verdict.ts";
import { createAsker } from "../fleet/asker.ts";
import { startBare } from "../fleet/bare.ts";
import { startBalancer } from "../fleet/balancer.ts";
import { sleep } from "../fleet/clock.ts";
import { readCpu_s, readTree_s } from "../fleet/processor.ts";
import type { Replica } from "../fleet/replica.ts";
import { createKey, openStage, type Stage, UNBOUND_PLAN } from "../fleet/stage.ts";
import { warm } from "../work/warm.ts";
import { PLACES, toNearby } from "../work/places.ts";

export type CostWish = {
  rounds: number;
  /** Of each measurement. */
  seconds: number;
  /** null: a share of what one replica can do. */
  per_s: number | null;
  seed: number;
  onRound(done: number): void;
};

const FLOORS = ["bare_one", "bare_two", "waiting_one", "waiting_two"] as const;
const SETTINGS = ["embedded", "half", "one", "two", ...FLOORS] as const;
type Setting = (typeof SETTINGS)[number];

/** Requests and seconds of processor time of one measurement. */
type Measured = {
  requests: number;
  failed: number;
  /** Of the replicas, and of PostgreSQL and Valkey. */
  cpu_s: number;
  store_s: number;
  shared_s: number;
};

/** Goal: two replicas do at least so much of one's requests per second of processor time. */
const LEAST = 0.85;
/** Of one replica's capacity: a fleet of two that is sized for one to be away works below it. */
const SHARE = 0.8;
const CONNECTIONS = 64;
/** About as much as the answer to the question that is asked. */
const BARE_BYTES = 10_000;
const NO_ENGINES = { store: null, shared: null };
const REST_MS = 300;

export async function runCost(wish: CostWish): Promise<Verdict> {
  const { seed } = wish;
  await using closers = new AsyncDisposableStack();
  const keep = <T extends { close(): unknown }>(opened: T): T =>
    closers.adopt(opened, async (each) => void (await each.close()));
  const openFront = async (servers: readonly Backend[]): Promise<Front> => {
    const balancer = await startBalancer(servers, { once: false });
    if (balancer === null) throw new Error("haproxy is not installed");
    return { url: keep(balancer).url, replicas: servers };
  };
  const openFloor = async (shared_url?: string): Promise<Floor> => {
    const starting = [0, 1].map((index) => startBare(index, BARE_BYTES, shared_url));
    const servers = (await Promise.all(starting)).map(keep);
    return { one: await openFront(servers.slice(0, 1)), two: await openFront(servers) };
  };
  const alone = keep(await openStage({ replicas: 1, seed, engines: false, balancer: "shipped" }));
  const fleet = keep(await openStage({ replicas: 2, seed, engines: true, balancer: "shipped" }));
  const first = await openFront(fleet.replicas.slice(0, 1));
  const [bare, waiting] = [await openFloor(), await openFloor(fleet.shared!.url)];
  return await compare({ alone, fleet, first, bare, waiting }, wish);
}

type Backend = Pick<Replica, "index" | "pid" | "port" | "admin_port">;
/** A balancer, and the servers behind it. */
type Front = { url: string; replicas: readonly Pick<Replica, "pid">[] };
/** One and two servers that do not run the service. */
type Floor = { one: Front; two: Front };
type Stages = { alone: Stage; fleet: Stage; first: Front; bare: Floor; waiting: Floor };
type Target = Front & {
  key: string;
  stage: Pick<Stage, "store" | "shared">;
  /** Of the load; absent: all of it. */
  share?: number;
};

async function compare(stages: Stages, wish: CostWish): Promise<Verdict> {
  const { alone, fleet } = stages;
  const asker = createAsker({ timeout_ms: 10_000 });
  await warm([...alone.replicas, ...fleet.replicas], asker);
  asker.close();
  const targets = await openTargets(stages);
  const client = start("client.ts");
  const capacity = await give<LoadJob, LoadResult>(client, toJob(targets.one, wish.seconds, null));
  const per_s = wish.per_s ?? Math.round((SHARE * capacity.requests) / capacity.seconds);
  const results: Record<Setting, Measured[]> = {
    embedded: [],
    half: [],
    one: [],
    two: [],
    bare_one: [],
    bare_two: [],
    waiting_one: [],
    waiting_two: [],
  };
  // The first round is for the compiler.
  for (let round = -1; round < wish.rounds; round++) {
    // In another order each time, so that what comes and goes on the machine meets all alike.
    const order = round % 2 === 0 ? SETTINGS : SETTINGS.toReversed();
    for (const name of order) {
      const measured = await measure(client, targets[name], { seconds: wish.seconds, per_s });
      if (round >= 0) results[name].push(measured);
    }
    wish.onRound(round + 1);
  }
  client.kill();
  const idle = await measureIdle(fleet.replicas, wish.seconds);
  const verdict = judgeCost(results);
  return { ...verdict, figures: { ...verdict.figures, per_s, idle_ms_a_second: idle } };
}

async function openTargets(stages: Stages): Promise<Record<Setting, Target>> {
  const { alone, fleet, first, bare, waiting } = stages;
  const [own, shared] = [await getKey(alone), await getKey(fleet)];
  const one = { ...first, key: shared, stage: fleet };
  const toTarget = (front: Front): Target => ({ ...front, key: own, stage: NO_ENGINES });
  return {
    embedded: { url: alone.url, key: own, replicas: alone.replicas, stage: alone },
    half: { ...one, share: 0.5 },
    one,
    two: { url: fleet.url, key: shared, replicas: fleet.replicas, stage: fleet },
    bare_one: toTarget(bare.one),
    bare_two: toTarget(bare.two),
    waiting_one: toTarget(waiting.one),
    waiting_two: toTarget(waiting.two),
  };
}

/** `rate`: questions a second; null: each connection asks one after the other. */
function toJob({ url, key }: Target, seconds: number, rate: number | null): LoadJob {
  const paths = [toNearby(PLACES.paris, "&limit=20")];
  const where = { port: Number(new URL(url).port), connections: CONNECTIONS, sleepy: true };
  return { ...where, paths, keys: [key], seconds, rate };
}

/** CPU of a replica that receives no requests: its cost at any load. */
async function measureIdle(replicas: readonly Replica[], seconds: number): Promise<number> {
  const cpu = (): number => replicas.reduce((sum, { pid }) => sum + readCpu_s(pid), 0);
  const before_s = cpu();
  await sleep(seconds * 1000);
  return (1000 * (cpu() - before_s)) / seconds / replicas.length;
}

async function getKey({ replicas }: Stage): Promise<string> {
  const made = await createKey(replicas[0]!, UNBOUND_PLAN);
  if (!made) throw new Error("no key can be made");
  return made.key;
}

async function measure(
  client: ChildProcess,
  target: Target,
  { seconds, per_s }: { seconds: number; per_s: number },
): Promise<Measured> {
  const { replicas, stage, share = 1 } = target;
  const cpu = () => ({
    cpu_s: replicas.reduce((sum, { pid }) => sum + readCpu_s(pid), 0),
    store_s: readTree_s(stage.store),
    shared_s: readTree_s(stage.shared),
  });
  const before = cpu();
  const job = toJob(target, seconds, per_s * share);
  const { requests, errors } = await give<LoadJob, LoadResult>(client, job);
  // Units are handed over a moment later.
  await sleep(REST_MS);
  const after = cpu();
  return {
    requests,
    failed: errors,
    cpu_s: after.cpu_s - before.cpu_s,
    store_s: after.store_s - before.store_s,
    shared_s: after.shared_s - before.shared_s,
  };
}

/** Medians of the rounds; the ratio is of rounds that were measured one after the other. */
function judgeCost(results: Readonly<Record<Setting, readonly Measured[]>>): Verdict {
  const rate = ({ requests, cpu_s }: Measured): number => requests / cpu_s;
  const us = ({ requests, cpu_s }: Measured): number => (1e6 * cpu_s) / requests;
  const compareRates = (these: Setting, those: Setting): number[] =>
    results[these].map((one, i) => rate(one) / rate(results[those][i]!));
  const ratios = compareRates("two", "one");
  const cost = (name: Setting): number => median(results[name].map(us));
  const all = Object.values(results).flat();
  const failed = all.reduce((sum, each) => sum + each.failed, 0);
  const ratio = median(ratios);
  const findings = [
    ...(ratio < LEAST ? [`two replicas do ${ratio.toFixed(3)} of one, wanted ${LEAST}`] : []),
    ...(failed > 0 ? [`${failed} questions failed, so that less was done than asked`] : []),
  ];
  const figures = {
    ratio,
    ratio_q1: quantile(ratios, 0.25),
    ratio_q3: quantile(ratios, 0.75),
    embedded_us: cost("embedded"),
    one_us: cost("one"),
    two_us: cost("two"),
    // Bare servers: what the load alone costs, whatever is served, and what waiting adds.
    bare_one_us: cost("bare_one"),
    bare_two_us: cost("bare_two"),
    bare_ratio: median(compareRates("bare_two", "bare_one")),
    waiting_one_us: cost("waiting_one"),
    waiting_two_us: cost("waiting_two"),
    waiting_ratio: median(compareRates("waiting_two", "waiting_one")),
    // Each of two against one that has as much to do: what being two costs, and the rest is the load.
    half_us: cost("half"),
    ratio_at_equal_load: median(compareRates("two", "half")),
    shared_engines_us: cost("one") - cost("embedded"),
    store_us: median(results.two.map(({ store_s, requests }) => (1e6 * store_s) / requests)),
    shared_us: median(results.two.map(({ shared_s, requests }) => (1e6 * shared_s) / requests)),
  };
  const scanned = all.reduce((sum, each) => sum + each.requests, 0);
  return { rule: "cost of a fleet", findings, scanned, figures };
}
