/**
 * Shape of a search around a point that asks several sources at once: urban services, parking and
 * charging (§4.6, §4.7) and public transport (§4.7a) have the same input, reply and debug block.
 */
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import { type QueriedSource, type Coverage, isPartial, MOST_NOTICES } from "#core/coverage.ts";
import { type Cut, type Notice, ofPageCut, ofSourceCut, toEnded } from "#core/notices.ts";
import type { FailureStatus } from "#kit/outcome.ts";

export type SearchInput<Q> = {
  question: Q;
  /** Time at which the reply must leave, epoch ms. */
  deadline_ms: number;
  /** Aborted when the caller leaves. */
  signal: AbortSignal;
  /** The caller has shown a key: part of what a paid source allows is theirs. */
  keyed?: boolean;
  now_ms: number;
};

export type SearchReply<B = unknown> = {
  body: B;
  /** Seconds the answer may be cached; null: `no-store`. */
  max_age_s: number | null;
  /** Facts that determine its price. */
  metered: { void: boolean; objects: number; maps_categories: number };
};

/** The question cannot be asked: nothing was searched, and it costs nothing. */
export type SearchRefusal = { kind: "refused"; code: "invalid_request"; message: string };

/** `B`: the body of its operation. */
export type Search<Q, B, R = never> = (input: SearchInput<Q>) => Promise<SearchReply<B> | R>;

/** A reply as it is sent: `bytes` are its body in JSON, in UTF-8. */
export type ReadyReply = Omit<SearchReply, "body"> & { bytes: Uint8Array };

/** Answers what needs no wait, as the search does; null: the search has to be asked. */
export type ReadySearch<Q> = (input: SearchInput<Q>) => ReadyReply | null;

/** Outcome of one source, whatever it finds. A failure may come with results held from before. */
export type SourceFinding = {
  /** Key of the debug block: the provider's id. */
  key: string;
  /** As people know it; absent: the key. */
  name?: string;
  status: "ok" | FailureStatus;
  reason: string | null;
  /** Results that the source sent, or holds there. */
  raw: number;
  calls: number;
  cache: "hit" | "miss" | "partial";
  /** Time until which this may be reused, epoch ms; null: it was a failure. */
  good_until_ms: number | null;
  /** When what is shown in spite of a failure was read, epoch ms; null or absent: nothing is. */
  held_at_ms?: number | null;
  /** It answered that it knows nothing of this part of the world. */
  uncovered?: boolean;
  /** It knows a part of the circle only. */
  partly?: boolean;
  /** Where its own list ends, and of what it is one; null or absent: it is whole. */
  cut?: (Cut & { of: string }) | null;
};

export type Applied = { radius_m: number; limit: number };
type Wanted = { radius: number; limit: number };

/** Reduces a radius and a limit to their maxima (§7 rule 3). */
export function clamp(
  { radius, limit }: Wanted,
  limits: { radius_max: number; limit_max: number },
): Applied {
  return {
    radius_m: Math.min(radius, limits.radius_max),
    limit: Math.min(limit, limits.limit_max),
  };
}

/** Sources as the coverage judges them; one that is asked in several ways failed if one of them did. */
export function listQueried(findings: readonly SourceFinding[], now_ms: number): QueriedSource[] {
  const requests = new Map<string, QueriedSource>();
  for (const { key, name = key, status, reason, held_at_ms, ...others } of findings) {
    const before = requests.get(key);
    if (before && before.status !== "ok") continue;
    const { uncovered = false } = others;
    const partly = others.partly === true || before?.partly === true;
    const age_s = held_at_ms == null ? null : Math.max(0, Math.floor((now_ms - held_at_ms) / 1000));
    requests.set(key, { source_id: key, name, status, reason, age_s, uncovered, partly });
  }
  return [...requests.values()];
}

/** Says which sources list no more than their nearest; what is beyond `within_m` is not asked for. */
export function listCuts(
  findings: readonly SourceFinding[],
  within_m = Number.POSITIVE_INFINITY,
): Notice[] {
  return findings.flatMap(({ key, name = key, cut }) =>
    cut && cut.within_m < within_m ? [ofSourceCut(name, cut.of, { ...cut, total: null })] : [],
  );
}

type Services = ReplyAt<"/v1/services/nearby">;
type Debug = NonNullable<Services["debug"]>;
/** Of a circle; a question about one station has no radius. */
export type Radii = Pick<Debug, "requested_radius" | "applied_radius">;

