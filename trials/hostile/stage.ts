/** The stage of the trial: the host of the feeds, an idle process as a control, and the program. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HostNews, HostOrder } from "./host.ts";
import { placeOf } from "./host.ts";
import { get } from "./load.ts";
import type { Delay } from "./probe.ts";
import { type Program, readDelay, sleep, startProgram } from "./program.ts";

const HOST = fileURLToPath(new URL("./host.ts", import.meta.url));
const PROBE = fileURLToPath(new URL("./probe.ts", import.meta.url));
const CONTROL = fileURLToPath(new URL("./control.ts", import.meta.url));

export type Stage = {
  program: Program;
  healthy: readonly string[];
  /** Resolves with the bytes of the hostile files. */
  order(order: HostOrder): Promise<number>;
  /** What the answer near a system says of it. */
  ask(system: string): Promise<Seen>;
  controlDelay(): Promise<Delay | null>;
  close(): Promise<void>;
};

export type Seen = {
  status: number;
  elapsed_ms: number;
  /** Of the system in `debug`; null: it is not named, or there is no answer. */
  outcome: { status: string; reason: string | null } | null;
  /** It shows a station of the healthy version. */
  is_healthy: boolean;
};

/** `hostile`: how many systems may be turned hostile; each has a neighbour of the same name. */
export async function openStage(wish: {
  root: string;
  folder: string;
  healthy: number;
  hostile: number;
  /** Stops of the timetable archives that are read at the start. */
  archives?: readonly number[];
  /** What is hostile before the program starts. */
  before?: readonly HostOrder[];
}): Promise<Stage> {
  const { root, folder } = wish;
  const host = fork(HOST, (wish.archives ?? []).map(String), { execPath: process.execPath });
  const control = fork(CONTROL, {
    execArgv: ["--import", PROBE],
    env: { ...process.env, HOSTILE_PROBE: join(folder, "control.json") },
  });
  const { url } = (await news(host)) as { url: string };
  const healthy = names("healthy", wish.healthy);
  const strangers = [...names("hostile", wish.hostile), ...names("neighbour", wish.hostile)];
  const systems = [...healthy, ...strangers].map((id) => ({
    id,
    url: `${url}/${id}/gbfs.json`,
    mode_hint: "bicycle",
    // Strangers that cannot be placed leave questions open in their own country alone.
    country: id.startsWith("healthy") ? "FR" : "NA",
    network: { id, name: id.replace("neighbour", "hostile") },
  }));
  const agent = new Agent({ keepAlive: true });
  const stop = (): void => {
    for (const child of [host, control]) child.disconnect();
    agent.destroy();
  };
  const order = async (command: HostOrder): Promise<number> => {
    host.send(command);
    return ((await news(host)) as { bytes: number }).bytes;
  };
  for (const command of wish.before ?? []) await order(command);
  const archives = (wish.archives ?? []).map((stops) => ({
    id: `archive-${stops}`,
    url: `${url}/archive-${stops}.zip`,
  }));
  const settings = {
    egress: { allow_private: true },
    sources: {
      gbfs: { systems },
      ...(archives.length > 0 ? { gtfs: { feeds: archives } } : {}),
    },
  };
  const program = await startProgram(root, folder, settings).catch((error: unknown) => {
    stop();
    throw error;
  });
  return {
    program,
    healthy,
    order,
    ask: (system) => ask(program.url, system, agent),
    controlDelay: () => readDelay(control, join(folder, "control.json")),
    async close() {
      await program.stop();
      stop();
    },
  };
}

function names(kind: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${kind}-${i}`);
}

async function news(child: ChildProcess): Promise<HostNews> {
  const [message] = (await once(child, "message")) as [HostNews];
  return message;
}

export function nearbyUrl(base: string, system: string, include: string): string {
  const { lat, lon } = placeOf(system);
  return `${base}/v1/nearby?lat=${lat}&lon=${lon}&radius=1000&limit=100&include=${include}`;
}

async function ask(base: string, system: string, agent: Agent): Promise<Seen> {
  const url = `${nearbyUrl(base, system, "stations,vehicles,alerts")}&debug=true`;
  const { status, text, elapsed_ms } = await get(url, agent);
  if (status !== 200) return { status, elapsed_ms, outcome: null, is_healthy: false };
  const body = JSON.parse(text) as {
    debug?: { sources?: { source_id: string; status: string; reason?: string | null }[] };
  };
  const source = body.debug?.sources?.find(({ source_id }) => source_id === system);
  const outcome = source ? { status: source.status, reason: source.reason ?? null } : null;
  const is_healthy =
    text.includes(JSON.stringify(`${system} station 0`)) && source?.status === "ok";
  return { status, elapsed_ms, outcome, is_healthy };
}

/** Every healthy place answers with its stations; throws when that takes too long. */
export async function waitHealthy({ program, healthy }: Stage, within_ms: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const until = performance.now() + within_ms;
  for (const system of healthy)
    for (;;) {
      const { text } = await get(nearbyUrl(program.url, system, "stations"), agent);
      if (text.includes('"status":"success"') && text.includes(`${system} station 0`)) break;
      if (performance.now() > until)
        throw new Error(`${system} is not healthy: ${text.slice(0, 300)}`);
      await sleep(50);
    }
  agent.destroy();
}
