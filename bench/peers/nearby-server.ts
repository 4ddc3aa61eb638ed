/**
 * What a team would build: a node:http server that asks a database which items are near, and joins
 * their texts to an answer. A child process driven by messages; `redis`, `postgis` or `sqlite`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { benchSeeds } from "../world.ts";
import { ENGINES } from "./nearby-engines.ts";
import { type Item, itemsOf, type Samples } from "./nearby-items.ts";

export type PeerCommand =
  | { kind: "load"; entities: number; samples: Samples }
  | { kind: "items"; items: readonly Item[] }
  | { kind: "cpu" }
  | { kind: "refresh"; feeds: number };

const BATCH = 2_000;
const [name, url = ""] = process.argv.slice(2);
const engine = ENGINES[name!]!(url);
/** Seed, and the id of its first item, of each system. */
const systems: { seed: number; first: number }[] = [];
let samples: Samples | null = null;
let turn = 0;

const server = createServer((request, response) => void answer(request, response));
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URL(request.url!, "http://localhost").searchParams;
  const limit = Math.min(Number(query.get("limit") ?? 100), 100);
  const match = await engine.near(Number(query.get("lat")), Number(query.get("lon")), limit);
  const items = match.map(
    ({ text, distance }) => `${text},"distance_meters":${Math.round(distance)}}`,
  );
  const body = `{"status":"success","total":${items.length},"results":[${items.join(",")}]}`;
  const length = String(Buffer.byteLength(body));
  response.writeHead(200, { "content-type": "application/json", "content-length": length });
  response.end(body);
}

async function load(entities: number, input: Samples): Promise<number> {
  samples = input;
  let count = 0;
  let batch: Item[] = [];
  for (const seed of benchSeeds(entities)) {
    systems.push({ seed, first: count });
    for (const item of itemsOf(seed, input, count)) {
      count++;
      batch.push(item);
      if (batch.length < BATCH) continue;
      await engine.load(batch);
      batch = [];
    }
  }
  if (batch.length > 0) await engine.load(batch);
  await engine.prepare();
  return count;
}

/** Writes the texts of the stations or vehicles of as many systems, of every size in turn. */
async function refresh(feeds: number): Promise<void> {
  for (let n = 0; n < feeds; n++) {
    const { seed, first } = systems[(turn++ * 7919) % systems.length]!;
    const items = [...itemsOf(seed, samples!, first)];
    const stations = Math.round(items.length * 0.6);
    await engine.update(n % 2 === 0 ? items.slice(0, stations) : items.slice(stations));
  }
}

async function handle(command: PeerCommand): Promise<unknown> {
  switch (command.kind) {
    case "load":
      return load(command.entities, command.samples);
    case "items":
      await engine.load(command.items);
      await engine.prepare();
      return command.items.length;
    case "cpu":
      return { port: (server.address() as AddressInfo).port, rss: process.memoryUsage.rss() };
    case "refresh":
      await refresh(command.feeds);
      return null;
  }
}

process.on("message", (command: PeerCommand) => {
  void handle(command).then((value) => process.send!(value));
});
process.send!((server.address() as AddressInfo).port);
process.once("disconnect", () => process.exit());
