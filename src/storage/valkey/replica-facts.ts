/**
 * What each replica says of itself to the others: a small text, kept for a minute after the replica
 * has said it the last time. One key for all, so that a cluster has it in one place.
 */
import type { OtherTexts } from "#ports/replica-texts.ts";
import type { ValkeyClient } from "./valkey-client.ts";
import { LUA_NOW_MS, toScript } from "./scripts.ts";

const LIFE_MS = 60_000;

/** KEYS: the facts. ARGV: id, text, life in ms. Returns ids and texts; each is kept behind its time. */
const REPORT = toScript(`${LUA_NOW_MS}
local now = now_ms()
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. ' ' .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
local reply = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local space = string.find(all[i + 1], ' ', 1, true)
  if now - tonumber(string.sub(all[i + 1], 1, space - 1)) > tonumber(ARGV[3]) then
    redis.call('HDEL', KEYS[1], all[i])
  else
    reply[#reply + 1] = all[i]
    reply[#reply + 1] = string.sub(all[i + 1], space + 1)
  end
end
return reply
`);

export class ReplicaFacts {
  readonly #client: Pick<ValkeyClient, "run" | "ask">;
  readonly #key: string;
  readonly #id: string;

  /** `id`: of this replica, different in each. */
  constructor(client: Pick<ValkeyClient, "run" | "ask">, { key, id }: { key: string; id: string }) {
    this.#client = client;
    this.#key = key;
    this.#id = id;
  }

  /** Says what holds here, and returns what the other replicas say; null: the store did not answer. */
  async report(text: string): Promise<OtherTexts | null> {
    const args = [this.#id, text, LIFE_MS];
    const reply = await this.#client.run(REPORT, { keys: [this.#key], args });
    if (!Array.isArray(reply)) return null;
    const flat = reply.map(String);
    const pairs = flat.flatMap((id, i): [string, string][] =>
      i % 2 === 0 && id !== this.#id ? [[id, flat[i + 1]!]] : [],
    );
    return new Map(pairs);
  }

  /** Takes back what was said: a replica that has ended differs from nothing. */
  async withdraw(): Promise<void> {
    await this.#client.ask("hdel", [this.#key, this.#id]);
  }
}
