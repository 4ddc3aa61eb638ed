/** What a ride costs by a plan of the simulator, counted minute by minute and without its kilometres. */
import type { listPlans } from "../../sandbox/gbfs/plans.ts";

type Plan = ReturnType<typeof listPlans>[number];

/** `minutes`: whole ones that have begun. */
export function fareOf({ unlock, by_minute }: Plan, minutes: number): number {
  let fare = unlock;
  for (let at = 0; at < minutes; at++)
    for (const { start, rate, interval, end = Infinity } of by_minute)
      if (at >= start && at < end && (at - start) % interval === 0) fare += rate;
  return fare;
}
