/** How many threads serve (docs/workers.md), and where several cannot. */
import { availableParallelism } from "node:os";

/** `auto` is one a core, up to this number. */
const AUTO_MAX = 4;

export function countWorkers(
  workers: number | "auto" = 1,
  cores: number = availableParallelism(),
): number {
  return workers === "auto" ? Math.min(cores, AUTO_MAX) : workers;
}

type Deployment = { store_url: string | null; shared_url: string | null };

/** Why that many cannot serve here, in one line; null: they can. */
export function findWorkersProblem(
  workers: number,
  { store_url, shared_url }: Deployment,
  platform: string = process.platform,
): string | null {
  if (workers === 1) return null;
  if (platform !== "linux")
    return `--workers: several threads listen at one port on Linux alone, and this is ${platform}: leave it out`;
  if (store_url !== null)
    return "--workers: not with VICINITY_STORE_URL yet: run replicas instead (docs/fleet.md)";
  if (shared_url !== null)
    return "--workers: not with VICINITY_SHARED_URL yet: run replicas instead (docs/fleet.md)";
  return null;
}
