/** Stored datasets are forgotten soon after they have expired, a few at a time (§4.8). */
import type { Clock, Datasets } from "#ports.ts";

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
