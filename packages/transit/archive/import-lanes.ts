/** Imports that run side by side: as many as the memory of the machine has room for. */
import { Lanes } from "#kit/run/lanes.ts";

/** Of that memory, for all of them: of a command, and within a service, which has other use for it. */
const SHARES = { command: 0.75, service: 0.5 } as const;

/** `most`: at once; `memory_bytes`: of the machine, null: not known. */
export function createImportLanes(
  user: keyof typeof SHARES,
  { most, memory_bytes }: { most: number; memory_bytes: number | null },
): Lanes {
  return new Lanes({ most, memory_bytes: SHARES[user] * (memory_bytes ?? Infinity) });
}
