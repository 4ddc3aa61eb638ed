import type { Pool } from "./pool.ts";

/** PostgreSQL tells of refusals, timeouts and its absence by what the driver throws, only. */
export async function attempt<T>(task: () => Promise<T>): Promise<T | null> {
  try {
    return await task();
  } catch {
    return null;
  }
}

/** Once more where the server refused it: then nothing was written, and another was in the way. */
export async function attemptTwice<T>(
  pool: Pick<Pool, "isRefusal">,
  task: () => Promise<T>,
): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!pool.isRefusal(error)) throw error;
    return task();
  }
}
