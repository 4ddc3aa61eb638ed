/**
 * Datasets of a program that is killed, read over and over after it was started again: byte for byte
 * what was told before, and no source hears of it.
 */
import { createMemoryAccounts } from "../../test/support/memory-accounts.ts";
import { SHIPPED_PLANS } from "#config/plans.ts";
import { provideSandboxKeys } from "../../src/main/access/sandbox-keys.ts";
import {
  get,
  POLICIES,
  post,
  type Observation,
  toRead,
  toSearch,
} from "../../test/integration/service/capabilities.ts";
import {
  type Ready,
  type Running,
  startProcess,
} from "../../test/integration/service/processes.ts";
import {
  type Client,
  createClient,
  createFolder,
  eventually,
  removeFolder,
} from "../../test/integration/service/support.ts";
import { createDice } from "../../trials/dice.ts";

export type ReadReport = {
  datasets: number;
  /** By how they were asked for. */
  reads: Record<"observation" | "body", number>;
  /** Read at once after the program was killed, and after it was told to end. */
  at_once: { killed: number; ended: number };
  /** Requests that sources received while all of this was read. */
  upstream: number;
  reads_per_s: number;
};

type Kept = {
  id: string;
  version: string;
  href: string;
  observation: string;
  body: string;
  who: Who;
};
type Who = { key?: string };

const SEED = 1;
const PARIS = { lat: 48.8566, lon: 2.3522 };
const LANES = 4;

export async function readOverAndOver(wish: {
  reads: number;
  datasets: number;
}): Promise<ReadReport> {
  const data_dir = await createFolder();
  const client = createClient();
  let { running, ready } = await launch(data_dir);
  try {
    const kept = await ask(client, ready, wish.datasets);
    const restart = async (signal: "SIGKILL" | "SIGINT"): Promise<number> => {
      running.child.kill(signal);
      await running.ended;
      ({ running, ready } = await launch(data_dir));
      for (const [i, each] of kept.entries()) await readOne(client, ready, each, i);
      return kept.length;
    };
    const at_once = { killed: await restart("SIGKILL"), ended: await restart("SIGINT") };
    await quiet(client, ready);
    const begun = performance.now();
    const reads = await readMany(client, ready, kept, wish.reads);
    const seconds = (performance.now() - begun) / 1000;
    const upstream = await count(client, ready);
    const reads_per_s = Math.round(wish.reads / seconds);
    return { datasets: kept.length, reads, at_once, upstream, reads_per_s };
  } finally {
    client.close();
    running.child.kill("SIGKILL");
    await running.ended;
    await removeFolder(data_dir);
  }
}

function launch(data_dir: string): Promise<{ running: Running; ready: Ready }> {
  const variables = { SANDBOX_SEED: String(SEED), LOG_LEVEL: "error" };
  return startProcess({ data_dir, variables });
}

/** Everybody's, and those of two accounts. */
async function ask(client: Client, of: Ready, datasets: number): Promise<Kept[]> {
  const plans = SHIPPED_PLANS.map(({ name }) => name);
  const given = { plans, seed: SEED, now_ms: 0 };
  const keys = await provideSandboxKeys(createMemoryAccounts(), given);
  const keyOf = (plan: string): Who => ({ key: keys.find((each) => each.plan === plan)!.key });
  const callers: Who[] = [{}, keyOf("developer"), keyOf("business")];
  const kept: Kept[] = [];
  for (let i = 0; i < datasets; i++) {
    const who = callers[i % callers.length]!;
    const point = { lat: PARIS.lat + (i % 7) * 0.001, lon: PARIS.lon };
    const { status, text } = await post(client, of, toSearch({ ...point, limit: 5 + i }), who);
    if (status !== 200) throw new Error(text);
    const observation = observationOf(text);
    const { provenance } = JSON.parse(observation) as Observation;
    const { dataset_id: id, version, href } = provenance[0];
    const { text: body } = await get(client, of, href, {}, who);
    kept.push({ id, version, href, observation, body, who });
  }
  return kept;
}

/** As it came, not as it would be written again. */
function observationOf(text: string): string {
  const name = ',"observation":';
  return text.slice(text.indexOf(name) + name.length, -1);
}

async function readOne(client: Client, of: Ready, each: Kept, turn: number): Promise<Part> {
  const { id, version, href, observation, body, who } = each;
  const part: Part = turn % 4 === 3 ? "body" : "observation";
  const policy = POLICIES[turn % POLICIES.length]!;
  const reply =
    part === "body"
      ? await get(client, of, href, {}, who)
      : await post(client, of, toRead({ id, version }, policy), who);
  const told = part === "body" ? reply.text : observationOf(reply.text);
  if (reply.status !== 200 || told !== (part === "body" ? body : observation))
    throw new Error(`${part} of ${id} under ${policy}: ${reply.status}, not what was told before`);
  return part;
}

type Part = "observation" | "body";

async function readMany(client: Client, of: Ready, kept: readonly Kept[], reads: number) {
  const done = { observation: 0, body: 0 };
  let turn = 0;
  const lane = async (): Promise<void> => {
    while (turn < reads) {
      const mine = turn++;
      const dice = createDice(SEED, mine);
      done[await readOne(client, of, dice.pick(kept), dice.integer(0, 11))]++;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return done;
}

async function count(client: Client, of: Ready): Promise<number> {
  const url = `${of.sandbox_url}/__sandbox/requests`;
  const { counts } = await client.json<{ counts: Record<string, number> }>(url);
  // A part of a source counts for the source too.
  return Object.entries(counts).reduce((sum, [id, n]) => sum + (id.includes(":") ? 0 : n), 0);
}

/** Whatever a start reads in the background has been read; then counting begins anew. */
async function quiet(client: Client, of: Ready): Promise<void> {
  let last = -1;
  let same = 0;
  await eventually(
    async () => {
      const now = await count(client, of);
      same = now === last ? same + 1 : 0;
      last = now;
      return same >= 25 ? true : null;
    },
    { within_ms: 30_000, what: "the sources are left alone" },
  );
  await client.json(`${of.sandbox_url}/__sandbox/requests`, { method: "DELETE" });
}
