/** Imported data that an answer was made of (an addition): of when, and under which licence. */
import { Type, type Static } from "typebox";
import { PREVIEW } from "./preview.ts";
import { closed, Nullable, Text, Timestamp } from "./primitives.ts";

export const BaseStatement = Type.Object(
  {
    id: { ...Text, description: "Id of the base, as `vicinity bases` lists it." },
    data_at: Nullable({ ...Timestamp, description: "State of the map that it shows." }),
    licence: Nullable(Text),
    attribution: Nullable(Text),
  },
  {
    ...PREVIEW,
    description: "The imported extract of the open map that answered.",
    ...closed,
  },
);
export type BaseStatementBody = Static<typeof BaseStatement>;
