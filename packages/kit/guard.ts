/**
 * Runs what must not throw and might: code of ours over bytes of strangers, tasks that nothing waits
 * for, a store on a full disk. A fault becomes a value or a line of the log, and ends nothing
 * (ARCHITECTURE.md, Rules: a failure is a value).
 */

/** Reports what was thrown and in which part of the program: its stack is logged, and counted. */
export type NoteFault = (part: string, error: unknown) => void;

/** Runs a task and resolves with its result, or with what `onFault` makes of the error. */
export async function guard<T, F>(
  task: () => T | Promise<T>,
  onFault: (error: unknown) => F,
): Promise<T | F> {
  const [settled] = await Promise.allSettled([Promise.try(task)]);
  return settled.status === "fulfilled" ? settled.value : onFault(settled.reason);
}

/** Runs a task that ends at once, and returns its result or what `onFault` makes of the error. */
export function attempt<T, F>(task: () => T, onFault: (error: unknown) => F): T | F {
  try {
    return task();
  } catch (error) {
    return onFault(error);
  }
}

/**
 * Lets a promise go that nothing waits for. The only way to do so: `void promise` would leave its
 * rejection to the process.
 */
export function detach(promise: PromiseLike<unknown>, onFault: (error: unknown) => void): void {
  promise.then(undefined, onFault);
}

/** Calls `forget` where the promise fails, so that what remembers promises keeps no failure. */
export async function unlessFailed<T>(promise: Promise<T>, forget: () => void): Promise<T> {
  let has_failed = true;
  try {
    const value = await promise;
    has_failed = false;
    return value;
  } finally {
    if (has_failed) forget();
  }
}

const DEFECTS = new Set(["TypeError", "RangeError", "ReferenceError", "SyntaxError"]);

/**
 * Reports whether only code of ours throws it. What systems and libraries throw has a code, and what
 * they refuse is a plain error.
 */
export function isDefect(error: unknown): boolean {
  return error instanceof Error && DEFECTS.has(error.name) && !("code" in error);
}
