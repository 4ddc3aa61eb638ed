/**
 * What holds around a point, apart from its things, in the tools of /mcp (docs/agents.md): lines, notices,
 * zones and prices. Each list is the first of `*_total`, or `total`.
 */
import { type TProperties, Type } from "typebox";
import { DepartureAlert } from "./departures.ts";
import { SystemZones } from "./nearby-additions.ts";
import { Alert, Line } from "./nearby-items.ts";
import { SystemPrices } from "./prices.ts";
import { closed, Count, Nullable, PlaceTime, Text } from "./primitives.ts";

const NullableTime = Nullable(PlaceTime);

/** Most that one answer shows, and of how many characters and bytes. */
export const AROUND = {
  lines_max: 10,
  alerts_max: 5,
  alert_stations_max: 5,
  text_max: 240,
  zones_max: 3,
  rules_max: 3,
  kinds_max: 3,
  plans_max: 3,
  /** Of all of it; what does not fit is counted alone. */
  bytes_max: 3_200,
} as const;

/** Of shared mobility. */
const ShownAlert = Type.Object(
  {
    ...Type.Pick(Alert, ["id", "type", "network_id", "summary", "description", "url"]).properties,
    station_ids: Type.Optional(
      Type.Array(Text, { description: "Which it is about; absent: the whole network." }),
    ),
    station_count: Type.Optional(Count),
    starts_at: NullableTime,
    ends_at: NullableTime,
  },
  closed,
);

const Plan = Type.Pick(SystemPrices.properties.plans.items, [
  ...(["plan_id", "name", "currency", "unlock", "per_minute", "per_hour", "flat"] as const),
  ...(["ride", "text", "url"] as const),
]);

const ShownPrices = Type.Object(
  {
    network: SystemPrices.properties.network,
    plans: Type.Array(
      Type.Object(
        {
          ...Plan.properties,
          vehicle_types: Type.Optional(
            Type.Array(Text, { description: "Kinds that have it, as far as it is stated." }),
          ),
        },
        closed,
      ),
    ),
    total: Count,
  },
  { description: "null: unknown. A plan without steps and fees: get_place.", ...closed },
);

/** Kinds as texts, since a rule may name many. */
const kinds = {
  vehicle_types: Type.Optional(
    Type.Array(Text, { description: "Kinds it is for, the first of them; absent: all." }),
  ),
};
const { rules: AtPoint, zones: Zones } = SystemZones.properties;
const Zone = Zones.items.properties;

const ShownZones = Type.Object(
  {
    ...SystemZones.properties,
    rules: Type.Array(Type.Object({ ...AtPoint.items.properties, ...kinds }, closed)),
    zones: Type.Array(
      Type.Object(
        {
          ...Zone,
          rules: Type.Array(Type.Object({ ...Zone.rules.items.properties, ...kinds }, closed)),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** Of a search of shared mobility, with `include`, on its first page. */
export const aroundMembers = {
  lines: Type.Optional(Type.Array(Type.Pick(Line, ["id", "short_name", "long_name", "mode"]))),
  lines_total: Type.Optional(Count),
  alerts: Type.Optional(Type.Array(ShownAlert)),
  alerts_total: Type.Optional(Count),
  zones: Type.Optional(
    Type.Array(ShownZones, {
      description: "`rules`: what holds at the point. What a rule does not state is unknown.",
    }),
  ),
  zones_total: Type.Optional(Count),
  prices: Type.Optional(Type.Array(ShownPrices)),
  prices_total: Type.Optional(Count),
} satisfies TProperties;

/** Of public transport; once in an answer, whatever it is about. */
const ShownNotice = Type.Object(
  {
    ...Type.Pick(DepartureAlert, ["id", "effect", "cause", "header", "description", "url"])
      .properties,
    from: NullableTime,
    to: NullableTime,
  },
  { description: "What ends rides first. `to` null: no end is known.", ...closed },
);

/** Of an answer about departures. */
export const noticesMembers = {
  alerts: Type.Optional(Type.Array(ShownNotice)),
  alerts_total: Type.Optional(Count),
} satisfies TProperties;
