/**
 * RateLimiter of a fleet (ports.ts): the store counts, in one round trip. When it does not answer,
 * this replica admits its share by itself (reliability 6.3, "insurance").
 *
 * The share is charged all the time, also while the store decides: so a caller does not get again
 * what it has spent already when the store goes away; and what was admitted meanwhile is charged
 * when it is back (debts.ts). Two limits remain: a store that has lost its data gives each caller
 * one burst more; and in a cluster buckets of different blocks are charged each by itself. Those of
 * one address have the same block.
 */
import { detach } from "#kit/guard.ts";
import type { Bucket } from "#core/limits/address-block.ts";
import {
  combine,
  toInterval_us,
  toMicros,
  toVerdict,
  type BucketAdmission,
} from "#core/limits/gcra.ts";
import type { RateLimiter } from "#ports.ts";
import type { Argument, ValkeyClient } from "./valkey-client.ts";
import { createDebts, type Debts } from "./debts.ts";
import { ADMIT, CHARGE } from "./limiter-script.ts";

export type LimiterDeps = {
  client: Pick<ValkeyClient, "run" | "isAway">;
  /** Prefix of names in the store. */
  prefix: string;
  cluster: boolean;
  /** Decides alone while the store does not answer. */
  insurance: {
    admit(buckets: readonly Bucket[], now_ms: number): BucketAdmission;
    charge(buckets: readonly Bucket[], tokens: number, now_ms: number): void;
  };
  replicas: () => number;
  /** `given`: the time passed to `admit`, for tests; absent: the store's own. */
  time?: "given";
};

/** `limits`: interval in µs and burst of each. */
type Call = { buckets: readonly Bucket[]; keys: string[]; limits: [number, number][] };

/** Creates the limiter. Buckets mostly come as the same arrays: their arguments are made once. */
export function createSharedLimiter(deps: LimiterDeps): RateLimiter {
  const { client, insurance, replicas } = deps;
  const debts = createDebts();
  const calls = remember((buckets) => toCalls(buckets, deps));
  const shares = remember((buckets) => ({ replicas: 1, buckets }));
  const shareOf = (buckets: readonly Bucket[]): readonly Bucket[] => {
    const share = shares(buckets);
    if (share.replicas === replicas()) return share.buckets;
    share.replicas = replicas();
    return (share.buckets = buckets.map((bucket) => toShare(bucket, share.replicas)));
  };
  const sentAt = (now_ms: number): Argument => (deps.time === "given" ? toMicros(now_ms) : "");
  return {
    charge(buckets, tokens, now_ms) {
      insurance.charge(shareOf(buckets), tokens, now_ms);
      if (client.isAway()) return debts.note(buckets, now_ms, tokens);
      for (const { keys, limits } of calls(buckets)) {
        const args = [sentAt(now_ms), ...limits.flatMap((limit) => [...limit, tokens])];
        // Only answers that took long are charged, so that a round trip each is little compared to them.
        // A store that did not answer in time has mostly received it.
        detach(client.run(CHARGE, { keys, args }), () => undefined);
      }
    },
    admit(buckets, now_ms) {
      const alone = insurance.admit(shareOf(buckets), now_ms);
      if (buckets.length === 0) return alone;
      if (client.isAway()) {
        if (alone.admitted) debts.note(buckets, now_ms);
        return alone;
      }
      const at = { now_ms, sent: sentAt(now_ms) };
      const requests = calls(buckets).map((call) => decide(client, call, { debts, at }));
      // A store that did not answer in time has mostly received it nonetheless: it is not owed.
      return (requests.length === 1 ? requests[0]! : all(requests)).then((verdicts) =>
        verdicts === null ? alone : combine(verdicts),
      );
    },
  };
}

/** null: of one of them nothing is known. */
async function all(
  admissions: readonly Promise<BucketAdmission[] | null>[],
): Promise<BucketAdmission[] | null> {
  const verdicts = await Promise.all(admissions);
  return verdicts.includes(null) ? null : (verdicts as BucketAdmission[][]).flat();
}

/** null: the store does not say. */
async function decide(
  client: Pick<ValkeyClient, "run">,
  { buckets, keys, limits }: Call,
  { debts, at }: { debts: Debts; at: { now_ms: number; sent: Argument } },
): Promise<BucketAdmission[] | null> {
  const owed = debts.isEmpty() ? null : debts.take(buckets, at.now_ms);
  const args = [at.sent, ...limits.flatMap((limit, i) => [...limit, owed?.[i] ?? 0])];
  const reply = await client.run(ADMIT, { keys, args });
  if (!Array.isArray(reply)) return null;
  return reply.map((left_us, i) => toVerdict(left_us as number, limits[i]![0]));
}

/** Makes one call for all buckets; in a cluster one for each block, which may be on another node. */
function toCalls(
  buckets: readonly Bucket[],
  { prefix, cluster }: Pick<LimiterDeps, "prefix" | "cluster">,
): Call[] {
  const tagOf = ({ block, key }: Bucket): string => block ?? key;
  const groups = Map.groupBy(buckets, (bucket) => (cluster ? tagOf(bucket) : ""));
  return [...groups.values()].map((group) => {
    return {
      buckets: group,
      keys: group.map((bucket) => toName(prefix, tagOf(bucket), bucket.key)),
      limits: group.map(({ rate_per_s, burst }) => [toInterval_us(rate_per_s), burst]),
    };
  });
}

function toName(prefix: string, tag: string, key: string): string {
  return `${prefix}limit:{${tag}}${tag === key ? "" : `:${key}`}`;
}

function toShare({ key, rate_per_s, burst }: Bucket, replicas: number): Bucket {
  return {
    key,
    rate_per_s: rate_per_s / replicas,
    burst: Math.max(1, Math.floor(burst / replicas)),
  };
}

function remember<T>(make: (buckets: readonly Bucket[]) => T): (buckets: readonly Bucket[]) => T {
  const cache = new WeakMap<readonly Bucket[], T>();
  return (buckets) => {
    let made = cache.get(buckets);
    if (made === undefined) cache.set(buckets, (made = make(buckets)));
    return made;
  };
}
