/** GET /v1/me: the caller's plan, scopes, limits and what is left (an addition; decisions, metering). */
import { Type, type Static } from "typebox";
import { closed, Count, Nullable, Text, Timestamp, TOKEN } from "./primitives.ts";

export const ME_PARAMETERS = { token: TOKEN } as const;

const Plan = Type.Object(
  {
    name: Text,
    rate_per_s: Nullable(Type.Number({ exclusiveMinimum: 0 })),
    burst: Nullable(Type.Integer({ minimum: 1 })),
    units: Nullable(Count),
    period: Nullable(Type.Enum(["day", "month"], { type: "string" })),
    hard: Type.Boolean({ description: "Used-up units end the service; else overage is counted." }),
    nearby_limit_max: Count,
    nearby_offset_max: Nullable(Count),
    datasets: Nullable(Count),
  },
  { title: "Plan", description: "What may be asked; null: no bound.", ...closed },
);

export const Me = Type.Object(
  {
    kind: Type.Enum(["anonymous", "keyed"], { type: "string" }),
    account: Nullable(
      Type.Object(
        {
          id: Text,
          standing: Type.Enum(["active", "past_due", "suspended"], { type: "string" }),
        },
        closed,
      ),
    ),
    key: Nullable(Type.Object({ id: Text, scopes: Type.Array(Text) }, closed)),
    plan: Plan,
    usage: Type.Object(
      {
        period: Type.String({ description: "UTC: a day, `2026-11-21`, or a month, `2026-11`." }),
        used: Count,
        remaining: Nullable(Count),
        ends_at: Timestamp,
      },
      { description: "Units of the present period, of the account or address.", ...closed },
    ),
  },
  { title: "Me", description: "The caller, its plan and how many units are left.", ...closed },
);
export type MeBody = Static<typeof Me>;

export const ME_ANONYMOUS_EXAMPLE: MeBody = {
  kind: "anonymous",
  account: null,
  key: null,
  plan: {
    name: "free",
    rate_per_s: 5,
    burst: 50,
    units: 5_000,
    period: "day",
    hard: true,
    nearby_limit_max: 100,
    nearby_offset_max: 1_000,
    datasets: 1_000,
  },
  usage: { period: "2026-11-14", used: 12, remaining: 4_988, ends_at: "2026-11-15T00:00:00Z" },
};

export const ME_KEYED_EXAMPLE: MeBody = {
  kind: "keyed",
  account: { id: "acc_4fJq2Wb8Zt1XyR0", standing: "active" },
  key: { id: "key_9sKd03LmQa7Vbn2", scopes: ["data:read", "geography:read"] },
  plan: {
    name: "developer",
    rate_per_s: 20,
    burst: 100,
    units: 100_000,
    period: "month",
    hard: true,
    nearby_limit_max: 200,
    nearby_offset_max: 10_000,
    datasets: 100_000,
  },
  usage: { period: "2026-11", used: 1_200, remaining: 98_800, ends_at: "2026-12-01T00:00:00Z" },
};
