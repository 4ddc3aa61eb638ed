/** GET /v1/reach: parameters, answer and GeoJSON form (docs/walking.md). All of it is in preview. */
import { Type, type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import { Point } from "./nearby.ts";
import { Notices } from "./notices.ts";
import { preview, PREVIEW } from "./preview.ts";
import {
  closed,
  Count,
  LAT,
  listParameter,
  Location,
  LON_ALONE,
  Message,
  Nullable,
  numberParameter,
  Status,
  Text,
  TOKEN,
} from "./primitives.ts";
import { Walk, WALK_PACE, Walking } from "./walk.ts";
import { Position, WALK_FORMAT } from "./way.ts";

/** Types of services that may be asked for. */
export const REACH_SERVICES = [
  "aed",
  "toilets",
  "drinking_water",
  "wifi",
  "parking",
  "charging",
  "locker",
] as const;
/** With stations and vehicles of shared mobility, and stations of public transport. */
export const REACH_FAMILIES = [...REACH_SERVICES, "stations", "vehicles", "transit"] as const;
export type ReachFamily = (typeof REACH_FAMILIES)[number];

const { minutes_min, minutes_max } = LIMITS.walk;

export const REACH_PARAMETERS = {
  lat: LAT,
  lon: LON_ALONE,
  minutes: preview(
    numberParameter({
      required: true,
      minimum: minutes_min,
      maximum: minutes_max,
      description: "How long one walks at most.",
      example: "10",
      unit: "minutes",
    }),
  ),
  families: preview(
    listParameter({
      choices: REACH_FAMILIES,
      default: REACH_FAMILIES,
      description:
        "Comma-separated families: types of services, `stations` and `vehicles` of shared mobility, `transit` for stations of public transport.",
      example: "toilets,drinking_water,transit",
    }),
  ),
  ...WALK_PACE,
  format: WALK_FORMAT,
  token: TOKEN,
} as const;

const nearestMembers = {
  id: Text,
  name: { ...Nullable(Text), description: "null: its source has none." },
  distance_meters: Type.Number({ minimum: 0, description: "By beeline." }),
  walk: Walk,
};

const familyMembers = {
  count: { ...Count, description: "How many are reached." },
  unknown: {
    ...Count,
    description: "How many lie near enough by beeline, and no way to them is known.",
  },
};

const Nearest = Type.Object(
  { ...nearestMembers, location: Location },
  { ...PREVIEW, title: "NearestOnFoot", description: "The nearest on foot.", ...closed },
);

const Reached = Type.Object(
  { ...familyMembers, nearest: Nullable(Nearest) },
  { ...PREVIEW, title: "ReachedFamily", description: "What is reached of one family.", ...closed },
);

const names = Type.String({ pattern: `^(${REACH_FAMILIES.join("|")})$` });

const MultiPolygon = Type.Object(
  {
    type: Type.Literal("MultiPolygon"),
    coordinates: Type.Array(Type.Array(Type.Array(Position, { minItems: 4 }), { minItems: 1 })),
  },
  {
    ...PREVIEW,
    title: "MultiPolygon",
    description: "Outer rings turn left, holes right, and none crosses the antimeridian; RFC 7946.",
    ...closed,
  },
);

const answerMembers = {
  status: Status,
  message: Type.Optional(Message),
  notices: Type.Optional(Notices),
  query_origin: Location,
  minutes: Type.Number({ minimum: minutes_min, maximum: minutes_max }),
  reached: Type.Record(names, Nullable(Reached), {
    description:
      "By family. null: nothing of it is held here, or no way is known from this point; what is not requested is absent.",
  }),
  walking: Walking,
};

export const ReachBody = Type.Object(
  {
    ...answerMembers,
    outline: { ...Nullable(MultiPolygon), description: "null: no way is known from this point." },
  },
  { ...PREVIEW, title: "Reach", description: "What can be reached on foot.", ...closed },
);
export type ReachBodyValue = Static<typeof ReachBody>;

const OutlineFeature = Type.Object(
  {
    type: Type.Literal("Feature"),
    id: Type.Literal("outline"),
    geometry: Nullable(MultiPolygon),
    properties: Type.Object({ minutes: answerMembers.minutes }, closed),
  },
  { ...PREVIEW, title: "OutlineFeature", description: "What can be reached.", ...closed },
);

const NearestFeature = Type.Object(
  {
    type: Type.Literal("Feature"),
    id: Text,
    geometry: Point,
    properties: Type.Object(
      {
        family: Type.Enum([...REACH_FAMILIES], { type: "string" }),
        ...familyMembers,
        ...nearestMembers,
      },
      closed,
    ),
  },
  { ...PREVIEW, title: "NearestFeature", description: "The nearest of a family.", ...closed },
);

export const ReachGeoJson = Type.Object(
  {
    type: Type.Literal("FeatureCollection"),
    features: Type.Array(Type.Union([OutlineFeature, NearestFeature])),
    meta: Type.Object(answerMembers, closed),
  },
  {
    ...PREVIEW,
    title: "ReachGeoJson",
    description: "The same answer as a FeatureCollection.",
    ...closed,
  },
);
export type ReachGeoJsonValue = Static<typeof ReachGeoJson>;
