/**
 * SharedAnswers (ports.ts) over Valkey: an answer and the claim to fetch it, both under one hash tag.
 * Names are hashes, so that the store shows no questions, and include the release: another version
 * of the program may give a text another meaning.
 */
import { hash, randomUUID } from "node:crypto";
import type { AnswerClaim, KeptAnswer, SharedAnswers } from "#ports.ts";
import type { ValkeyClient, ValkeyReply } from "./valkey-client.ts";
import { toScript } from "./scripts.ts";
import type { Subscriber } from "./subscriber.ts";

export type AnswersDeps = {
  client: ValkeyClient;
  subscriber: Subscriber;
  prefix: string;
  channel: string;
  /** Release of the program. */
  release: string;
};

/** Larger answers are fetched by each replica: they would keep short commands waiting. */
const TEXT_BYTES_MAX = 1024 * 1024;

/** KEYS: the answer. Returns it and how long it still lives, ms; the first is nil: there is none. */
const READ = toScript(`
return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}
`);

/** KEYS: the answer, the claim. ARGV: token, life in ms. As READ; nil: another has the claim. */
const CLAIM = toScript(`
if not redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return nil end
return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}
`);

/**
 * KEYS: the answer, the claim. ARGV: token, channel, name, the answer or "", its life in ms. The
 * answer of a lost claim is kept too; the notice of the end is sent only by the holder of the
 * claim.
 */
const END = toScript(`
if ARGV[4] ~= '' then redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5]) end
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
`);

/** Creates the answers that a fleet shares; `close` ends its notices. */
export function createSharedAnswers(deps: AnswersDeps): SharedAnswers & { close(): void } {
  const { client, subscriber, prefix, channel, release } = deps;
  const waiting = new Map<string, Set<() => void>>();
  const unlisten = subscriber.listen(channel, (name) => {
    for (const listener of [...(waiting.get(name) ?? [])]) listener();
  });
  const nameOf = (key: string): string => hash("sha256", `${release} ${key}`, "base64url");
  const keysOf = (name: string): string[] =>
    ["answer", "claim"].map((part) => `${prefix}${part}:{${name}}`);
  const toClaim = (name: string, token: string, kept: KeptAnswer | null): AnswerClaim => ({
    kept,
    async end(answer) {
      const fits = answer !== null && Buffer.byteLength(answer.text) <= TEXT_BYTES_MAX;
      const [text, life_ms] = fits ? [toStored(answer), Math.ceil(answer.life_ms)] : ["", 0];
      const args = [token, channel, name, text, life_ms];
      await client.run(END, { keys: keysOf(name), args });
    },
  });
  return {
    async read(key) {
      const reply = await client.run(READ, { keys: keysOf(nameOf(key)).slice(0, 1), args: [] });
      return reply === "unreachable" ? reply : fromStored(reply);
    },
    async claim(key, life_ms) {
      const [name, token] = [nameOf(key), randomUUID()];
      const args = [token, Math.ceil(life_ms)];
      const reply = await client.run(CLAIM, { keys: keysOf(name), args });
      if (reply === "unreachable") return reply;
      return reply === null ? "held" : toClaim(name, token, fromStored(reply));
    },
    watch(key, listener) {
      const name = nameOf(key);
      const all = waiting.getOrInsertComputed(name, () => new Set());
      const own = (): void => listener();
      all.add(own);
      return () => {
        all.delete(own);
        if (all.size === 0 && waiting.get(name) === all) waiting.delete(name);
      };
    },
    close: unlisten,
  };
}

/** Its life is stored with it: from the rest of that, the store's own clock gives its age. */
function toStored({ text, life_ms }: { text: string; life_ms: number }): string {
  return `${Math.ceil(life_ms)} ${text}`;
}

function fromStored(reply: ValkeyReply): KeptAnswer | null {
  const [stored, left_ms] = reply as [Buffer | null, number];
  if (stored === null) return null;
  const text = stored.toString();
  const space = text.indexOf(" ");
  const age_ms = Math.max(0, Number(text.slice(0, space)) - left_ms);
  return { text: text.slice(space + 1), age_ms };
}
