/** An argument of a tool that is not applied as it was given (docs/agents.md, Answers). */
import { type Static, Type } from "typebox";
import { closed, Nullable, Text } from "./primitives.ts";

export const AppliedWarning = Type.Object(
  {
    argument: Text,
    requested: Type.Union([Type.Number(), Text, Type.Array(Text)]),
    applied: Nullable(Type.Number({ description: "null: it has no effect on this search." })),
  },
  closed,
);
export type AppliedWarning = Static<typeof AppliedWarning>;
