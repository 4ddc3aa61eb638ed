/**
 * What `walk=true` costs of `/v1/services/nearby` with 20 results over an imported base: processor time
 * a request of the same questions with it and without, in alternating rounds of one run.
 */
import type { LoadJob, LoadResult } from "./client.ts";
import { give, print, receive, spread, start } from "./children.ts";
import type { BaseCommand, BasePorts } from "./base-server.ts";

const POINTS = 4_000;
const CONNECTIONS = 8;
const RADIUS_M = 1_000;
const RESULTS = 20;

export async function measureAnswers(
  extract: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const client = start("client.ts");
  const server = start("base-server.ts", [extract]);
  const ports = await receive<BasePorts>(server);
  const ask = <T>(command: BaseCommand): Promise<T> => give<BaseCommand, T>(server, command);
  const points = await ask<string[]>({ kind: "points", count: POINTS });
  const plain = points.map((path) =>
    path.replace(/radius=\d+/, `radius=${RADIUS_M}&limit=${RESULTS}`),
  );
  const walked = plain.map((path) => `${path}&walk=true`);
  const [results, ways] = await countResults(ports.port, walked.slice(0, 101));
  const load = async (paths: string[], lasts_s: number): Promise<number> => {
    await ask({ kind: "reset" });
    const job: LoadJob = { port: ports.port, paths, connections: CONNECTIONS, seconds: lasts_s, rate: null };
    const done = await give<LoadJob, LoadResult>(client, job);
    const cpu_s = await ask<number>({ kind: "read" });
    if (done.errors > 0) throw new Error(`${done.errors} of ${done.requests} requests failed`);
    return (cpu_s / done.requests) * 1e6;
  };
  await load(plain, seconds);
  await load(walked, seconds);
  const pairs: { plain_us: number; walked_us: number }[] = [];
  for (let round = 0; round < rounds; round++)
    pairs.push({ plain_us: await load(plain, seconds), walked_us: await load(walked, seconds) });
  const ratios = pairs.map(({ plain_us, walked_us }) => walked_us / plain_us);
  print(
    `/v1/services/nearby, ${results} results of which ${ways} have a way (medians): ` +
      `${spread(pairs.map(({ plain_us }) => plain_us), 0)} µs of the thread, ` +
      `with walk=true ${spread(pairs.map(({ walked_us }) => walked_us), 0)} µs, ratio ${spread(ratios)}`,
  );
  server.kill();
  client.kill();
}

/** Medians of results, and of those with a way. */
async function countResults(port: number, paths: readonly string[]): Promise<[number, number]> {
  const counts: [number, number][] = [];
  for (const path of paths) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    const body = (await response.json()) as { results?: { walk?: unknown }[] };
    if (!body.results) throw new Error(`${response.status} ${path}`);
    counts.push([body.results.length, body.results.filter(({ walk }) => walk).length]);
  }
  const middle = (at: 0 | 1): number => counts.map((pair) => pair[at]).sort((a, b) => a - b)[counts.length >> 1]!;
  return [middle(0), middle(1)];
}
