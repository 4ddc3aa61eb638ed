import { isDefect } from "#kit/guard.ts";
import type { Pool } from "./pool.ts";

/**
 * Runs a task; null where it throws, as the driver does for refusals, timeouts and absence. What
 * only code of ours throws is reported with its stack, since the store has nothing to do with it.
 */
export async function attemptQuery<T>(
  pool: Pick<Pool, "noteDefect">,
  task: () => Promise<T>,
): Promise<T | null> {
  try {
    return await task();
  } catch (error) {
    if (isDefect(error)) pool.noteDefect(error);
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
