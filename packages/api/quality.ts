/** GET /v1/sources/{id}/quality: how one source did, and what its publisher could do (an addition). */
import { Type, type Static } from "typebox";
import { PREVIEW } from "./preview.ts";
import { closed, Count, Nullable, segmentParameter, Text, Timestamp, TOKEN } from "./primitives.ts";
import { Slot, Source } from "./sources.ts";

export const QUALITY_PARAMETERS = {
  id: {
    ...segmentParameter({
      description:
        "Id of a source, as given by GET /v1/sources or in `source_id` of a result. A slash in it is written `%2F`.",
      example: "gbfs:velib_metropole",
    }),
    schema: Type.String({ minLength: 1 }),
  },
  token: TOKEN,
} as const;

const Seconds = Type.Number({ minimum: 0 });

const Span = Type.Object(
  {
    from: { ...Timestamp, description: "When the first slot begins." },
    until: Timestamp,
    step_s: { ...Count, description: "Length of a slot: 900 of 24 hours, 86400 of 30 days." },
    attempts: { ...Count, description: "Readings or calls that ended in this time." },
    failures: { ...Count, description: "How many of them failed." },
    availability: {
      ...Nullable(Type.Number({ minimum: 0, maximum: 1 })),
      description: "Share of the attempts that succeeded; null: none was made.",
    },
    age: {
      ...Nullable(Type.Object({ p50_s: Seconds, p99_s: Seconds, max_s: Seconds }, closed)),
      description:
        "Age of its data while it was in use: the median, the 99th percentile and the greatest. Of 24 hours those of the oldest of each slot; of 30 days those of a look every 15 minutes, rounded up to classes of age. null: none was seen.",
    },
    slots: Type.Array(Nullable(Slot), {
      description:
        "The oldest first; the last one is under way. null: nothing is known of that time.",
    }),
  },
  { title: "SourceSpan", ...closed },
);

const Finding = Type.Object(
  {
    reason: { ...Text, description: "A machine token, such as `coordinates_zero`." },
    part: {
      ...Nullable(Text),
      description: "The file or operation in which it was found; null: the source has no parts.",
    },
    count: { ...Count, description: "Entities, in the last reading that had any." },
    readings: { ...Count, description: "Readings that had any, since `first_at`." },
    current: Type.Boolean({ description: "Whether the last reading of the part had it." }),
    examples: Type.Array(Text, {
      maxItems: 3,
      description:
        "As the source calls them. Empty of a source that is asked per question: they would show where callers ask.",
    }),
    meaning: { ...Text, description: "What is wrong, in a sentence." },
    advice: { ...Text, description: "What the publisher could do." },
    first_at: Timestamp,
    last_at: Timestamp,
  },
  { title: "SourceFinding", ...closed },
);
const UNREAD = "null: no reading of it says so.";
const Findings = Nullable(Type.Array(Finding));

export const SourceQualityBody = Type.Object(
  {
    source: Source,
    generated_at: Timestamp,
    requested: Type.Boolean({
      description: "Whether it was asked in the last 30 days, as far as is known.",
    }),
    last_24_hours: { ...Span, description: "In slots of 15 minutes." },
    last_30_days: { ...Span, description: "In days of UTC." },
    last_reading_at: {
      ...Nullable(Timestamp),
      description: "Of the last reading that said what it found; null: none has.",
    },
    dropped: { ...Findings, description: `Entities that were left out. ${UNREAD}` },
    repaired: {
      ...Findings,
      description: `Entities that were kept, though a value of them departs from the format. ${UNREAD}`,
    },
    contradictions: {
      ...Findings,
      description: `Statements that cannot be true together; nothing was left out for them. ${UNREAD}`,
    },
  },
  {
    ...PREVIEW,
    title: "SourceQuality",
    description:
      "How a source did, as the process that answers saw it, and what was found wrong in it in the last 30 days.",
    ...closed,
  },
);
export type SourceQualityReply = Static<typeof SourceQualityBody>;
