/** Single usage events are kept for so long (reliability 6.3); their totals for ever. */
import { EVENT_RETENTION_MS } from "#core/metering/periods.ts";
import type { Clock } from "#ports.ts";

/** A service that has just started has other things to do. */
const FIRST_MS = 60_000;
const EVERY_MS = 86_400_000;

/** Has old events forgotten, daily; returns how to stop. `forget` never rejects. */
export function forgetDaily(
  forget: (before_ms: number) => Promise<void>,
  clock: Clock,
): () => void {
  let stopped = false;
  const step = async (): Promise<void> => {
    await forget(clock.now() - EVENT_RETENTION_MS);
    if (!stopped) cancel = clock.schedule(clock.now() + EVERY_MS, step);
  };
  let cancel = clock.schedule(clock.now() + FIRST_MS, step);
  return () => {
    stopped = true;
    cancel();
  };
}
