/** How long a question waits: until its caller is gone or its time is up, whichever comes first. */
import type { Clock } from "#ports.ts";
import type { Leave } from "#upstream/lookup/flights.ts";

export type Patience = {
  /** Resolves when the question stops waiting. */
  left: Promise<Leave>;
  /** Epoch ms of the clock. */
  until_ms: number;
  /** The question is one of a caller with a key. */
  keyed: boolean;
  /** The question is answered: nothing of it is left behind. */
  end(): void;
};

export function createPatience(
  clock: Clock,
  options: { until_ms: number; signal?: AbortSignal | undefined; keyed?: boolean | undefined },
): Patience {
  const { until_ms, signal, keyed = false } = options;
  const { promise, resolve } = Promise.withResolvers<Leave>();
  const gone = (): void => resolve("ABORTED");
  const cancel = clock.schedule(until_ms, () => resolve("DEADLINE"));
  if (signal?.aborted) gone();
  signal?.addEventListener("abort", gone, { once: true });
  return {
    left: promise,
    ...{ until_ms, keyed },
    end() {
      cancel();
      signal?.removeEventListener("abort", gone);
    },
  };
}
