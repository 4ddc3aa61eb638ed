/** plan_nearby of /mcp (docs/agents.md): its arguments, and its answer. */
import { type TProperties, Type } from "typebox";
import { common, local, status_members, SHOWN, AgentSources } from "./agent-results.ts";
import { NoWay, PROFILE_ARGUMENT, walkingMembers } from "./agent-walk.ts";
import { LIMITS } from "./limits.ts";
import { NEARBY_PARAMETERS } from "./nearby.ts";
import { COST_ASSUMPTIONS } from "./prices.ts";
import { closed, Count, Nullable, PlaceTime, Text, textParameter } from "./primitives.ts";

/** Most ways that one answer shows. */
export const OPTIONS_MAX = 3;
/** Objects that are looked at around each end, the nearest of them. */
export const PLANNED_FROM = 200;

const { q_min: min, q_max: max } = LIMITS.geocode;

export const PLAN_ARGUMENTS = {
  from: textParameter({
    ...{ min, max },
    description: "Name, address or lat,lon.",
    example: "Gare de Lyon, Paris",
  }),
  to: textParameter({ ...{ min, max }, description: "As from.", example: "48.8566,2.3522" }),
  modes: { ...NEARBY_PARAMETERS.modes, description: "Modes." },
  ...PROFILE_ARGUMENT,
} as const;

const Minutes = Type.Number({ minimum: 0 });
const Metres = Type.Integer({ minimum: 0 });
const Degrees = { lat: Type.Number(), lon: Type.Number() };
const Age = Type.Enum(["fresh", "stale", "unknown"], { type: "string" });

/** A place that was given. */
const Spot = Type.Object(
  {
    label: Type.Optional(Type.String({ description: "What a name was taken for." })),
    ...Degrees,
  },
  closed,
);

const Point = Type.Object({ ...Degrees, name: Type.Optional(Text) }, closed);
const At = Type.Object({ id: Text, name: Type.Optional(Text), ...Degrees }, closed);

function leg<K extends string, P extends TProperties>(kind: K, members: P) {
  return Type.Object({ kind: Type.Literal(kind), ...members }, closed);
}

/** Of what is seen at a station, or of a vehicle. */
const seen = {
  freshness: Age,
  observed_at: Nullable(PlaceTime),
  sources: AgentSources,
};

/** Of a way on foot. `distance_meters`: its straight line. */
const onFoot = {
  distance_meters: Metres,
  by: Type.Optional(
    Type.Enum(["streets", "straight_line"], {
      type: "string",
      description: "What `minutes` are by; straight_line: an estimate, not a way.",
    }),
  ),
  walk_meters: Type.Optional(Metres),
  seconds: Type.Optional(Count),
  step_free: Type.Optional({
    ...Nullable(Type.Boolean()),
    description: "Whether the way has no step; null: not known of all of it.",
  }),
  minutes: Nullable(Minutes),
  reason: Type.Optional(NoWay),
};

const Walk = leg("walk", { from: Point, to: Point, ...onFoot });
const Take = leg("take", {
  of: Type.Enum(["station", "vehicle"], { type: "string" }),
  at: At,
  vehicles: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, description: "Of the mode, now; null: unknown." })),
  ),
  vehicle_type: Type.Optional(Text),
  battery: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: "Percent." })),
  range_m: Type.Optional(Type.Number({ minimum: 0 })),
  rental_url: Type.Optional(Text),
  minutes: Minutes,
  ...seen,
});
const Ride = leg("ride", {
  from: Point,
  to: Point,
  distance_meters: Metres,
  minutes: Nullable(Minutes),
});
const Leave = leg("leave", {
  at: Type.Object({ ...At.properties, id: Type.Optional(Text) }, closed),
  docks: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 0, description: "Free now; null: unknown, or without a limit." }),
    ),
  ),
  leave: Type.Enum(["station", "unknown", "ends_permitted"], {
    type: "string",
    description:
      "station: at a station. Else what the operator's zones state of a ride that ends here; unknown: nothing. Never a permission to park.",
  }),
  minutes: Minutes,
  freshness: Age,
  observed_at: Nullable(PlaceTime),
  sources: Type.Optional(AgentSources),
});

const Option = Type.Object(
  {
    network: Type.Object({ id: Text, name: Nullable(Text) }, closed),
    mode: Nullable(Text),
    minutes: { ...Nullable(Minutes), description: "All legs; null: those of a leg are not known." },
    cost: Nullable(
      Type.Object(
        {
          amount: Type.Number({ minimum: 0 }),
          currency: Text,
          assumptions: Type.Optional(
            Type.Array(Type.Enum([...COST_ASSUMPTIONS], { type: "string" })),
          ),
          plan: Type.Optional(Text),
        },
        { description: "Of the ride's estimated time and way; null: unknown.", ...closed },
      ),
    ),
    known_minutes: Type.Optional(
      Type.Number({ minimum: 0, description: "Of the other legs alone: never the whole." }),
    ),
    minutes_unknown: Type.Optional(Type.String({ description: "Why `minutes` is null." })),
    counts_known: Type.Boolean({
      description: "false: whether it can be taken, or left, is not known at one end.",
    }),
    legs: Type.Array(Type.Union([Walk, Take, Ride, Leave])),
  },
  closed,
);

const Searched = Type.Object(
  {
    status: Type.Enum(["success", "empty", "partial", "failed"], { type: "string" }),
    found: Type.Optional(Count),
    usable: Type.Optional(
      Type.Integer({ minimum: 0, description: "That can be taken (from), or take one back (to)." }),
    ),
    error: Type.Optional(Text),
  },
  { description: "The search around one end.", ...closed },
);

/** Why there is no way to ride. */
export const PLAN_REASONS = [
  ...(["search_failed", "no_sources_in_area"] as const),
  ...(["nothing_to_take", "nowhere_to_leave", "range_too_small"] as const),
] as const;

export const PlanShown = Type.Object(
  {
    ...status_members,
    from: Spot,
    to: Spot,
    radius: Type.Number({ description: "Of the search around each end, metres." }),
    distances: Type.Literal("straight_line", { description: "What `distance_meters` are." }),
    ...walkingMembers,
    ...local,
    ...common,
    estimate: Type.Object(
      {
        walk_kmh: Type.Number(),
        ride_kmh: Type.Record(Type.String(), Type.Number()),
        detour: Type.Number({ description: "What straight lines are multiplied by." }),
        take_minutes: Type.Number(),
        leave_minutes: Type.Number(),
        full_charge_km: Type.Record(Type.String(), Type.Number(), {
          description: "For vehicles that state a battery and no range.",
        }),
      },
      { description: "How rides, reach, and walks by straight lines are estimated.", ...closed },
    ),
    walk: Type.Object(onFoot, { description: "Walking all the way.", ...closed }),
    total: Type.Integer({ minimum: 0, description: "Ways found, one for each network and mode." }),
    shown: Count,
    options: Type.Array(Option, {
      maxItems: OPTIONS_MAX,
      description: "Known counts first, then the quickest. A suggestion, not a route.",
    }),
    reason: Type.Optional(
      Type.Enum(PLAN_REASONS, { type: "string", description: "Why `options` is empty." }),
    ),
    left_out: Type.Object(
      { range_too_small: Count, nowhere_to_leave: Count },
      { description: "Vehicles and stations at the start that serve no way.", ...closed },
    ),
    searched: Type.Object({ from: Searched, to: Searched }, closed),
  },
  closed,
);

/** Characters of a name in a leg: a plan repeats them. */
export const LEG_NAME_MAX: number = SHOWN.name_max / 2;