/** Reply before it is rendered. */
type SearchOutcome<I, R> = {
  question: { limit: number; debug: boolean };
  applied: { limit: number };
  radii: R;
  now_ms: number;
  coverage: Coverage;
  findings: readonly SourceFinding[];
  /** The first of what was found. */
  shown: readonly I[];
  /** Where they end though more was found. */
  cuts: readonly Notice[];
  /** Whether a source supplied an item, alone or as one of several observers. */
  isFrom: (item: I, key: string) => boolean;
  maps_categories?: number;
  /** When something in it becomes another, epoch ms; absent: nothing does by itself. */
  good_until_ms?: number;
};

/** Renders the reply; `members`: those of the operation's own, in their order. */
export function toReply<I, R extends Partial<Radii>, M extends object>(
  match: SearchOutcome<I, R>,
  members: M,
): SearchReply<
  Pick<Services, "status" | "message" | "notices"> & M & { debug?: Omit<Debug, keyof Radii> & R }
> {
  const { question, now_ms, coverage, findings, shown, cuts, maps_categories = 0 } = match;
  const complete = !isPartial(coverage) && !question.debug;
  const ends = cuts.map(toEnded);
  const notices = [...coverage.notices.slice(0, MOST_NOTICES - ends.length), ...ends];
  const { good_until_ms = Number.POSITIVE_INFINITY } = match;
  return {
    body: {
      status: coverage.status,
      ...(coverage.message === null ? {} : { message: coverage.message }),
      ...(notices.length === 0 ? {} : { notices }),
      ...members,
      ...(question.debug ? { debug: toDebug(match) } : {}),
    },
    max_age_s: complete ? remaining_s([...findings, { good_until_ms }], now_ms) : null,
    metered: {
      void: isPartial(coverage) && shown.length === 0,
      objects: shown.length,
      maps_categories,
    },
  };
}

/** Says where a list by distance ends, and how to get at what is behind its end. */
export function listPageCuts(
  listed: readonly { distance_meters: number }[],
  total: number,
  limits: Limits,
): Notice[] {
  const last = listed.at(-1);
  if (!last || listed.length === total) return [];
  return [
    ofPageCut(
      { shown: listed.length, total, within_m: last.distance_meters, from: 0 },
      adviseMore(limits),
    ),
  ];
}

type Limits = { limit: number; limit_max: number };

/** How to get at what is behind the end of a list. */
export function adviseMore({ limit, limit_max }: Limits): string {
  return limit < limit_max
    ? `the limit may be up to ${limit_max}`
    : "a smaller radius shows all that it holds";
}

/** Returns the block of §2.7. A provider that is asked in several ways is one, with its worst outcome. */
function toDebug<I, R extends Partial<Radii>>({
  question,
  applied,
  radii,
  findings,
  shown,
  isFrom,
}: SearchOutcome<I, R>): Omit<Debug, keyof Radii> & R {
  const providers: Record<string, Debug["providers"][string]> = {};
  for (const [key, own] of Map.groupBy(findings, (finding) => finding.key)) {
    const failed = own.find(({ status }) => status !== "ok");
    const reason = failed ? failed.reason : own.some(({ uncovered }) => uncovered) && "no_coverage";
    providers[key] = {
      status: failed?.status ?? "ok",
      raw_count: own.reduce((sum, { raw }) => sum + raw, 0),
      returned_count: shown.filter((item) => isFrom(item, key)).length,
      ...(reason ? { reason } : {}),
    };
  }
  const [only = "miss", ...others] = new Set(findings.map(({ cache }) => cache));
  return {
    providers,
    provider_calls: findings.reduce((sum, { calls }) => sum + calls, 0),
    cache: others.length > 0 ? "partial" : only,
    ...radii,
    requested_limit: question.limit,
    applied_limit: applied.limit,
  };
}

/** Whole seconds for which all findings may be reused, up to the bound of the contract. */
export function remaining_s(
  findings: readonly Pick<SourceFinding, "good_until_ms">[],
  now_ms: number,
): number {
  const until = findings.map(({ good_until_ms }) => good_until_ms ?? now_ms);
  const least_s = (Math.min(...until, Number.POSITIVE_INFINITY) - now_ms) / 1000;
  return Math.max(0, Math.min(Math.floor(least_s), LIMITS.cache_max_age_s));
}
