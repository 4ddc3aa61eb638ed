/** What the answer of changes_since says beyond its counts: how far it reaches, and what it cannot know. */
import { isPartial, judgeStatus, type CoverageStatus } from "#core/coverage.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { Changes, Side } from "#core/changes/compare-datasets.ts";
import { type RequestedMembers, listFilters } from "#core/changes/change-question.ts";
import type { ComparedItem } from "#core/changes/side.ts";
import { sayMetres } from "#core/notices.ts";
import { cutText } from "#kit/text/cut.ts";
import { toBriefName } from "./brief.ts";

/** Two stored searches and what came of comparing them. */
export type Comparison = {
  changes: Changes<ComparedItem>;
  before: Side<ComparedItem>;
  after: Side<ComparedItem>;
  from: NearbyBodyValue;
  to: NearbyBodyValue;
  requested: RequestedMembers & { include: readonly string[] };
  elapsed_s: number | null;
};

type StatusWords = { status: CoverageStatus; message?: string; notices?: string[] };

/** The status of the comparison, a sentence for all but a success, and notices. */
export function sayChanges(comparison: Comparison): StatusWords {
  const { changes, from, to } = comparison;
  const { entered, left, changed, unknown, reach } = changes;
  const notices = listNotices(comparison);
  const reported = notices.length === 0 ? {} : { notices };
  const status = judgeStatus({
    isIncomplete: unknown.length > 0 || isPartial(from) || isPartial(to),
    found: entered.length + left.length + changed.length > 0,
  });
  if (status === "success") return { status, ...reported };
  if (isPartial({ status })) return { status, message: sayPartial(unknown.length), ...reported };
  const message = `Nothing changed within ${sayMetres(reach.radius_m)}.`;
  return { status, message, ...reported };
}

function sayPartial(unknown: number): string {
  return unknown === 0
    ? "The comparison may be incomplete: one of the two answers is partial."
    : `The comparison is incomplete: of ${unknown} ${unknown === 1 ? "object" : "objects"} it is not known whether they changed.`;
}

function listNotices(comparison: Comparison): string[] {
  const { from, to, requested } = comparison;
  const filters = listFilters(requested);
  const uncompared = UNCOMPARED.filter((family) => requested.include.includes(family));
  return [
    sayReach(comparison),
    sayUnreliable(comparison),
    isPartial(from) ? sayMessage("earlier", from.message) : null,
    isPartial(to) ? sayMessage("later", to.message) : null,
    filters.length === 0
      ? null
      : `The search has filters (${filters.join(", ")}): what entered or left may only have begun or ceased to fit them.`,
    uncompared.length === 0 ? null : `Not compared: ${uncompared.join(", ")}.`,
  ].filter((notice) => notice !== null);
}

const UNCOMPARED = ["lines", "alerts", "zones"] as const;

function sayReach({ changes: { reach, beyond }, from, to }: Comparison): string | null {
  if (!reach.isCut) return null;
  const cut = [from, to].find(({ total, limit }) => total > limit)!;
  return `Compared within ${sayMetres(reach.radius_m)} only: a dataset keeps the nearest ${cut.limit}, and there were ${cut.total}. Of ${beyond} beyond nothing is said.`;
}

/** Named at most; the others are counted. */
const SOURCES_MAX = 3;

function sayUnreliable({ changes, before, after }: Comparison): string | null {
  const of = new Set(changes.unknown.flatMap(({ sources }) => sources));
  const doubtful = [...of].flatMap((source) => {
    const times = [
      ...(before.reliable.has(source) ? [] : ["the earlier"]),
      ...(after.reliable.has(source) ? [] : ["the later"]),
    ];
    return times.length === 0 ? [] : [`${toBriefName(source)} (${times.join(" and ")})`];
  });
  if (doubtful.length === 0) return null;
  const more = doubtful.length - SOURCES_MAX;
  const name = doubtful.slice(0, SOURCES_MAX).join(", ");
  const others = more > 0 ? ` and ${more} more` : "";
  return `Failed, old or not asked: ${name}${others}. Their objects are unknown, neither entered nor left.`;
}

/** Characters of a message of one of the two. */
const MESSAGE_MAX = 240;

function sayMessage(which: string, message: string | undefined): string | null {
  return message === undefined ? null : `The ${which} answer: ${cutText(message, MESSAGE_MAX)}`;
}
