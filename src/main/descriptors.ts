/** Number of connections that the open-file limit of this process allows. */
import { existsSync, readFileSync } from "node:fs";

/** Linux; what it says holds after Node has raised its soft limit at its start. */
const LIMITS_FILE = "/proc/self/limits";

/** Reads the soft limit on open descriptors; null: unlimited, or the system does not report it. */
export function readDescriptorLimit(): number | null {
  if (!existsSync(LIMITS_FILE)) return null;
  const [, soft] = /^Max open files +(\d+) /m.exec(readFileSync(LIMITS_FILE, "utf8")) ?? [];
  return soft === undefined ? null : Number(soft);
}

const RESERVE_MIN = 128;
const RESERVE_MAX = 2_048;

/**
 * Returns how many connections a limit allows, less a reserve for the admin listener, the stores,
 * and calls to sources: a quarter, within the bounds above. Infinity: no limit is known.
 */
export function connectionsWithin(limit: number | null): number {
  if (limit === null) return Infinity;
  const reserve = Math.min(Math.max(Math.ceil(limit / 4), RESERVE_MIN), RESERVE_MAX);
  return Math.max(16, limit - reserve);
}
