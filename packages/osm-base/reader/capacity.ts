/** What this machine has for an import (packages/osm-base/base/needs). */
import { statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import type { Capacity } from "../base/needs.ts";
import { guard } from "#kit/guard.ts";

/** Memory of the machine, or of the container where that has less. */
export function measureMemory(): number {
  // Zero or a very large number: not bounded.
  return Math.min(process.constrainedMemory() || Infinity, totalmem());
}

/** The same, and the disk that is free in a folder. */
export async function measureCapacity(folder: string): Promise<Capacity> {
  const disk = await guard<number, null>(
    async () => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
    () => null,
  );
  return { memory_bytes: measureMemory(), disk_bytes: disk };
}
