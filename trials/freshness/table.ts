/**
 * Measures what each freshness policy costs the upstreams and which freshness it then reports (§4.8):
 * one system of the simulator, left alone until it is as old as required, and one question.
 */
import { startSandbox } from "../../sandbox/main.ts";
import type { Service } from "../../src/main/service.ts";
import {
  execute,
  type Observation,
  type Policy,
  POLICIES,
  toSearch,
} from "../../test/integration/service/capabilities.ts";
import {
  advance,
  type Client,
  createClient,
  createFolder,
  removeFolder,
  start,
  timeOfTests,
} from "../../test/integration/service/support.ts";

export type Row = {
  state: string;
  policy: Policy;
  /** By the simulator's account, behind the answer too: of live files, and of anything else. */
  live_files: number;
  others: number;
  fresh: number;
  stale: number;
  unknown: number;
  reliable: boolean;
};

const SYSTEM = "london-thames-cycles";
/** Of its live files, as the simulator publishes them: 60 s. */
const STATES = {
  "validated 2 s ago": { age_s: 2 },
  "fresh, 30 s": { age_s: 30 },
  "past its 60 s, 90 s": { age_s: 90 },
  "expired, 200 s": { age_s: 200 },
  "expired, and failing": { age_s: 200, fault: "http_500" },
  "fresh, and failing": { age_s: 30, fault: "http_500" },
} as const;

type Stage = {
  client: Client;
  service: Service;
  sandbox_url: string;
  point: { lat: number; lon: number };
};

export type Measured = {
  rows: Row[];
  /** Live files fetched for SHARERS questions at once that want them validated, and for one more. */
  shared: number;
  again: number;
};
export const SHARERS = 25;

export async function measureFreshness(): Promise<Measured> {
  const data_dir = await createFolder();
  const client = createClient();
  let follower: Service | null = null;
  const sandbox = await startSandbox({
    now: timeOfTests,
    seed: 1,
    port: 0,
    onAdvance: async (s) => {
      await follower?.clock.advance(s * 1000);
    },
  });
  const systems = sandbox
    .gbfsSystems()
    .filter(({ id }) => id === SYSTEM)
    .map(({ id, url, country }) => ({ id, url, country }));
  const { service } = await start({
    mode: "live",
    data_dir,
    // A feed that no caller asks for is not polled, so that it grows old.
    settings: { egress: { allow_private: true }, sources: { gbfs: { systems, idle_s: 1 } } },
  });
  follower = service;
  await service.feeds.surveyed();
  const { lat, lon } = sandbox.cities().find(({ country }) => country === systems[0]!.country)!;
  const stage = { client, service, sandbox_url: sandbox.url, point: { lat, lon } };
  const rows: Row[] = [];
  try {
    for (const state of Object.keys(STATES) as (keyof typeof STATES)[])
      for (const policy of POLICIES) rows.push(await measure(stage, state, policy));
    return { rows, ...(await share(stage)) };
  } finally {
    client.close();
    await service.close({ delay_ms: 0 });
    await sandbox.close();
    await removeFolder(data_dir);
  }
}

async function measure(stage: Stage, state: keyof typeof STATES, policy: Policy): Promise<Row> {
  const { client, service, sandbox_url, point } = stage;
  const wish: { age_s: number; fault?: string } = STATES[state];
  await renew(stage);
  await advance(client, sandbox_url, wish.age_s);
  await service.feeds.settle();
  if (wish.fault !== undefined)
    await client.json(`${sandbox_url}/__sandbox/faults/gbfs:${SYSTEM}`, {
      method: "PUT",
      body: { fault: wish.fault },
    });
  await client.json(`${sandbox_url}/__sandbox/requests`, { method: "DELETE" });
  const observation = (await execute(client, service, toSearch(ask(point), policy))) as Observation;
  // What the answer left to the background is done too.
  await advance(client, sandbox_url, 0);
  await service.feeds.settle();
  const journal = await client.json<Journal>(`${sandbox_url}/__sandbox/requests`);
  const live_files = countLive(journal);
  const all = journal.counts[`gbfs:${SYSTEM}`] ?? 0;
  const { realtime_reliable: reliable, ...freshness } = observation.freshness;
  return { state, policy, live_files, others: all - live_files, ...freshness, reliable };
}

type Journal = { counts: Record<string, number>; last: { path: string }[] };

const countLive = ({ last }: Journal): number =>
  last.filter(({ path }) => /(station|vehicle|bike)_status/.test(path)).length;

const ask = (point: object): object => ({ ...point, limit: 20, include: "stations,vehicles" });

/** However many ask at once, the publisher receives one or two requests; and then none for 5 s. */
async function share(stage: Stage): Promise<{ shared: number; again: number }> {
  const { client, service, sandbox_url, point } = stage;
  await renew(stage);
  await advance(client, sandbox_url, 30);
  const fetched = async (questions: number): Promise<number> => {
    await client.json(`${sandbox_url}/__sandbox/requests`, { method: "DELETE" });
    const requests = Array.from({ length: questions }, () =>
      execute(client, service, toSearch(ask(point), "revalidate")),
    );
    await Promise.all(requests);
    return countLive(await client.json<Journal>(`${sandbox_url}/__sandbox/requests`));
  };
  return { shared: await fetched(SHARERS), again: await fetched(1) };
}

/** Longer than anything but live files is kept: an hour, which the service lengthens by up to a tenth. */
const LONGEST_LIFE_S = 4000;

/** Healthy, and asked just now: whatever else was due is done as well. */
async function renew({ client, service, sandbox_url, point }: Stage): Promise<void> {
  await client.json(`${sandbox_url}/__sandbox/faults`, { method: "DELETE" });
  for (const pause_s of [LONGEST_LIFE_S, 10, 10]) {
    await advance(client, sandbox_url, pause_s);
    await execute(client, service, toSearch(ask(point), "revalidate"));
    await service.feeds.settle();
  }
}

/** The table of docs/capabilities.md. */
export function toTable(rows: readonly Row[]): string {
  const head = [
    "| what is held | policy | live files fetched | fresh | stale | unknown | reliable |",
    "|---|---|---:|---:|---:|---:|---|",
  ];
  const lines = rows.map((row) => {
    const { state, policy, live_files, fresh, stale, unknown, reliable } = row;
    const cells = [state, policy === null ? "null" : `\`${policy}\``, live_files, fresh, stale];
    return `| ${[...cells, unknown, reliable ? "yes" : "no"].join(" | ")} |`;
  });
  return [...head, ...lines].join("\n");
}
