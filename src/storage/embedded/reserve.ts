/**
 * Room that is kept on the disk for the start: opening a database needs some, and a disk that is full
 * must not keep the service from coming up. Given up before the stores are opened where there is too
 * little without it, and taken again as soon as they are, so that the next start finds it too.
 */
import { closeSync, fstatSync, openSync, rmSync, writeSync } from "node:fs";
import { randomFillSync } from "node:crypto";
import { join } from "node:path";
import { diskSpaceOf } from "#storage/embedded/disk.ts";
import type { Time } from "#storage/store-time.ts";

const MB = 1024 * 1024;
const RESERVE_BYTES = 4 * MB;
/** Written at once; what no longer fits is less than that. */
const CHUNK = 64 * 1024;
/** As long as it is not whole it is looked after so often. */
const RETRY_MS = 15_000;
export const RESERVE_FILE = "reserve";

export type Reserve = {
  /** true: the disk is full, and the reserve was given up for the start. */
  release(): boolean;
  /** Takes as much of it as there is, and the rest as soon as there is room. */
  hold(): void;
  close(): void;
};

export function createReserve(folder: string, time: Time): Reserve {
  const path = join(folder, RESERVE_FILE);
  let cancel = (): void => undefined;
  const hold = (): void => {
    cancel();
    if (!fill(path)) cancel = time.schedule(time.now() + RETRY_MS, grow);
  };
  /** Only where there is much more: what has just come free is for those who wait for it. */
  const grow = (): void => {
    if (diskSpaceOf(folder).free > 2 * RESERVE_BYTES) return hold();
    cancel = time.schedule(time.now() + RETRY_MS, grow);
  };
  return {
    release() {
      if (diskSpaceOf(folder).free >= RESERVE_BYTES) return false;
      rmSync(path, { force: true });
      return true;
    },
    hold,
    close: () => cancel(),
  };
}

/** false: there is not enough room for all of it. Noise, since some file systems store no zeros. */
function fill(path: string): boolean {
  const file = openSync(path, "a", 0o600);
  try {
    const noise = randomFillSync(Buffer.alloc(CHUNK));
    for (let { size } = fstatSync(file); size < RESERVE_BYTES;) size += writeSync(file, noise);
    return true;
  } catch {
    // Whatever the reason, the start has less to fall back on, and nothing else.
    return false;
  } finally {
    closeSync(file);
  }
}
