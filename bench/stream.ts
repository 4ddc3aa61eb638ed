/**
 * npm run bench -- stream: what subscribers of boxes cost. One measured process serves a generated world
 * whose files change all the time; subscribers in a process of their own read real sockets, and plain
 * questions are questions at the same time, with and without subscribers in the same run.
 */
import { readArguments } from "../trials/arguments.ts";
import { give, print, receive, start } from "./children.ts";
import type { LoadJob, LoadResult } from "./client.ts";
import type { StreamCommand, StreamReading, StreamStarted } from "./stream-server.ts";
import type { Delivered, SubscribersCommand } from "./stream-subscribers.ts";
import { createRng } from "./world.ts";

const options = readArguments(process.argv.slice(2), {
  systems: 500,
  entities: 450,
  cities: 50,
  files: 25,
  changed: 0.05,
  subscribers: "250,1000,4000,5000",
  seconds: 30,
  rate: 50,
});

const { seconds, rate } = options;
const sizes = [options.systems, options.cities, options.entities, options.files, options.changed];
const server = start("stream-server.ts", sizes.map(String));
const { port, cities } = await receive<StreamStarted>(server);
const subscribers = start("stream-subscribers.ts");
const client = start("client.ts");
const say = (command: StreamCommand): Promise<StreamReading> => give(server, command);
const order = (command: SubscribersCommand): Promise<Delivered> => give(subscribers, command);

type Row = { count: number; reading: StreamReading; delivered: Delivered; questions: LoadResult };

const rng = createRng(44);
await say({ kind: "publish" });
await measure(0, 5);
const alone = await measure(0, seconds);
const counts = options.subscribers.split(",").map(Number);
/** With the first of them every city is watched, so that what its rows take is theirs. */
let first: { count: number; heap: number } | null = null;
let subscribed = 0;
for (const count of counts) {
  const paths = Array.from({ length: count - subscribed }, aBox);
  subscribed = count;
  await order({ kind: "open", port, paths });
  await measure(count, 3);
  const row = await measure(count, seconds);
  const { heap = 0 } = await say({ kind: "heap" });
  report(row, first === null ? null : (heap - first.heap) / (count - first.count));
  first ??= { count, heap };
}
await order({ kind: "close" });
const end = await measure(0, seconds);
print(
  `  0 subscribers: ${toShare(alone)} % of the serving thread before and ${toShare(end)} % after, ` +
    `questions p99 ${toP99(alone).toFixed(1)} and ${toP99(end).toFixed(1)} ms`,
);
for (const child of [server, subscribers, client]) child.kill();

/** 2 × 2.5 km within the core of a city. */
function aBox(): string {
  const { lat, lon } = cities[Math.floor(rng() * cities.length)]!;
  const wide = 1 / Math.cos((lat * Math.PI) / 180);
  const south = lat + (rng() - 0.5) * 0.02 - 0.009;
  const west = lon + ((rng() - 0.5) * 0.02 - 0.01125) * wide;
  const bbox = [west, south, west + 0.0225 * wide, south + 0.018];
  return `/v1/nearby/stream?bbox=${bbox.map((value) => value.toFixed(5)).join(",")}`;
}

async function measure(count: number, for_s: number): Promise<Row> {
  await order({ kind: "reset" });
  await say({ kind: "reset" });
  const paths = Array.from({ length: 5_000 }, () => {
    const { lat, lon } = cities[Math.floor(rng() * cities.length)]!;
    const at = [lat + (rng() - 0.5) * 0.02, lon + (rng() - 0.5) * 0.02];
    return `/v1/nearby?lat=${at[0]!.toFixed(5)}&lon=${at[1]!.toFixed(5)}`;
  });
  const job = { port, paths, connections: 16, rate, seconds: for_s, sleepy: true };
  const questions = await give<LoadJob, LoadResult>(client, job);
  const reading = await say({ kind: "read" });
  const delivered = await order({ kind: "read" });
  return { count, reading, delivered, questions };
}

/** `bytes`: in use, of each subscriber more than the first; null: these are the first. */
function report(row: Row, bytes: number | null): void {
  const { count, reading, delivered, questions } = row;
  const { events, open, refused, bytes: sent } = delivered;
  const own_s = reading.thread_s - (alone.reading.thread_s / alone.reading.wall_s) * reading.wall_s;
  print(
    `  ${count} subscribers, ${open} open, ${refused} refused: ` +
      `${toShare(row)} % of the serving thread, ${((own_s / reading.wall_s) * 100).toFixed(1)} % more than without; ` +
      `busy ${(reading.utilization * 100).toFixed(1)} %`,
  );
  print(
    `    ${(events / reading.wall_s).toFixed(0)} events a second, ${((own_s / events) * 1e6).toFixed(0)} µs each, ` +
      `${(sent / Math.max(1, events)).toFixed(0)} bytes each on the wire` +
      (bytes === null ? "" : `; ${(bytes / 1000).toFixed(1)} kB a subscriber`),
  );
  print(
    `    published to received p50 ${delivered.p50_ms.toFixed(0)} ms, p99 ${delivered.p99_ms.toFixed(0)} ms, ` +
      `max ${delivered.max_ms.toFixed(0)} ms of ${delivered.timed}; ` +
      `files ${(reading.files / reading.wall_s).toFixed(1)} a second`,
  );
  const ratio = toP99(row) / toP99(alone);
  print(
    `    questions p50 ${questions.latency!.p50.toFixed(1)} ms, p99 ${toP99(row).toFixed(1)} ms, ` +
      `${ratio.toFixed(2)} × that without subscribers; ${questions.errors} of ${questions.requests} failed`,
  );
}

function toP99({ questions }: Row): number {
  return questions.latency!.p99;
}

function toShare({ reading }: Row): string {
  return ((reading.thread_s / reading.wall_s) * 100).toFixed(1);
}
