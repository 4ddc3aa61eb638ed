/** Claims of work over Valkey (ports/claims.ts): a key that is set where there is none, and expires. */
import { randomUUID } from "node:crypto";
import { detach } from "#kit/guard.ts";
import type { Claim, Claims } from "#ports/claims.ts";
import type { ValkeyClient } from "./valkey-client.ts";
import { toScript } from "./scripts.ts";

/** KEYS: the claim. ARGV: its holder. */
const END = toScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`);

export type ClaimsDeps = {
  client: Pick<ValkeyClient, "ask" | "run" | "isDoubtful" | "settled">;
  prefix: string;
};

/** A search may wait longer for its claim than a request for its rate: it is executed but once. */
const TIMEOUT_MS = 1_000;

export function createSharedClaims({ client, prefix }: ClaimsDeps): Claims {
  const toClaim = (name: string, holder: string): Claim => ({
    end: async () => void (await client.run(END, { keys: [name], args: [holder] })),
  });
  return {
    async claim(key, life_ms) {
      const name = `${prefix}work:{${Buffer.from(key).toString("base64url")}}`;
      const holder = randomUUID();
      if (client.isDoubtful()) await client.settled(TIMEOUT_MS);
      const args = [name, holder, "NX", "PX", Math.ceil(life_ms)];
      const reply = await client.ask("set", args, { timeout_ms: TIMEOUT_MS });
      if (reply === "unreachable") {
        // It may have been set all the same; if it cannot be ended, it expires.
        detach(toClaim(name, holder).end(), () => undefined);
        return reply;
      }
      return reply === null ? "held" : toClaim(name, holder);
    },
  };
}
