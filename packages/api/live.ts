/**
 * The live layer of shared mobility: the stream of a box (GET /v1/nearby/stream) and its tiles
 * (GET /v1/tiles/{z}/{x}/{y}.mvt). All of it is in preview (docs/live-map.md).
 */
import { Type, type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import { QUERY_MODES } from "./nearby-items.ts";
import { preview, PREVIEW } from "./preview.ts";
import {
  booleanParameter,
  closed,
  Count,
  listParameter,
  Location,
  Nullable,
  type Parameter,
  Text,
  Timestamp,
  TOKEN,
} from "./primitives.ts";
import { FORM_FACTORS } from "./tokens.ts";

const LIVE_FAMILIES = ["stations", "vehicles"] as const;
export const TILE_LAYERS = ["stations", "vehicles", "stops", "zones", "places"] as const;
export type TileLayer = (typeof TILE_LAYERS)[number];

const NUMBER = String.raw`-?\d+(\.\d+)?`;

/** RFC 7946 5: west, south, east, north; west > east where the box crosses the antimeridian. */
const BBOX = preview<Parameter<string> & { required: true }>({
  kind: "pattern",
  schema: Type.String({ pattern: `^${NUMBER}(,${NUMBER}){3}$`, maxLength: 120 }),
  description: `The box: west, south, east and north in degrees, at most ${LIMITS.live.box_km2_max} km², and no side longer than ${LIMITS.live.box_side_km_max} km. Where it crosses the antimeridian, west is greater than east.`,
  example: "2.345,48.852,2.36,48.862",
  required: true,
  rule: "four numbers with commas: west, south, east, north",
});

export const STREAM_PARAMETERS = {
  bbox: BBOX,
  modes: preview(
    listParameter({
      choices: QUERY_MODES,
      default: QUERY_MODES,
      description: "Comma-separated modes.",
      example: "bicycle,scooter",
    }),
  ),
  include: preview(
    listParameter({
      choices: LIVE_FAMILIES,
      default: LIVE_FAMILIES,
      description: "Comma-separated families.",
      example: "stations,vehicles",
    }),
  ),
  once: preview(
    booleanParameter("The snapshot alone, as JSON: what a subscriber of this moment gets first."),
  ),
  token: TOKEN,
} as const;

const segment = (description: string, example: string): Parameter<string> & { in: "path" } => ({
  kind: "pattern",
  schema: Type.String({ pattern: String.raw`^(0|[1-9]\d{0,6})$` }),
  description,
  example,
  required: true,
  rule: "a whole number from 0 of at most 7 digits, without leading zeros",
  in: "path",
});

export const TILE_PARAMETERS = {
  z: segment(`Zoom, 0 to ${LIMITS.live.tile_zoom_max}.`, "14"),
  x: segment("Column of the tile, from the west.", "8298"),
  y: segment("Row of the tile, from the north.", "5636"),
  layers: preview(
    listParameter({
      choices: TILE_LAYERS,
      default: LIVE_FAMILIES,
      description: `Comma-separated layers. From zoom ${LIMITS.live.tile_objects_from} a layer has the things themselves; below, \`stations\` and \`vehicles\` have counts of cells, and the others nothing.`,
      example: "stations,vehicles",
    }),
  ),
  token: TOKEN,
} as const;

const Mode = Type.Enum([...QUERY_MODES], { type: "string" });
const ServiceState = Type.Enum(
  ["operational", "degraded", "unavailable", "maintenance", "unknown"],
  { type: "string" },
);
const Action = Type.Enum(["available_now", "unavailable_now", "unknown"], { type: "string" });
const NullableCount = Nullable(Count);

/** What a map draws of a station or vehicle. Two are equal when their texts are. */
export const LiveItem = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      description: "`id` of a station, `source_id` of a vehicle, as in GET /v1/nearby.",
    }),
    kind: Type.Enum(["station", "vehicle"], { type: "string" }),
    location: Location,
    modes: Type.Array(Mode, { minItems: 1 }),
    network_id: Text,
    name: Type.Optional(Type.String({ minLength: 1, description: "Of a station." })),
    state: ServiceState,
    pickup: Action,
    return: Type.Optional({ ...Action, description: "Of a station." }),
    vehicles: Type.Optional({ ...NullableCount, description: "Of a station; null: unknown." }),
    docks: Type.Optional({ ...NullableCount, description: "Of a station; null: unknown." }),
    capacity: Type.Optional({ ...NullableCount, description: "Of a station; null: unknown." }),
    battery: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: 100,
          description:
            "Of a vehicle: percent, rounded down to tens so that a map stays calm; null: unknown.",
        }),
      ),
    ),
    form_factor: Type.Optional(
      Nullable(Type.Enum([...FORM_FACTORS], { type: "string", description: "Of a vehicle." })),
    ),
  },
  { ...PREVIEW, title: "LiveItem", description: "A station or vehicle in the box.", ...closed },
);
export type LiveItemValue = Static<typeof LiveItem>;

