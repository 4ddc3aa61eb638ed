/** Which of several places serves an intent best. */
import type { RANKED_INTENTS } from "#api/agent-compare.ts";
import type { Counts } from "./count-groups.ts";

export type RankedIntent = (typeof RANKED_INTENTS)[number];

/**
 * Returns the rank of each place, 1 the best, equal counts equal ranks; null: nothing is known of
 * it. `places` are null where a place could not be counted.
 */
export function rankPlaces(
  places: readonly (Counts | null)[],
  intent: RankedIntent,
): (number | null)[] {
  const member = intent === "pickup" ? "vehicles" : "docks";
  const amounts = places.map((counts) => counts?.[member] ?? null);
  return amounts.map((amount) =>
    amount === null ? null : 1 + amounts.filter((other) => other !== null && other > amount).length,
  );
}
