/** The tool changes_since (docs/agents.md, Changes): its arguments and its answer. */
import { Type } from "typebox";
import {
  circle,
  common,
  NextOffset,
  ShownService,
  ShownStation,
  ShownVehicle,
} from "./agent-results.ts";
import { DATASET_PARAMETERS } from "./capabilities.ts";
import { FAMILIES } from "./nearby.ts";
import {
  closed,
  Count,
  integerParameter,
  Location,
  Nullable,
  PlaceTime,
  Text,
} from "./primitives.ts";

const { id, version } = DATASET_PARAMETERS;

export const CHANGES_ARGUMENTS = {
  id: { ...id, description: "Earlier dataset." },
  version: { ...version, description: "Earlier dataset." },
  to_id: { ...id, required: false, description: "Later dataset." },
  to_version: { ...version, required: false, description: "Later dataset." },
  offset: integerParameter({
    minimum: 0,
    default: 0,
    example: "20",
    description: "`next_offset`, with to_id.",
  }),
} as const;

const CHANGE_KINDS = ["entered", "left", "changed"] as const;

/** One side of a change: of what entered or left all compared members, else those that differ. */
const State = Type.Partial(
  Type.Object(
    {
      ...{ vehicles: Nullable(Count), docks: Nullable(Count) },
      is_renting: Nullable(Type.Boolean()),
      is_returning: Nullable(Type.Boolean()),
      ...{ state: Nullable(Text), pickup: Nullable(Text), battery: Nullable(Type.Number()) },
      usable: Nullable(Text),
      location: Location,
    },
    closed,
  ),
  { description: "null: not known then." },
);

const Change = Type.Object(
  {
    change: Type.Enum([...CHANGE_KINDS], { type: "string" }),
    kind: Type.Enum(["station", "vehicle", "service"], { type: "string" }),
    id: Text,
    name: Type.Optional(Type.String()),
    network: Type.Optional(Type.String()),
    mode: Type.Optional(ShownVehicle.properties.mode),
    service_type: Type.Optional(ShownService.properties.service_type),
    location: Location,
    distance_meters: ShownStation.properties.distance_meters,
    before: Type.Optional(State),
    after: Type.Optional(State),
    sources: ShownStation.properties.sources,
  },
  closed,
);

const Compared = Type.Object(
  {
    id: Text,
    version: Text,
    received_at: Nullable(PlaceTime),
    expires_at: PlaceTime,
    entity_count: Count,
    found: Count,
    ...{ fresh: Count, stale: Count, unknown: Count },
  },
  { description: "`found`: what there was; `entity_count`: what it holds.", ...closed },
);

export const ChangesShown = Type.Object(
  {
    ...circle,
    ...common,
    compared_within_m: Type.Number({
      minimum: 0,
      description: "Up to here both have everything; of what lies beyond nothing is said.",
    }),
    searched: Type.Array(Type.Enum([...FAMILIES], { type: "string" })),
    from: Compared,
    to: Compared,
    elapsed_s: Nullable(
      Type.Integer({ description: "From the one to the other; null: not known." }),
    ),
    totals: Type.Object(
      {
        ...{ entered: Count, left: Count, changed: Count, unchanged: Count },
        unknown: Type.Integer({
          minimum: 0,
          description: "Neither: a source of theirs failed or was old in one of the two.",
        }),
      },
      closed,
    ),
    total: Type.Integer({ minimum: 0, description: "Entered, left or changed." }),
    shown: Count,
    next_offset: NextOffset,
    results: Type.Array(Change, { description: "Nearest first." }),
  },
  closed,
);
