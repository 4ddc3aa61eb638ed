/** Deadline of a request: until its client has gone or its time is up, whichever comes first. */
import type { Failure } from "#kit/outcome.ts";
import type { Clock } from "#ports.ts";
import { fault, isDeadline } from "#upstream/fault.ts";

/** Disposed of, it leaves nothing behind in the clock. */
export type CallDeadline = Disposable & {
  /** Aborted with the reason `DEADLINE` when the time is up, or with the client's own reason. */
  readonly signal: AbortSignal;
};

/** Makes a deadline. `until_ms`: epoch ms of the clock. `client`: aborted when the client has gone. */
export function createDeadline(
  clock: Pick<Clock, "schedule">,
  until_ms: number,
  client?: AbortSignal,
): CallDeadline {
  const ended = new AbortController();
  const cancel = clock.schedule(until_ms, () => ended.abort(fault("DEADLINE")));
  // One signal that is aborted for two reasons costs a fraction of one that is made of two.
  const leave = (): void => ended.abort(client!.reason);
  if (client?.aborted) leave();
  else client?.addEventListener("abort", leave);
  return {
    signal: ended.signal,
    [Symbol.dispose]() {
      cancel();
      client?.removeEventListener("abort", leave);
    },
  };
}

/** The failure of a request that no longer waits. */
export function toAbandoned({ reason }: AbortSignal): Failure {
  return { status: "timeout", reason: isDeadline(reason) ? "deadline" : "aborted" };
}

/** Resolves when the signal is aborted, or is so already. Its end drops the listener. */
export function onAbort(signal: AbortSignal): Disposable & { readonly aborted: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return {
    aborted: promise,
    [Symbol.dispose]: () => signal.removeEventListener("abort", abort),
  };
}

/** Waits for `promise`, but no longer than the signal lasts: then rejects with its reason. */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  using end = onAbort(signal);
  const aborted = end.aborted.then((): never => {
    throw signal.reason;
  });
  return await Promise.race([promise, aborted]);
}
