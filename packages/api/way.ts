/** GET /v1/walk: parameters, answer and GeoJSON form (docs/walking.md). All of it is in preview. */
import { Type, type Static } from "typebox";
import { BaseStatement } from "./bases.ts";
import { LIMITS } from "./limits.ts";
import { Notices } from "./notices.ts";
import { preview, PREVIEW } from "./preview.ts";
import {
  choiceParameter,
  closed,
  COORDS,
  Count,
  Location,
  Message,
  Nullable,
  Status,
  TOKEN,
} from "./primitives.ts";
import { NO_WALK_REASONS, WALK_PACE, WALK_PROFILES } from "./walk.ts";

const { in: _, ...POINT } = COORDS;

/** The form of an answer on foot. */
export const WALK_FORMAT = preview(
  choiceParameter({
    choices: ["json", "geojson"],
    default: "json",
    description: "`json`, or `geojson` for RFC 7946.",
  }),
);

export const WAY_PARAMETERS = {
  from: preview({ ...POINT, description: "Where the way begins: `<lat>,<lon>`, WGS 84 degrees." }),
  to: preview({
    ...POINT,
    description: "Where it ends: `<lat>,<lon>`, WGS 84 degrees.",
    example: "48.8606,2.3376",
  }),
  ...WALK_PACE,
  format: WALK_FORMAT,
  token: TOKEN,
} as const;

/** Longitude, latitude. */
export const Position = Type.Unsafe<[number, number]>({
  type: "array",
  prefixItems: [
    { type: "number", minimum: LIMITS.lon.min, maximum: LIMITS.lon.max },
    { type: "number", minimum: LIMITS.lat.min, maximum: LIMITS.lat.max },
  ],
  items: { type: "number" },
  minItems: 2,
  maxItems: 2,
});

const LineString = Type.Object(
  { type: Type.Literal("LineString"), coordinates: Type.Array(Position, { minItems: 2 }) },
  { ...PREVIEW, title: "LineString", description: "Longitude, latitude; RFC 7946.", ...closed },
);

/** Tokens of `reason`. */
const NO_WAY_REASONS = [...NO_WALK_REASONS, "different_bases"] as const;
export type NoWayReason = (typeof NO_WAY_REASONS)[number];

/** Says how ways were looked for. */
const WaySearch = Type.Object(
  {
    profile: Type.Enum([...WALK_PROFILES], { type: "string" }),
    speed_meters_per_second: Type.Number({
      minimum: LIMITS.walk.speed_min,
      maximum: LIMITS.walk.speed_max,
    }),
    within_meters: { ...Count, description: "Longer ways are not looked for." },
    base: Nullable(BaseStatement),
  },
  { ...PREVIEW, title: "WaySearch", description: "How the way was looked for.", ...closed },
);

const measures = {
  reason: Type.Optional(
    Type.Enum([...NO_WAY_REASONS], {
      type: "string",
      description: "Why there is no way, or none is known.",
    }),
  ),
  meters: { ...Nullable(Count), description: "Along streets, the ends off them included." },
  seconds: { ...Nullable(Count), description: "At the speed of `walking`." },
  step_free: {
    ...Nullable(Type.Boolean()),
    description: "Whether the way has no step; null: not known of all of it.",
  },
  from_snap_meters: { ...Nullable(Count), description: "Between `from` and the first street." },
  to_snap_meters: { ...Nullable(Count), description: "Between the last street and `to`." },
  walking: WaySearch,
};
const opening = {
  status: Status,
  message: Type.Optional(Message),
  notices: Type.Optional(Notices),
};

export const WayBody = Type.Object(
  {
    ...opening,
    from: Location,
    to: Location,
    ...measures,
    geometry: { ...Nullable(LineString), description: "From `from` to `to`." },
  },
  {
    ...PREVIEW,
    title: "Way",
    description: "The shortest way on foot between two points.",
    ...closed,
  },
);
export type WayBodyValue = Static<typeof WayBody>;

export const WayGeoJson = Type.Object(
  {
    type: Type.Literal("Feature"),
    geometry: Nullable(LineString),
    properties: Type.Object({ ...opening, from: Location, to: Location, ...measures }, closed),
  },
  { ...PREVIEW, title: "WayGeoJson", description: "The same answer as a Feature.", ...closed },
);
export type WayGeoJsonValue = Static<typeof WayGeoJson>;
