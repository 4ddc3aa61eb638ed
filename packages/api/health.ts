/** GET /health (§2.1). */
import { Type, type Static } from "typebox";
import { closed, Text, Timestamp } from "./primitives.ts";

export const Health = Type.Object(
  { status: Type.Literal("ok"), service: Text, version: Text, time: Timestamp },
  { title: "Health", description: "The service answers (§2.1).", ...closed },
);
export type HealthBody = Static<typeof Health>;
