/**
 * How many replicas share the store. Each says once a second that it lives, and counts those that
 * have said so of late; while the store is away, the last count holds.
 */
import { detach } from "#kit/guard.ts";
import type { ValkeyClient } from "./valkey-client.ts";
import { LUA_NOW_MS, toScript } from "./scripts.ts";

export type Replicas = {
  /** At least 1. A replica that has never reached the store knows of itself only. */
  count(): number;
  close(): Promise<void>;
};

const BEAT_MS = 1_000;
const LIFE_MS = 3_500;

const BEAT = toScript(`${LUA_NOW_MS}
local now = now_ms()
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
`);

/** `id`: of this replica, different in each. Resolves when it has counted, or could not. */
export async function openReplicas(
  client: Pick<ValkeyClient, "run" | "ask">,
  { key, id, onFault }: { key: string; id: string; onFault: (error: unknown) => void },
): Promise<Replicas> {
  let count = 1;
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  async function beat(): Promise<void> {
    try {
      const reply = await client.run(BEAT, { keys: [key], args: [id, LIFE_MS] });
      if (typeof reply === "number") count = Math.max(1, reply);
    } finally {
      if (!over) timer = setTimeout(next, BEAT_MS).unref();
    }
  }
  const next = (): void => detach(beat(), onFault);
  await beat();
  return {
    count: () => count,
    async close() {
      over = true;
      clearTimeout(timer);
      await client.ask("zrem", [key, id]);
    },
  };
}
