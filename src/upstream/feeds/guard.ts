/**
 * Runs what must not throw and might: parsing code of ours, the store on a full disk. A fault
 * becomes a value, so that no refresh is ever lost to an unhandled rejection.
 */
export async function guard<T, F>(
  task: () => T | Promise<T>,
  onFault: (error: unknown) => F,
): Promise<T | F> {
  const [settled] = await Promise.allSettled([Promise.try(task)]);
  return settled.status === "fulfilled" ? settled.value : onFault(settled.reason);
}
