/** Notices of an answer (decisions, Second edition, Messages): an addition to what §1 says of messages. */
import { Type } from "typebox";
import { closed, Count, Nullable, Text } from "./primitives.ts";
import { PREVIEW } from "./preview.ts";
import { FAILURE_WORDS } from "./sources.ts";

const Notice = Type.Object(
  {
    source: { ...Nullable(Text), description: "Name of the source; null: of no single one." },
    cause: {
      ...Nullable(Type.Enum([...FAILURE_WORDS], { type: "string" })),
      description: "What is wrong, in a word; null: nothing is, or it has no name.",
    },
    age_s: {
      ...Nullable(Count),
      description: "Age of the data shown in place of newer ones; null: none are shown.",
    },
    cut: Nullable(
      Type.Object(
        {
          shown: Count,
          total: { ...Nullable(Count), description: "null: the source does not say." },
          within_m: {
            ...Count,
            description:
              "Distance of the last one shown, in whole metres; of a list by id, by time or by time on foot the radius.",
          },
        },
        { description: "Where results end though there may be more.", ...closed },
      ),
    ),
    message: { ...Text, description: "One sentence for people: show it as it is." },
  },
  { title: "Notice", ...PREVIEW, ...closed },
);

/** At most this many are sent; the message counts the others. */
const NOTICES_MAX = 20;

export const Notices = Type.Array(Notice, {
  ...PREVIEW,
  minItems: 1,
  maxItems: NOTICES_MAX,
  description:
    "Why the answer is not whole or not new, and where it was cut: the reasons behind `message`, and cuts, which a `success` may have as well. Absent when there is nothing to say.",
});
