/**
 * The one place that says success, empty or partial (§3, R14): a failure never becomes an empty
 * list, and an unknown never becomes a nothing.
 */
import type { SourceStatus } from "#core/outcome.ts";

/** One source that was asked, and how it went. */
export type AskedSource = {
  source_id: string;
  status: SourceStatus;
  /** Machine token; null when ok. */
  reason: string | null;
};

export type CoverageInput = {
  asked: readonly AskedSource[];
  /** Families that were asked for and that no source of this deployment serves. */
  unserved: readonly string[];
  /** Types of services not held near the point yet, for which no source may be asked there. */
  unheld?: readonly string[];
  /** Something was looked up in held data, so that no source was asked. */
  held?: boolean;
  /** Systems of the point's country whose whereabouts are not known yet. */
  unsurveyed: number;
  /** Lists of systems that could never be read: what they would name may be anywhere. */
  unread?: readonly { name: string; problem: string | null }[];
  /** Results of any kind. */
  found: number;
  radius_m: number;
};

export type Coverage = {
  status: "success" | "empty" | "partial";
  /** One English sentence when the status is not success (decisions, Conventions). */
  message: string | null;
};

export function judgeCoverage(input: CoverageInput): Coverage {
  const gaps = describeGaps(input);
  if (gaps) return { status: "partial", message: `The answer may be incomplete: ${gaps}.` };
  if (input.found > 0) return { status: "success", message: null };
  const message =
    input.asked.length || input.held
      ? `Nothing was found within ${input.radius_m} metres.`
      : "No source covers this point.";
  return { status: "empty", message };
}

function describeGaps({
  asked,
  unserved,
  unheld = [],
  unsurveyed,
  unread = [],
}: CoverageInput): string {
  const gaps: string[] = [];
  const failed = asked.filter((source) => source.status !== "ok").length;
  if (failed) gaps.push(`${failed} of ${plural(asked.length, "source")} could not be read in time`);
  if (unsurveyed)
    gaps.push(
      `${plural(unsurveyed, "system")} of the area ${unsurveyed === 1 ? "has" : "have"} not been surveyed yet`,
    );
  for (const { name, problem } of unread)
    gaps.push(
      problem === null ? `${name} has not been read yet` : `${name} could not be read (${problem})`,
    );
  if (unheld.length) gaps.push(`services not yet known here: ${unheld.join(", ")}`);
  if (unserved.length) gaps.push(`no source of ${unserved.join(" or ")} is enabled`);
  return gaps.join(", and ");
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
