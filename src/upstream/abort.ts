/** Waits for `promise`, but no longer than the signal lasts: then rejects with its reason. */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const abort = (): void => gone.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, gone.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
