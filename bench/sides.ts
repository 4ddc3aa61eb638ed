/** Measured processes that are compared: each serves a generated world, and they take turns. */
import type { ChildProcess } from "node:child_process";
import { ask, give, type Ports, type Reading, receive, start } from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";

const CONNECTIONS = 32;

export type Side = { name: string; server: ChildProcess; ports: Ports };
/** Requests a second; processor time of the serving thread, and bytes, a request. */
export type Cost = { rps: number; cpu_us: number; bytes: number };

/** `args`: those of server.ts; `directory`: of another checkout, whose program is measured. */
export async function openSide(name: string, args: string[], directory?: URL): Promise<Side> {
  const server = start("server.ts", args, directory);
  return { name, server, ports: await receive<Ports>(server) };
}

/** Measures each side once a round; which one begins changes. In the order of `sides`, by round. */
export async function alternate<Each, Figure>(
  sides: readonly Each[],
  rounds: number,
  measure: (side: Each) => Promise<Figure>,
): Promise<Figure[][]> {
  const measured: Figure[][] = [];
  for (let round = 0; round < rounds; round++) {
    const figures: Figure[] = [];
    for (let i = 0; i < sides.length; i++) {
      const place = (i + round) % sides.length;
      figures[place] = await measure(sides[place]!);
    }
    measured.push(figures);
  }
  return measured;
}

/** Requests as fast as answers come, by the load generator `client`. */
export async function measureCost(
  client: ChildProcess,
  server: ChildProcess,
  load: Pick<LoadJob, "port" | "paths" | "keys" | "seconds">,
): Promise<Cost> {
  await ask(server, { kind: "reset" });
  const job = { ...load, connections: CONNECTIONS, rate: null };
  const { requests, seconds, bytes, errors } = await give<LoadJob, LoadResult>(client, job);
  const { main_cpu_s } = await ask<Reading>(server, { kind: "read", collect: false });
  if (errors > 0) {
    const shed = JSON.stringify(await ask(server, { kind: "shed" }));
    throw new Error(`${errors} of ${requests} requests failed; shed for load so far: ${shed}`);
  }
  const cpu_us = (main_cpu_s / requests) * 1e6;
  return { rps: requests / seconds, cpu_us, bytes: bytes / requests };
}
