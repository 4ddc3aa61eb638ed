/** What access control keeps in memory is written in time. */
import { every } from "#kit/every.ts";
import type { Clock } from "#ports.ts";

const METER_MS = 1_000;
const KEYRING_MS = 60_000;

type Flushed = { flush(): void };

/** Has the sums of a meter, and uses of keys, written regularly; returns how to write them for the last time. */
export function flushRegularly(
  { meter, keyring }: { meter: Flushed; keyring: Flushed },
  clock: Pick<Clock, "now" | "schedule">,
): () => void {
  const cancels = [
    every(clock, METER_MS, () => meter.flush()),
    every(clock, KEYRING_MS, () => keyring.flush()),
  ];
  return () => {
    for (const cancel of cancels) cancel();
    meter.flush();
    keyring.flush();
  };
}
