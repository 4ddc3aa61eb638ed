/**
 * What the fault matrices of places and of the legacy routes have in common: a simulator, one
 * service whose every address is the simulator's, and questions, each noted with what came of it.
 */
import type { IncomingHttpHeaders } from "node:http";
import { startSandbox, type Sandbox } from "../../../sandbox/main.ts";
import type { Service } from "../../../src/main/service.ts";
import { createValidator, type Validate } from "./fault-schema.ts";
import { type Stalls, watchStalls } from "./fault-stalls.ts";
import {
  advance,
  type Client,
  createClient,
  createFolder,
  removeFolder,
  start,
  timeOfTests,
} from "./support.ts";

export type Look<B> = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Without the time in which the whole process was stalled. */
  elapsed_ms: number;
  text: string;
  body: B;
  /** The violations of its schema in the served description; null: none. */
  invalid: string | null;
};

export type Stage = {
  client: Client;
  sandbox: Sandbox;
  service: Service;
  data_dir: string;
  validate: Validate;
  stalls: Stalls;
};

export type Plan = {
  /** As the served description has them. */
  routes: readonly string[];
  settings(sandbox: Sandbox): object;
  /** Whether answers must come in time: then timeouts that the settings leave open are as shipped. */
  judged: boolean;
  /** The faults that the first start of the service meets. */
  prepare(control: Control): Promise<void>;
};
export type Control = Pick<Stage, "client" | "sandbox">;

export async function onStage<T>(plan: Plan, run: (stage: Stage) => Promise<T>): Promise<T> {
  const data_dir = await createFolder();
  const client = createClient();
  const followers: Service[] = [];
  const stalls = watchStalls();
  const sandbox = await startSandbox({
    now: timeOfTests,
    seed: 1,
    port: 0,
    onAdvance: async (s) => {
      await Promise.all(followers.map((service) => service.clock.advance(s * 1000)));
    },
  });
  try {
    await plan.prepare({ client, sandbox });
    const settings = plan.settings(sandbox);
    const timeouts = plan.judged ? "as shipped" : "long";
    const { service } = await start({ mode: "live", data_dir, settings, timeouts });
    followers.push(service);
    const validate = await createValidator(client, service.url, plan.routes);
    return await run({ client, sandbox, service, data_dir, validate, stalls });
  } finally {
    stalls.stop();
    client.close();
    for (const service of followers) await service.close({ delay_ms: 0 });
    await sandbox.close();
    await removeFolder(data_dir);
  }
}

/** `route` is the path as described, `path` the one that is asked. */
export type Question = { route: string; path: string; headers?: Record<string, string> };

export async function lookAt<B>(
  { client, service, validate, stalls }: Stage,
  { route, path, headers = {} }: Question,
): Promise<Look<B>> {
  const begun = performance.now() - stalls.total_ms();
  const reply = await client.call(`${service.url}${path}`, { headers });
  const elapsed_ms = performance.now() - stalls.total_ms() - begun;
  const body = JSON.parse(reply.text) as B;
  return { ...reply, elapsed_ms, body, invalid: validate(route, reply.status, body) };
}

export function move({ client, sandbox }: Control, seconds: number): Promise<number> {
  return advance(client, sandbox.url, seconds);
}

/** `source`: one of the simulator's, or a part of it. */
export async function putFault(
  { client, sandbox }: Control,
  source: string,
  body: object,
): Promise<void> {
  await client.json(`${sandbox.url}/__sandbox/faults/${source}`, { method: "PUT", body });
}

/** The number of times that each source was hit by its current fault. */
export async function countStruck({ client, sandbox }: Control): Promise<Record<string, number>> {
  const { faults } = await client.json<{ faults: { source: string; hit: number }[] }>(
    `${sandbox.url}/__sandbox/faults`,
  );
  return Object.fromEntries(faults.map(({ source, hit }) => [source, hit]));
}

export async function endFaults({ client, sandbox }: Control): Promise<void> {
  await client.json(`${sandbox.url}/__sandbox/faults`, { method: "DELETE" });
}

/** Texts that no answer may contain: our credentials and the hosts of sources. */
export function secretsOf(sandbox: Sandbox): string[] {
  const values = Object.values(sandbox.upstreams()).flatMap((each) =>
    Object.entries(each).flatMap(([key, value]) => (/key|token/.test(key) ? [value] : [])),
  );
  return [...values, `:${sandbox.port}/`];
}
