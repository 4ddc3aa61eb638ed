/** Ends the parts of the service in turn, and logs what a slow end waits for. */
import type { Logger } from "pino";

export type Step = readonly [part: string, end: () => unknown];

/** A part that takes longer to end is named in the log. */
const SLOW_MS = 250;

export async function endInTurn(log: Pick<Logger, "info">, steps: readonly Step[]): Promise<void> {
  for (const [part, end] of steps) {
    const begun_ms = performance.now();
    const told = setTimeout(() => log.info({ waiting_for: part }, "closing"), SLOW_MS);
    await end();
    clearTimeout(told);
    const elapsed_ms = Math.round(performance.now() - begun_ms);
    if (elapsed_ms >= SLOW_MS) log.info({ part, elapsed_ms }, "closed a part");
  }
}
