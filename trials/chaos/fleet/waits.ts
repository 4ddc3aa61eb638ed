/**
 * What a reply with a key had to wait for when usage was on the disk before it left: one question to
 * the shared store, and a write through, made together with those that come while one is made.
 */
import { closeSync, constants, mkdtempSync, openSync, rmSync, write, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "iovalkey";

/** Of an event as the service writes it. */
const EVENT_BYTES = 128;
/** Between commits. */
const REST_MS = 3;
const FILE_BYTES = 1024 * 1024;

export type Waits = { wait(): Promise<void>; close(): void };

export function openWaits(shared_url: string): Waits {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-waits-"));
  const shared = new Redis(shared_url);
  const { O_RDWR, O_CREAT, O_DSYNC } = constants;
  const file = openSync(join(folder, "waits.journal"), O_RDWR | O_CREAT | O_DSYNC);
  writeSync(file, Buffer.alloc(FILE_BYTES));
  const durable = createCommits(file);
  return {
    async wait() {
      await shared.incr("waits");
      await durable();
    },
    close() {
      shared.disconnect();
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createCommits(file: number): () => Promise<void> {
  const bytes = Buffer.alloc(FILE_BYTES, "x");
  let waiting: (() => void)[] = [];
  let busy = false;
  const commit = (): void => {
    const written = waiting;
    waiting = [];
    write(file, bytes, 0, Math.min(FILE_BYTES, written.length * EVENT_BYTES), 0, (error) => {
      if (error) throw error;
      for (const release of written) release();
      setTimeout(next, REST_MS);
    });
  };
  const next = (): void => {
    busy = waiting.length > 0;
    if (busy) commit();
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (busy) return;
      busy = true;
      setImmediate(commit);
    });
}
