/**
 * A whole fleet on one machine: the simulator, PostgreSQL, Valkey or Redis, replicas as processes, and
 * a balancer in front. Everything is private to the run, and gone after it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Engine,
  type PostgresEngine,
  startPostgres,
  startValkey,
} from "../../../test/support/engines.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { ADMIN_TOKEN, type Replica, startReplica } from "./replica.ts";
import { type Simulator, startSimulator } from "./simulator.ts";
import { atExit } from "../../../test/support/at-exit.ts";

export type StageWish = {
  replicas: number;
  seed: number;
  /** false: each replica by itself, with its embedded store. */
  engines: boolean;
  /** `once`: it sends no question twice. */
  balancer: "none" | "shipped" | "once";
  /** Members of the configuration, in addition to the sources. */
  settings?: object;
  variables?: Record<string, string>;
  /** Commits of PostgreSQL reach the disk. */
  durable?: boolean;
  /** The folder of the program that a replica's next start runs; absent: this checkout. */
  programOf?: (index: number) => string | null;
  /** Awaited when the first replica is ready, before the others are started. */
  onFirst?: (replica: Replica, simulator: Simulator) => Promise<void>;
};

export type Stage = {
  simulator: Simulator;
  replicas: readonly Replica[];
  store: (PostgresEngine & { database_url: string }) | null;
  shared: Engine | null;
  balancer: Balancer | null;
  /** Where callers ask: the balancer, or the first replica. */
  url: string;
  close(): Promise<void>;
};

/** Limits that no caller of a trial reaches. */
const UNBOUND = { rate_per_s: 100_000, burst: 100_000, units: 1e9, period: "month", hard: false };
const MOST = { nearby_limit_max: 1_000, nearby_offset_max: null, datasets: 1e7 };

/** Asks so much a second and no more; `free` is what callers without a key are on. */
export const LIMITED = { rate_per_s: 50, burst: 10 } as const;
export const LIMITED_PLAN = "trial_limited";
export const UNBOUND_PLAN = "trial_unbound";

export async function openStage(wish: StageWish): Promise<Stage> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    while (closers.length > 0) await closers.pop()!();
  };
  try {
    return { ...(await build(wish, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(
  wish: StageWish,
  closers: (() => Promise<void>)[],
): Promise<Omit<Stage, "close">> {
  const { seed, durable = true } = wish;
  const simulator = await startSimulator(seed);
  closers.push(() => simulator.close());
  const engine = wish.engines ? await startPostgres({ durable }) : null;
  if (engine) closers.push(() => engine.stop());
  const shared = wish.engines ? await startValkey() : null;
  if (shared) closers.push(() => shared.stop());
  if (wish.engines && !(engine && shared))
    throw new Error(
      "PostgreSQL and Valkey (or Redis) are wanted, and one of them is not installed",
    );
  const store = engine
    ? Object.assign(engine, { database_url: await engine.createDatabase() })
    : null;
  const folder = mkdtempSync(join(tmpdir(), "vicinity-stage-"));
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  const forget = atExit(clear);
  closers.push(() => {
    forget();
    return Promise.resolve(clear());
  });
  const config_file = join(folder, "vicinity.json");
  writeFileSync(config_file, JSON.stringify(toSettings(simulator, wish.settings ?? {})));
  const variables = {
    ...(store && { VICINITY_STORE_URL: store.database_url }),
    ...(shared && { VICINITY_SHARED_URL: shared.url }),
    ...wish.variables,
  };
  const replicas: Replica[] = [];
  // One after the other: the first one makes the schema and reads the feeds.
  for (let index = 0; index < wish.replicas; index++) {
    const program = (): string | null => wish.programOf?.(index) ?? null;
    const replica = await startReplica({ index, config_file, variables, program });
    closers.push(() => replica.remove());
    replicas.push(replica);
    if (index === 0) await wish.onFirst?.(replica, simulator);
  }
  const once = wish.balancer === "once";
  const balancer = wish.balancer === "none" ? null : await startBalancer(replicas, { once });
  if (balancer) closers.push(() => balancer.close());
  const url = balancer?.url ?? replicas[0]!.url;
  return { simulator, replicas, store, shared, balancer, url };
}

/** Nothing is asked but feeds: lookups would show their sources and not the fleet. */
function toSettings({ systems }: Simulator, settings: object): object {
  const off = { enabled: false };
  return {
    egress: { allow_private: true },
    explorer: off,
    sources: { gbfs: { systems }, citybikes: off, met_norway: off },
    // Outages of the trial are longer, so that its end is on trial too (run.ts, KEYS).
    keys: { grace_s: 60 },
    plans: {
      [LIMITED_PLAN]: { ...UNBOUND, ...MOST, ...LIMITED },
      [UNBOUND_PLAN]: { ...UNBOUND, ...MOST },
    },
    ...settings,
  };
}

export type NewKey = { id: string; key: string };

/** Through the admin API of a replica; null: it did not answer, or refused. */
export async function createKey({ admin_url }: Replica, plan: string): Promise<NewKey | null> {
  const made = await admin(`${admin_url}/admin/keys`, { plan, name: "trial" });
  return made?.status === 201 ? (made.body as NewKey) : null;
}

export async function revokeKey({ admin_url }: Replica, id: string): Promise<boolean> {
  return (await admin(`${admin_url}/admin/keys/${id}/revoke`, {}))?.status === 200;
}

async function admin(url: string, body: object): Promise<{ status: number; body: unknown } | null> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(4_000);
  return await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal }).then(
    async (reply) => ({ status: reply.status, body: await reply.json() }),
    () => null,
  );
}
