/**
 * npm run bench -- durable [--work 30]: the cost of recording each reply before it leaves, independent
 * of the service. Bare servers (durable-server.ts) work a given time for an answer and send it at
 * once, after one write, after one write with syncs behind, or after a write that is on the disk. Next
 * to the benchmark access it shows which part of the cost of metering is the file.
 */
import { cpus } from "node:os";
import { readArguments } from "../trials/arguments.ts";
import { give, receive, median, print, spread, start } from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";
import type { DurableWay } from "./durable-server.ts";

const options = readArguments(process.argv.slice(2), {
  work: "30",
  bytes: "24000",
  rounds: 20,
  seconds: 0.5,
  connections: 192,
});
const { rounds, seconds, connections } = options;

type Measured = { rps: number; cpu_us: number };

const client = start("client.ts");
const server = start("durable-server.ts", [options.work, options.bytes]);
const ports = await receive<Record<DurableWay, number>>(server);
const ways = Object.keys(ports) as DurableWay[];
print(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
print(
  `${options.work} µs of work, ${options.bytes} bytes, ${connections} connections, ${rounds} rounds of ${seconds} s\n`,
);

const turns: Record<DurableWay, Measured>[] = [];
for (let round = -1; round < rounds; round++) {
  const turn = await measureTurn(round % 2 === 0 ? ways : ways.toReversed());
  // The first is for the compiler.
  if (round >= 0) turns.push(turn);
}
for (const way of ways) {
  const ratios = turns.map((turn) => turn[way].rps / turn.at_once.rps);
  const of = (part: keyof Measured): number => median(turns.map((turn) => turn[way][part]));
  const cost_us = median(turns.map((turn) => 1e6 / turn[way].rps - 1e6 / turn.at_once.rps));
  print(
    `  ${way.padEnd(11)} ${of("rps").toFixed(0)}/s, ratio ${spread(ratios)}, ` +
      `${cost_us.toFixed(1)} µs more an answer; CPU of all threads ${of("cpu_us").toFixed(1)} µs`,
  );
}
server.kill();
client.kill();

async function measureTurn(order: readonly DurableWay[]): Promise<Record<DurableWay, Measured>> {
  const turn: Partial<Record<DurableWay, Measured>> = {};
  for (const way of order) {
    await used();
    const job = { port: ports[way], paths: ["/"], connections, seconds, rate: null };
    const done = await give<LoadJob, LoadResult>(client, job);
    if (done.errors > 0) throw new Error(`${way}: ${done.errors} requests failed`);
    const cpu_us = (await used()) / done.requests;
    turn[way] = { rps: done.requests / done.seconds, cpu_us };
  }
  return turn as Record<DurableWay, Measured>;
}

/** CPU of the server since it was asked last, µs. */
async function used(): Promise<number> {
  server.send("read");
  return await receive<number>(server);
}
