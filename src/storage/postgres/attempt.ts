import type { Pool } from "./pool.ts";

/** Runs a task; null where it throws, as the driver does for refusals, timeouts and absence. */
export async function attempt<T>(task: () => Promise<T>): Promise<T | null> {
  try {
    return await task();
  } catch {
    return null;
  }
}

/** Runs a task again where the server refused it: nothing was written, another was in the way. */
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
