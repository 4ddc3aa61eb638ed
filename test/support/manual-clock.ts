/** A clock that is stopped until a test moves it. */
import { type AdjustableClock, assembleClock, createAgenda, settle } from "#process/clock.ts";

/** No real timers: `now()` moves only with `advance`. */
export function createManualClock(start_ms: number): AdjustableClock {
  let now_ms = start_ms;
  const now = (): number => now_ms;
  const agenda = createAgenda(() => {});
  return assembleClock(now, agenda, (ms) => {
    now_ms += ms;
    return settle(agenda, now);
  });
}
