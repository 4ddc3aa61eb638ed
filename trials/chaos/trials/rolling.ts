/**
 * Rolling restarts of two replicas behind the shipped balancer, under a steady load (goal 15): each in
 * turn drains at SIGTERM and comes back, and no question fails, and no usage is lost.
 */
import { checkUsage } from "../check/usage.ts";
import { quantileOf, type Verdict } from "../check/verdict.ts";
import { createAsker } from "../fleet/asker.ts";
import { nowMs, sleep } from "../fleet/clock.ts";
import { createKey, openStage, type Stage, UNBOUND_PLAN } from "../fleet/stage.ts";
import { readStored } from "../stored.ts";
import { warm } from "../work/warm.ts";
import { createHistory, type History } from "../work/history.ts";
import { pace } from "../work/pace.ts";
import { PLACES, toNearby } from "../work/places.ts";

export type RollingWish = {
  restarts: number;
  per_s: number;
  seed: number;
  engines: boolean;
  /** A checkout of the release that the replicas run first; null: they run this one all the time. */
  before: string | null;
  onRestart(done: number): void;
};

/** Longer than the balancer takes to notice: two probes, half a second apart. */
const DRAIN_DELAY_MS = 2_000;
/** Until the balancer has taken it in again, and a little more. */
const SETTLE_MS = 1_500;

export async function runRolling(wish: RollingWish): Promise<Verdict[]> {
  const { engines, seed, before } = wish;
  /** Each is upgraded by its first restart. */
  const programs = [before, before];
  const stage = await openStage({
    replicas: 2,
    seed,
    engines,
    balancer: "shipped",
    // A release before need not know what is configured for trials.
    settings: {
      server: { drain_delay_ms: DRAIN_DELAY_MS },
      ...(before !== null && { keys: undefined }),
    },
    programOf: (index) => programs[index] ?? null,
  });
  try {
    const upgrade = (index: number): void => void (programs[index] = null);
    const { history, latencies, failures, ended } = await record(stage, wish, upgrade);
    await Promise.all(stage.replicas.map((each) => each.end()));
    const usage = checkUsage(history.attempts, await readStored(stage));
    const requested = history.attempts.length;
    const figures = {
      restarts: wish.restarts,
      requested,
      failed: failures.length,
      p50_ms: quantileOf(latencies, 0.5),
      p99_ms: quantileOf(latencies, 0.99),
    };
    const findings = [...failures.slice(0, 20), ...ended];
    return [{ rule: "no question fails", findings, scanned: requested, figures }, usage];
  } finally {
    await stage.close();
  }
}

type Recorded = { history: History; latencies: number[]; failures: string[]; ended: string[] };

async function record(
  stage: Stage,
  { restarts, per_s, onRestart }: RollingWish,
  upgrade: (index: number) => void,
): Promise<Recorded> {
  const asker = createAsker({ timeout_ms: 10_000 });
  await warm(stage.replicas, asker);
  const made = await createKey(stage.replicas[0]!, UNBOUND_PLAN);
  if (!made) throw new Error("no key can be made");
  const { id: key_id, key } = made;
  const history = createHistory(nowMs());
  const latencies: number[] = [];
  const failures: string[] = [];
  const ended: string[] = [];
  const url = stage.url + toNearby(PLACES.paris, "&limit=1");
  const load = pace(per_s, async () => {
    const { status, text, from_ms, to_ms } = await asker.ask(url, { key });
    // One unit each: there is always an entity within the circle.
    history.attempts.push({ key_id, units: 1, outcome: status === 200 ? "acked" : "unknown" });
    latencies.push(to_ms - from_ms);
    if (status !== 200) failures.push(`${status ?? "no reply"}: ${text.slice(0, 200)}`);
  });
  for (let i = 0; i < restarts; i++) {
    const replica = stage.replicas[i % stage.replicas.length]!;
    await sleep(SETTLE_MS);
    const { code, signal } = await replica.end();
    upgrade(replica.index);
    if (code !== 0) ended.push(`restart ${i}: ended with ${signal ?? code}`);
    await replica.start();
    onRestart(i + 1);
  }
  await sleep(SETTLE_MS);
  await load.stop();
  asker.close();
  return { history, latencies, failures, ended };
}
