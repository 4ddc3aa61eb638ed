/**
 * npm run bench -- http: ways to answer over HTTP compared with a bare node:http server that sends the
 * same bytes, in alternating rounds of one run (docs/decisions/0026). Seeded by nothing: the bytes are
 * fixed, and the keys only have to differ.
 */
import { readArguments } from "../trials/arguments.ts";
import { give, receive, print, spread, start } from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";
import type { HttpCommand } from "./http-server.ts";

const options = readArguments(process.argv.slice(2), {
  bytes: "303,24000",
  seconds: 2,
  rounds: 7,
  ways: "",
});

/** Of the floor and of each way: requests a second, and processor time a request. */
type Measured = { rps: number; cpu_us: number };

const server = start("http-server.ts");
const client = start("client.ts");
const { ports, keys } = await receive<{ ports: Record<string, number>; keys: string[] }>(server);
const paths = Array.from(
  { length: 1_000 },
  (_, i) => `/v1/nearby?lat=48.${i}&lon=2.${i}&radius=500`,
);
const ways =
  options.ways === ""
    ? Object.keys(ports).filter((way) => way !== "floor")
    : options.ways.split(",");

for (const bytes of options.bytes.split(",").map(Number)) {
  await give<HttpCommand, null>(server, { kind: "body", bytes });
  const all = ["floor", ...ways];
  for (const way of all) await measure(way, 1);
  const rounds: Map<string, Measured>[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const measured = new Map<string, Measured>();
    // Every round begins elsewhere, so that no way always follows the same one.
    for (let i = 0; i < all.length; i++) {
      const way = all[(i + round) % all.length]!;
      measured.set(way, await measure(way, options.seconds));
    }
    rounds.push(measured);
  }
  print(`${bytes} bytes, ${rounds.length} rounds: medians and quartiles`);
  for (const way of all) {
    const of = (other: string, member: keyof Measured): string =>
      spread(rounds.map((round) => round.get(way)![member] / round.get(other)![member]));
    const cpu_us = spread(
      rounds.map((round) => round.get(way)!.cpu_us),
      1,
    );
    print(
      `  ${way.padEnd(18)} requests/s of the floor ${of("floor", "rps")}, of ${ways[0]} ${of(ways[0]!, "rps")}; ` +
        `CPU ${cpu_us} µs, of ${ways[0]} ${of(ways[0]!, "cpu_us")}`,
    );
  }
}
client.kill();
server.kill();

async function measure(way: string, seconds: number): Promise<Measured> {
  const job: LoadJob = { port: ports[way]!, paths, keys, connections: 32, seconds, rate: null };
  const before = await give<HttpCommand, NodeJS.CpuUsage>(server, { kind: "cpu" });
  const done = await give<LoadJob, LoadResult>(client, job);
  const after = await give<HttpCommand, NodeJS.CpuUsage>(server, { kind: "cpu" });
  if (done.errors > 0) throw new Error(`${way}: ${done.errors} requests failed`);
  const cpu_us = after.user + after.system - before.user - before.system;
  return { rps: done.requests / done.seconds, cpu_us: cpu_us / done.requests };
}
