/** Arguments of a tool of /mcp that are not applied as they were given (docs/agents.md, Answers). */
import { type Static, type TProperties, Type } from "typebox";
import { closed, Nullable, Text } from "./primitives.ts";

const AppliedWarning = Type.Object(
  {
    argument: Text,
    requested: Type.Union([Type.Number(), Text, Type.Array(Text)]),
    applied: Nullable(Type.Number({ description: "null: it has no effect on this search." })),
  },
  closed,
);
export type AppliedWarning = Static<typeof AppliedWarning>;

/** Of every answer. */
export const warningsMember = {
  warnings: Type.Optional(
    Type.Array(AppliedWarning, {
      minItems: 1,
      description: "Arguments that are not applied as they were given.",
    }),
  ),
} satisfies TProperties;
