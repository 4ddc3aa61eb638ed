/** Claims that last as long as the test. */
import type { Claims } from "#ports/claims.ts";

export function createMemoryClaims(now: () => number): Claims {
  const held = new Map<string, { until_ms: number }>();
  return {
    claim: async (key, life_ms) => {
      const name = Buffer.from(key).toString("hex");
      const last = held.get(name);
      if (last !== undefined && last.until_ms > now()) return "held";
      const own = { until_ms: now() + life_ms };
      held.set(name, own);
      return {
        end: async () => {
          if (held.get(name) === own) held.delete(name);
        },
      };
    },
  };
}
