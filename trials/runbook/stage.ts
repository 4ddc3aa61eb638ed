/** The nodes of a runbook's cases, with their stores, simulator, load and Prometheus around them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Engine,
  type PostgresEngine,
  runSql,
  startPostgres,
  startValkey,
} from "../../test/support/engines.ts";
import { atExit } from "../../test/support/at-exit.ts";
import { createAsker } from "../chaos/fleet/asker.ts";
import { PLACES, toNearby } from "../chaos/work/places.ts";
import { Load } from "./load.ts";
import { mountSmall } from "./mounts.ts";
import { ADMIN_TOKEN, ServiceNode } from "./node.ts";
import { type Prometheus, startPrometheus } from "./prometheus.ts";
import { type Simulator, startSimulator } from "./simulator.ts";

export const STAGES = ["fleet", "alone"] as const;
/** `fleet`: two replicas over PostgreSQL and Valkey; `alone`: one with its data folder on a small volume. */
export type StageKind = (typeof STAGES)[number];

export type Stage = {
  kind: StageKind;
  simulator: Simulator;
  nodes: readonly ServiceNode[];
  /** Of a fleet; it has a login that is no superuser, as it should be. */
  store: (PostgresEngine & { app_url: string }) | null;
  shared: Engine | null;
  prometheus: Prometheus;
  load: Load;
  /** Of the small volume; null: there is none here. */
  volume: string | null;
  /** The key that the load shows. */
  key: string;
  closers: (() => Promise<void>)[];
};

const VOLUME_MB = 160;
const RATE = 12;
/** Limits that the load does not reach. */
const UNBOUND = { rate_per_s: 100_000, burst: 100_000, units: 1e9, period: "month", hard: false };
const MOST = { nearby_limit_max: 1_000, nearby_offset_max: null, datasets: 1e7 };
export const PLAN = "runbook";

export type StageWish = {
  /** What the minutes of the rules are divided by. */
  factor: number;
  /** Questions a second to each node. */
  rate?: number;
};

export async function openStage(kind: StageKind, wish: StageWish): Promise<Stage> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await build(kind, { ...wish, closers });
  } catch (error) {
    await closeStage({ closers });
    throw error;
  }
}

export async function closeStage({ closers }: Pick<Stage, "closers">): Promise<void> {
  while (closers.length > 0) await closers.pop()!();
}

async function build(
  kind: StageKind,
  { factor, rate = RATE, closers }: StageWish & Pick<Stage, "closers">,
): Promise<Stage> {
  const simulator = await startSimulator();
  closers.push(() => simulator.close());
  const fleet = kind === "fleet";
  const store = fleet ? await openStore(closers) : null;
  const shared = fleet ? await startValkey() : null;
  if (shared) closers.push(() => shared.stop());
  const volume = fleet ? null : mountVolume(closers);
  const variables = {
    ...(store && { VICINITY_STORE_URL: store.app_url }),
    ...(shared && { VICINITY_SHARED_URL: shared.url }),
  };
  const nodes: ServiceNode[] = [];
  for (const name of fleet ? ["a", "b"] : ["alone"]) {
    const node = await ServiceNode.open({
      name,
      settings: toSettings(simulator),
      variables,
      ...(volume !== null && { data_dir: join(volume, "data") }),
    });
    closers.push(() => node.remove());
    await node.start();
    nodes.push(node);
  }
  const made = await createKey(nodes[0]!, PLAN);
  if (typeof made === "number") throw new Error(`no key can be made: ${made}`);
  const { key } = made;
  const load = new Load(
    nodes.map(({ url }) => url),
    { key: () => key, rate },
  );
  load.start();
  closers.push(() => load.stop());
  const prometheus = await startPrometheus(
    nodes.map(({ admin_port }) => admin_port),
    factor,
  );
  closers.push(() => prometheus.close());
  return { kind, simulator, nodes, store, shared, prometheus, load, volume, key, closers };
}

/** The service's login is no superuser: it has no connections in reserve. */
async function openStore(closers: (() => Promise<void>)[]): Promise<NonNullable<Stage["store"]>> {
  const engine = await startPostgres();
  if (!engine) throw new Error("PostgreSQL is missing");
  closers.push(() => engine.stop());
  const url = await engine.createDatabase();
  const database = new URL(url).pathname.slice(1);
  await runSql(engine.url, `CREATE ROLE app LOGIN PASSWORD 'the password of app'`);
  await runSql(engine.url, `GRANT ALL ON DATABASE ${database} TO app`);
  const app = new URL(url);
  app.username = "app";
  app.password = "the password of app";
  return Object.assign(engine, { app_url: app.href });
}

function mountVolume(closers: (() => Promise<void>)[]): string | null {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-volume-"));
  const unmount = mountSmall(folder, VOLUME_MB);
  const clear = (): void => {
    unmount?.();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const forget = atExit(clear);
  closers.push(() => {
    forget();
    return Promise.resolve(clear());
  });
  return unmount === null ? null : folder;
}

export function toSettings({ url, systems }: Simulator, more: object = {}): Settings {
  const off = { enabled: false };
  return {
    egress: { allow_private: true },
    explorer: off,
    server: { drain_delay_ms: 200 },
    plans: { free: { ...UNBOUND, ...MOST }, [PLAN]: { ...UNBOUND, ...MOST } },
    sources: {
      gbfs: { systems },
      citybikes: { url: `${url}/upstreams/citybikes` },
      refuge_restrooms: { enabled: true, url: `${url}/upstreams/refuge_restrooms` },
      met_norway: off,
      // Making it takes all of a core for a while.
      openbase: { gazetteer: false },
      ...more,
    },
  };
}

export type Settings = { plans: Record<string, object>; sources: Record<string, object> } & Record<
  string,
  object
>;

/** Through the admin API; the status where it is refused, 0 where there is no reply. */
export async function createKey(
  { admin_url }: ServiceNode,
  plan: string,
): Promise<{ id: string; key: string; account_id?: string } | number> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  const body = JSON.stringify({ plan, name: "runbook" });
  const signal = AbortSignal.timeout(5_000);
  return await fetch(`${admin_url}/admin/keys`, { method: "POST", headers, body, signal }).then(
    async (reply) =>
      reply.status === 201 ? ((await reply.json()) as { id: string; key: string }) : reply.status,
    () => 0,
  );
}

/**
 * null: every node answers callers without a key, with the known one and with a new one, in full, and
 * is ready; otherwise what does not.
 */
export async function findWrong(stage: Stage): Promise<string | null> {
  const asker = createAsker({ timeout_ms: 5_000 });
  const near = toNearby(PLACES.paris, "&limit=5");
  try {
    for (const { name, admin_url } of stage.nodes) {
      const ready = await asker.ask(`${admin_url}/readyz`);
      if (ready.status !== 200) return `${name}: /readyz ${ready.status} ${ready.text}`;
    }
    const made = await createKey(stage.nodes[0]!, PLAN);
    if (typeof made === "number") return `a key cannot be made: ${made}`;
    for (const { name, url } of stage.nodes)
      for (const [who, key] of [
        ["anonymous", null],
        ["a known key", stage.key],
        ["a new key", made.key],
      ] as const) {
        const { status, text } = await asker.ask(url + near, { key });
        if (status !== 200 || !text.startsWith('{"status":"success"'))
          return `${name}: ${who} ${status ?? "no reply"} ${text.slice(0, 200)}`;
      }
    return null;
  } finally {
    asker.close();
  }
}
