/** Stored datasets are forgotten soon after they have expired, a few at a time (§4.8). */
import type { Config } from "#config/load.ts";
import type { Clock, Datasets } from "#ports.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MB = 1024 * 1024;

/** How long datasets are kept, and bytes of those without a key. */
export function retentionOf({
  anonymous_min,
  anonymous_h,
  keyed_h,
  anonymous_mb,
}: Config["datasets"]) {
  const read_again = anonymous_h * HOUR_MS;
  return {
    retention_ms: {
      anonymous: Math.min(anonymous_min * MINUTE_MS, read_again),
      read_again,
      keyed: keyed_h * HOUR_MS,
    },
    anonymous_bytes: anonymous_mb * MB,
  };
}

/** A service that has just started has other things to do. */
const FIRST_MS = 60_000;
const EVERY_MS = 60_000;
/** While there are more, so that answers and puts come in between. */
const NEXT_MS = 250;
/** Calls of the store in one turn. */
const CALLS_PER_TURN = 4;

/** Has expired datasets forgotten; returns how to stop. `onFault` is called when the store cannot. */
export function forgetExpired(
  datasets: Pick<Datasets, "forget">,
  clock: Clock,
  onFault: () => void,
): () => void {
  const ended = new AbortController();
  const step = async (): Promise<void> => {
    let more = false;
    try {
      // What it throws is for the clock, and the next turn comes all the same.
      more = await turn(clock.now());
    } finally {
      if (!ended.signal.aborted)
        cancel = clock.schedule(clock.now() + (more ? NEXT_MS : EVERY_MS), step);
    }
  };
  async function turn(now_ms: number): Promise<boolean> {
    for (let calls = 0; calls < CALLS_PER_TURN; calls++) {
      const result = await datasets.forget(now_ms);
      if (ended.signal.aborted) return false;
      if (result === "unavailable") onFault();
      if (result !== "more") return false;
    }
    return true;
  }
  let cancel = clock.schedule(clock.now() + FIRST_MS, step);
  return () => {
    ended.abort();
    cancel();
  };
}