/** A source whose systems may have things in the box. */
export const LiveSource = Type.Object(
  {
    source_id: Text,
    network: Nullable(Type.Object({ id: Text, name: Text }, closed)),
    color: Nullable(
      Type.String({ pattern: "^#[0-9a-f]{6}$", description: "Of its brand; null: none is known." }),
    ),
    state: Type.Enum(["fresh", "old", "lost", "waiting"], {
      type: "string",
      description:
        "`fresh`: as young as its publisher's pace. `old`: older. `lost`: what it had is not shown any more. `waiting`: it has not been read yet.",
    }),
    as_of: Nullable({ ...Timestamp, description: "Time of its oldest document; null: none yet." }),
  },
  { ...PREVIEW, title: "LiveSource", description: "A source of the box and its age.", ...closed },
);
export type LiveSourceValue = Static<typeof LiveSource>;

const bbox = Type.Array(Type.Number(), { minItems: 4, maxItems: 4 });

/** The event `snapshot`, and the JSON of `once=true`. */
export const LiveSnapshot = Type.Object(
  {
    at: Timestamp,
    bbox,
    items: Type.Array(LiveItem, { description: "By `id`." }),
    sources: Type.Array(LiveSource, { description: "By `source_id`." }),
  },
  { ...PREVIEW, title: "LiveSnapshot", description: "All that is in the box now.", ...closed },
);
export type LiveSnapshotValue = Static<typeof LiveSnapshot>;

const LEFT_REASONS = ["gone", "moved", "merged", "source_lost"] as const;
export type LeftReason = (typeof LEFT_REASONS)[number];

/** The event `delta`. */
export const LiveDelta = Type.Object(
  {
    at: Timestamp,
    entered: Type.Array(LiveItem),
    changed: Type.Array(LiveItem),
    left: Type.Array(
      Type.Object(
        {
          id: Text,
          reason: Type.Enum([...LEFT_REASONS], {
            type: "string",
            description:
              "`gone`: its source has it no more. `moved`: it left the box. `merged`: another item shows it. `source_lost`: its source is not shown any more.",
          }),
        },
        closed,
      ),
    ),
    sources: Type.Optional(Type.Array(LiveSource, { description: "Those that have changed." })),
  },
  { ...PREVIEW, title: "LiveDelta", description: "What has changed since.", ...closed },
);
export type LiveDeltaValue = Static<typeof LiveDelta>;

/** The event `status`. */
export const LiveStatus = Type.Object(
  { at: Timestamp, sources: Type.Array(LiveSource) },
  { ...PREVIEW, title: "LiveStatus", description: "Sources whose age has changed.", ...closed },
);
export type LiveStatusValue = Static<typeof LiveStatus>;

export const BYE_REASONS = [
  "slow",
  "units",
  "time",
  "replaced",
  "refused",
  "large",
  "shutting_down",
  "failed",
] as const;
export type ByeReason = (typeof BYE_REASONS)[number];

/** The event `bye`: the last one. */
export const LiveBye = Type.Object(
  {
    reason: Type.Enum([...BYE_REASONS], {
      type: "string",
      description:
        "`slow`: events were not taken in time. `units`: none are left. `time`: the stream has lasted its time; come again. `replaced`: another caller needs the place. `refused`: the key, or its account, may not read this any more; a new request says why. `large`: the box holds too much for a stream; make it smaller. `shutting_down`: this instance ends. `failed`: something of ours has failed.",
    }),
    message: Text,
    retry_after_s: Type.Integer({ minimum: 0 }),
  },
  { ...PREVIEW, title: "LiveBye", description: "Why the stream ends.", ...closed },
);
export type LiveByeValue = Static<typeof LiveBye>;
