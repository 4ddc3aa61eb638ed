/**
 * The subscribers of the benchmark of the stream: raw sockets that count what comes. A child process,
 * so that the machine's other core pays for it.
 */
import { connect, type Socket } from "node:net";
import { quantile } from "./children.ts";
import { toRequest } from "./request.ts";
import { MOMENTS } from "./stream-world.ts";

export type SubscribersJob = { kind: "open"; port: number; paths: readonly string[] };
export type SubscribersCommand =
  | SubscribersJob
  | { kind: "reset" }
  | { kind: "read" }
  | { kind: "close" };
export type Delivered = {
  open: number;
  refused: number;
  snapshots: number;
  events: number;
  bytes: number;
  /** Published → received, of the events that say when. */
  timed: number;
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
};

/** Opened at once. */
const AT_ONCE = 50;
/** Later than that, it is no moment but a count. */
const LATEST_MS = 30_000;
const DELTA = Buffer.from("event: delta\n");
const SNAPSHOT = Buffer.from("event: snapshot\n");
const COUNT = Buffer.from(`"vehicles":`);

const sockets = new Set<Socket>();
const counts = { refused: 0, snapshots: 0, events: 0, bytes: 0 };
let delays_ms: number[] = [];

process.on("message", (command: SubscribersCommand) => {
  void handle(command).then((answer) => process.send!(answer));
});
process.once("disconnect", () => process.exit());

async function handle(command: SubscribersCommand): Promise<unknown> {
  if (command.kind === "open") {
    const { paths, port } = command;
    for (let i = 0; i < paths.length; i += AT_ONCE)
      await Promise.all(paths.slice(i, i + AT_ONCE).map((path) => subscribe(port, path)));
  }
  if (command.kind === "close") for (const socket of sockets) socket.destroy();
  const delivered: Delivered = {
    ...counts,
    open: sockets.size,
    timed: delays_ms.length,
    p50_ms: quantile(delays_ms, 0.5),
    p99_ms: quantile(delays_ms, 0.99),
    max_ms: quantile(delays_ms, 1),
  };
  if (command.kind === "reset") {
    Object.assign(counts, { snapshots: 0, events: 0, bytes: 0 });
    delays_ms = [];
  }
  return delivered;
}

/** Resolves when its snapshot begins, or when it is refused. */
function subscribe(port: number, path: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => {
      socket.write(toRequest(path));
    });
    sockets.add(socket);
    socket.once("error", () => socket.destroy());
    socket.once("close", () => {
      sockets.delete(socket);
      resolve();
    });
    let isOpen = false;
    socket.on("data", (chunk: Buffer) => {
      counts.bytes += chunk.length;
      if (!isOpen) {
        isOpen = true;
        if (chunk.toString("latin1", 9, 12) !== "200") {
          counts.refused++;
          socket.destroy();
        }
      }
      counts.events += count(chunk, DELTA);
      const snapshots = count(chunk, SNAPSHOT);
      counts.snapshots += snapshots;
      if (snapshots > 0) resolve();
      else noteDelay(chunk);
    });
  });
}

function count(chunk: Buffer, text: Buffer): number {
  let found = 0;
  for (let at = chunk.indexOf(text); at !== -1; at = chunk.indexOf(text, at + text.length)) found++;
  return found;
}

/** By the counts of the stations that have changed: they are the moment at which it was published. */
function noteDelay(chunk: Buffer): void {
  if (!chunk.includes(DELTA)) return;
  const at = chunk.indexOf(COUNT);
  if (at === -1) return;
  const moment = Number.parseInt(
    chunk.toString("latin1", at + COUNT.length, at + COUNT.length + 8),
    10,
  );
  const delay_ms = ((Date.now() % MOMENTS) - moment + MOMENTS) % MOMENTS;
  if (delay_ms < LATEST_MS) delays_ms.push(delay_ms);
}
