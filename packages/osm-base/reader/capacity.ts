/** What this machine has for an import (packages/osm-base/base/needs). */
import { statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import type { Capacity } from "../base/needs.ts";
import { guard } from "#kit/guard.ts";

/** Memory of the machine, or of the container where that has less, and the disk that is free in a folder. */
export async function measureCapacity(folder: string): Promise<Capacity> {
  // Zero or a very large number: not bounded.
  const bound = process.constrainedMemory() || Infinity;
  const disk = await guard<number, null>(
    async () => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    () => null,
  );
  return { memory_bytes: Math.min(bound, totalmem()), disk_bytes: disk };
}
