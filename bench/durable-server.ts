/**
 * Bare servers, one for each way to record a reply before it leaves: node:http, a fixed time of work
 * for an answer, which touches no memory, and prepared bytes. Nothing of the service runs here.
 */
import { constants, fdatasync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Called when a reply is ready, before it leaves. */
type Way = () => void;

const [work_us, bytes] = process.argv.slice(2).map(Number) as [number, number];

/** As the journal of usage: blocks that are there already. */
const SIZE = 1024 * 1024;
const EVENT_BYTES = 150;
const SYNC_MS = 25;
const event = Buffer.alloc(EVENT_BYTES, "e");

function openRecord(flags: number): { file: number; write(): void } {
  const path = join(tmpdir(), `vicinity-durable-${process.pid}-${flags}`);
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | flags);
  // It lives as long as it is open.
  rmSync(path);
  writeSync(file, Buffer.alloc(SIZE), 0, SIZE, 0);
  fsyncSync(file);
  let at = 0;
  return {
    file,
    write() {
      writeSync(file, event, 0, EVENT_BYTES, at);
      at = (at + EVENT_BYTES) % (SIZE / 2);
    },
  };
}

export type DurableWay = "at_once" | "written" | "synced" | "through";

const WAYS: Record<DurableWay, Way> = {
  at_once: () => undefined,
  written: openRecord(0).write,
  synced: createSynced(),
  /** On the disk before it leaves; everything else waits meanwhile. */
  through: openRecord(constants.O_DSYNC).write,
};

/** As the service does it: the disk is synced behind. */
function createSynced(): Way {
  const { file, write } = openRecord(0);
  let scheduled = false;
  const sync = (): void => {
    scheduled = false;
    fdatasync(file, (error) => {
      if (error) throw error;
    });
  };
  return () => {
    write();
    if (!scheduled) setTimeout(sync, SYNC_MS);
    scheduled = true;
  };
}

const body = Buffer.alloc(bytes, "b");
const head = ["content-type", "application/json", "content-length", String(bytes)];
const listening = Object.entries(WAYS).map(async ([name, way]) => {
  const server = createServer((_request, response) => {
    const until_ms = performance.now() + work_us / 1000;
    while (performance.now() < until_ms);
    way();
    response.writeHead(200, head).end(body);
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
