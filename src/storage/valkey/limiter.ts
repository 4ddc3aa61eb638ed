/**
 * RateLimiter of a fleet (ports.ts): the store counts, in one round trip. When it does not answer,
 * this replica admits its share by itself (reliability 6.3, "insurance").
 *
 * The share is charged all the time, whoever decides: so what a caller has spent already is not
 * given to him again when the store goes away. What is given up: a fleet that finds the store again
 * has forgotten what it admitted meanwhile; and in a cluster buckets of different blocks are charged
 * each by itself. Those of one address have the same block.
 */
import type { Bucket } from "#core/limits/address.ts";
import { combine, toInterval_us, toMicros, toVerdict, type Verdict } from "#core/limits/gcra.ts";
import type { RateLimiter } from "#ports.ts";
import type { Argument, Client } from "./client.ts";
import { ADMIT } from "./limiter-script.ts";

export type LimiterDeps = {
  client: Pick<Client, "run" | "isAway">;
  /** Of names in the store. */
  prefix: string;
  cluster: boolean;
  /** Decides alone while the store does not answer. */
  insurance: { admit(buckets: readonly Bucket[], now_ms: number): Verdict };
  replicas: () => number;
  /** `told`: by what `admit` is told, for tests; else by the store's own. */
  time?: "told";
};

type Call = { keys: string[]; intervals_us: number[]; args: Argument[] };

/** Buckets mostly come as the same arrays again: what is sent for them is made once. */
export function createSharedLimiter(deps: LimiterDeps): RateLimiter {
  const { client, insurance, replicas } = deps;
  const calls = remember((buckets) => toCalls(buckets, deps));
  const shares = remember((buckets) => ({ replicas: 1, buckets }));
  const shareOf = (buckets: readonly Bucket[]): readonly Bucket[] => {
    const share = shares(buckets);
    if (share.replicas === replicas()) return share.buckets;
    share.replicas = replicas();
    return (share.buckets = buckets.map((bucket) => toShare(bucket, share.replicas)));
  };
  return {
    admit(buckets, now_ms) {
      const alone = insurance.admit(shareOf(buckets), now_ms);
      if (buckets.length === 0 || client.isAway()) return alone;
      const now = deps.time === "told" ? toMicros(now_ms) : "";
      const asked = calls(buckets);
      if (asked.length === 1)
        return decide(client, asked[0]!, now).then((all) => judge(all, alone));
      return Promise.all(asked.map((call) => decide(client, call, now))).then((all) =>
        judge(all.includes(null) ? null : (all as Verdict[][]).flat(), alone),
      );
    },
  };
}

function judge(verdicts: Verdict[] | null, alone: Verdict): Verdict {
  return verdicts === null ? alone : combine(verdicts);
}

/** null: the store does not say. */
async function decide(
  client: Pick<Client, "run">,
  { keys, intervals_us, args }: Call,
  now: Argument,
): Promise<Verdict[] | null> {
  const reply = await client.run(ADMIT, { keys, args: [now, ...args] });
  if (!Array.isArray(reply)) return null;
  return reply.map((left_us, i) => toVerdict(left_us as number, intervals_us[i]!));
}

/** One for all; in a cluster one for each block, which is where its nodes divide. */
function toCalls(
  buckets: readonly Bucket[],
  { prefix, cluster }: Pick<LimiterDeps, "prefix" | "cluster">,
): Call[] {
  const tagOf = ({ block, key }: Bucket): string => block ?? key;
  const groups = Map.groupBy(buckets, (bucket) => (cluster ? tagOf(bucket) : ""));
  return [...groups.values()].map((group) => {
    const intervals_us = group.map(({ rate_per_s }) => toInterval_us(rate_per_s));
    return {
      keys: group.map((bucket) => toName(prefix, tagOf(bucket), bucket.key)),
      intervals_us,
      args: group.flatMap(({ burst }, i) => [intervals_us[i]!, burst]),
    };
  });
}

function toName(prefix: string, tag: string, key: string): string {
  return `${prefix}limit:{${tag}}${tag === key ? "" : `:${key}`}`;
}

function toShare({ key, rate_per_s, burst }: Bucket, replicas: number): Bucket {
  return {
    ...{ key, rate_per_s: rate_per_s / replicas },
    burst: Math.max(1, Math.floor(burst / replicas)),
  };
}

function remember<T>(make: (buckets: readonly Bucket[]) => T): (buckets: readonly Bucket[]) => T {
  const known = new WeakMap<readonly Bucket[], T>();
  return (buckets) => {
    let made = known.get(buckets);
    if (made === undefined) known.set(buckets, (made = make(buckets)));
    return made;
  };
}
