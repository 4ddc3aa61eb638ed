/** Number of connections that the open-file limit of this process allows. */
import { existsSync, readFileSync } from "node:fs";
import type { Metrics } from "./metrics.ts";

/** Linux; what it says holds after Node has raised its soft limit at its start. */
const LIMITS_FILE = "/proc/self/limits";

/** Reads the soft limit on open descriptors; null: unlimited, or the system does not report it. */
export function readDescriptorLimit(): number | null {
  if (!existsSync(LIMITS_FILE)) return null;
  const [, soft] = /^Max open files +(\d+) /m.exec(readFileSync(LIMITS_FILE, "utf8")) ?? [];
  return soft === undefined ? null : Number(soft);
}

/** The limit as a series of /metrics; absent where it is not known. */
export function watchDescriptors({ watch }: Pick<Metrics, "watch">): void {
  const limit = readDescriptorLimit();
  if (limit !== null) watch("process_max_fds", () => [{ labels: {}, value: limit }]);
}

const RESERVE_MIN = 128;
const RESERVE_MAX = 2_048;

type Bounds = {
  max_connections: number;
  max_connections_per_address: number | null;
  write_timeout_ms: number;
};

/** As many as configured, and fewer where the system allows the process fewer descriptors. */
export function connectionBounds(server: Bounds): Bounds {
  const { max_connections, max_connections_per_address, write_timeout_ms } = server;
  const possible = connectionsWithin(readDescriptorLimit());
  return {
    max_connections: Math.min(max_connections, possible),
    max_connections_per_address,
    write_timeout_ms,
  };
}

/**
 * Returns how many connections a limit allows, less a reserve for the admin listener, the stores,
 * and calls to sources: a quarter, within the bounds above. Infinity: no limit is known.
 */
export function connectionsWithin(limit: number | null): number {
  if (limit === null) return Infinity;
  const reserve = Math.min(Math.max(Math.ceil(limit / 4), RESERVE_MIN), RESERVE_MAX);
  return Math.max(16, limit - reserve);
}
