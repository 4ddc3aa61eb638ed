/** SpendStore of a fleet in Valkey; while it does not answer, a replica counts in its own store. */
import type { SpendStore } from "#ports.ts";
import type { ValkeyClient } from "./valkey-client.ts";
import { toScript } from "./scripts.ts";

/** KEYS: the count. ARGV: calls, life in s. Returns the count. */
const ADD = toScript(`
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return count
`);

const LIFE_S = 2 * 86_400;

export function createSharedSpend({
  client,
  prefix,
  insurance,
}: {
  client: Pick<ValkeyClient, "run" | "isAway">;
  prefix: string;
  insurance: SpendStore;
}): SpendStore {
  return {
    async add(provider, day, calls) {
      if (client.isAway()) return insurance.add(provider, day, calls);
      const keys = [`${prefix}spend:{${provider}}:${day}`];
      const reply = await client.run(ADD, { keys, args: [calls, LIFE_S] });
      return typeof reply === "number" ? reply : insurance.add(provider, day, calls);
    },
  };
}
