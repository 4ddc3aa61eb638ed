/** GET /v1/sources/{id}/quality: one source, both spans of its history, and what was found wrong. */
import type { ReplyAt } from "#api/operations.ts";
import { isEventful } from "#core/history/history-rings.ts";
import { adviseOnReason } from "#core/quality/advice.ts";
import type { Effect, Finding, SourceFindings } from "#core/quality/findings.ts";
import type { SourceItem } from "./answer-types.ts";
import type { SourceHistory, SourceSpan } from "./source-history.ts";
import type { SourceQuality } from "./source-quality.ts";

type Reply = ReplyAt<"/v1/sources/{id}/quality">;
type Deps = {
  findSource(id: string): SourceItem | null;
  history: Pick<SourceHistory, "read">;
  quality: Pick<SourceQuality, "read">;
  now(): number;
};

/** null: there is no source of this id. */
export type ReadQuality = (source_id: string) => Reply | null;

export function createReadQuality({ findSource, history, quality, now }: Deps): ReadQuality {
  return (source_id) => {
    const source = findSource(source_id);
    if (!source) return null;
    const now_ms = now();
    const { day, month } = history.read(source_id);
    const found = quality.read(source_id);
    const requested = [day, month].some(({ slots }) =>
      slots.some((slot) => slot && isEventful(slot)),
    );
    return {
      source,
      generated_at: toTime(now_ms),
      requested,
      last_24_hours: toSpan(day, now_ms),
      last_30_days: toSpan(month, now_ms),
      last_reading_at: found && toTime(found.last_ms),
      dropped: toFindings(found, "dropped"),
      repaired: toFindings(found, "repaired"),
      contradictions: toFindings(found, "contradiction"),
    };
  };
}

function toSpan(
  { from_ms, step_ms, slots, age }: SourceSpan,
  now_ms: number,
): Reply["last_24_hours"] {
  let attempts = 0;
  let failures = 0;
  for (const slot of slots) {
    attempts += slot?.attempts ?? 0;
    failures += slot?.failures ?? 0;
  }
  return {
    from: toTime(from_ms),
    until: toTime(now_ms),
    step_s: step_ms / 1000,
    attempts,
    failures,
    availability: attempts === 0 ? null : (attempts - failures) / attempts,
    age,
    slots,
  };
}

function toFindings(found: SourceFindings | null, effect: Effect): Reply["dropped"] {
  return found && found.findings.filter((each) => each.effect === effect).map(toFinding);
}

function toFinding(finding: Finding): NonNullable<Reply["dropped"]>[number] {
  const { reason, part, count, readings, current, examples, first_ms, last_ms } = finding;
  return {
    reason,
    part,
    count,
    readings,
    current,
    examples: examples.filter((example) => example !== ""),
    ...adviseOnReason(reason),
    first_at: toTime(first_ms),
    last_at: toTime(last_ms),
  };
}

function toTime(epoch_ms: number): string {
  return new Date(epoch_ms).toISOString();
}
