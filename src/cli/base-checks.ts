/** Whether what bases may take in memory goes with this machine (docs/open-base.md, Memory). */
import { totalmem } from "node:os";
import type { Loaded } from "#config/config-result.ts";
import type { Config } from "#config/load.ts";
import { type Check, toCheck } from "#storage/inspect/inspection-check.ts";

const MB = 1024 * 1024;
/** The rest is for all else that the service has, and for the system. */
const MOST_SHARE = 0.5;

/** `memory_bytes`: of the machine, or of its container. */
export function checkBaseMemory(
  config: Loaded<Config>,
  memory_bytes = Math.min(process.constrainedMemory() || Infinity, totalmem()),
): Check[] {
  if (!config.ok || !config.value.sources.openbase.enabled) return [];
  const { memory_mb } = config.value.sources.openbase;
  const text = `up to ${memory_mb} MB of ${Math.floor(memory_bytes / MB)} MB`;
  if (memory_mb * MB <= MOST_SHARE * memory_bytes) return [toCheck("base memory", "ok", text)];
  return [toCheck("base memory", "warning", `${text}: lower sources.openbase.memory_mb`)];
}
