/**
 * Servers that are nobody's, one for each way to let replies wait for a disk: node:http, so much work
 * as an answer costs, which touches no memory, and prepared bytes. Nothing of the service runs here.
 */
import { constants, fsyncSync, openSync, rmSync, write, writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** When a reply leaves that is ready. */
type Way = (send: () => void) => void;

const [work_us, bytes] = process.argv.slice(2).map(Number) as [number, number];

/** As the journal of usage: blocks that are there already, written through. */
const SIZE = 1024 * 1024;
const EVENT_BYTES = 120;
const REST_MS = 3;
const path = join(tmpdir(), `vicinity-durable-${process.pid}`);
const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC);
// It lives as long as somebody has it open.
rmSync(path);
writeSync(file, Buffer.alloc(SIZE), 0, SIZE, 0);
fsyncSync(file);
const events = Buffer.alloc(SIZE / 2, "e");
let tail = 0;

/** Where a record of so many events goes. */
function place(count: number): [length: number, at: number] {
  const length = count * EVENT_BYTES;
  const at = tail;
  tail = (tail + length) % (SIZE / 2);
  return [length, at];
}

export type DurableWay = "at_once" | "parked" | "written" | "on_the_spot";

const WAYS: Record<DurableWay, Way> = {
  at_once: (send) => send(),
  /** For nothing: 32 leave together, the rest at the end of the pass of the loop. */
  parked: together(32, (sends) => leave(sends)),
  written: createWriting(),
  on_the_spot: together(64, (sends) => {
    const [length, at] = place(sends.length);
    writeSync(file, events, 0, length, at);
    leave(sends);
  }),
};

function leave(sends: readonly (() => void)[]): void {
  for (const send of sends) send();
}

function together(most: number, take: (sends: readonly (() => void)[]) => void): Way {
  let waiting: (() => void)[] = [];
  const flush = (): void => {
    const sends = waiting;
    waiting = [];
    if (sends.length > 0) take(sends);
  };
  return (send) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(send);
    if (waiting.length === most) flush();
  };
}

/** Group commit by the pool of threads: what comes during a write goes into the next. */
function createWriting(): Way {
  let waiting: (() => void)[] = [];
  let writing = false;
  const begin = (): void => {
    const sends = waiting;
    waiting = [];
    const [length, at] = place(sends.length);
    write(file, events, 0, length, at, (error) => {
      if (error) throw error;
      leave(sends);
      setTimeout(() => {
        writing = false;
        if (waiting.length > 0) start();
      }, REST_MS);
    });
  };
  const start = (): void => {
    writing = true;
    setImmediate(begin);
  };
  return (send) => {
    waiting.push(send);
    if (!writing) start();
  };
}

const body = Buffer.alloc(bytes, "b");
const head = ["content-type", "application/json", "content-length", String(bytes)];
const listening = Object.entries(WAYS).map(async ([name, way]) => {
  const server = createServer((_request, response) => {
    const until_ms = performance.now() + work_us / 1000;
    while (performance.now() < until_ms);
    way(() => response.writeHead(200, head).end(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return [name, (server.address() as AddressInfo).port];
});
process.send!(Object.fromEntries(await Promise.all(listening)));

let since = process.cpuUsage();
process.on("message", () => {
  const { user, system } = process.cpuUsage(since);
  since = process.cpuUsage();
  process.send!(user + system);
});
