/** Claims of work over Valkey (ports/claims.ts): a key that is set where there is none, and expires. */
import { randomUUID } from "node:crypto";
import type { Claim, Claims } from "#ports/claims.ts";
import type { Client } from "./client.ts";
import { toScript } from "./scripts.ts";

/** KEYS: the claim. ARGV: its holder. */
const END = toScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`);

export type ClaimsDeps = { client: Pick<Client, "ask" | "run">; prefix: string };

export function createSharedClaims({ client, prefix }: ClaimsDeps): Claims {
  const toClaim = (name: string, holder: string): Claim => ({
    end: async () => void (await client.run(END, { keys: [name], args: [holder] })),
  });
  return {
    async claim(key, life_ms) {
      const name = `${prefix}work:{${Buffer.from(key).toString("base64url")}}`;
      const holder = randomUUID();
      const reply = await client.ask("set", [name, holder, "NX", "PX", Math.ceil(life_ms)]);
      if (reply === "unreachable") return reply;
      return reply === null ? "held" : toClaim(name, holder);
    },
  };
}
