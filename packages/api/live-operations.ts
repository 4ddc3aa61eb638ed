/** The rows of the live layer in the table of operations: both are additions, in preview. */
import { Type } from "typebox";
import { LIVE_SNAPSHOT_EXAMPLE, LIVE_STREAM_EXAMPLE } from "./live-examples.ts";
import { LiveSnapshot, STREAM_PARAMETERS, TILE_PARAMETERS } from "./live.ts";
import { LIMITS } from "./limits.ts";
import { ONE_UNIT, type Operation, SEARCH_ERRORS } from "./operation.ts";
import { PREVIEW } from "./preview.ts";

export const EVENT_STREAM_TYPE = "text/event-stream";
export const VECTOR_TILE_TYPE = "application/vnd.mapbox-vector-tile";

const { tile_objects_from } = LIMITS.live;

/** What a tile has, layer by layer. */
const TILE_TEXT = [
  `A Mapbox vector tile (2.1) of what is known now, each side of 4,096 units. From zoom ${tile_objects_from} each thing is a point, in exactly one tile of a zoom, or an area with a margin of 64 units. What is not known is absent, never 0.`,
  "- `stations`: `id`, `modes` (comma-separated), `state`, `pickup`, `return`, `vehicles`, `docks`, `capacity`, `network_id`, `color` of the operator. What several sources have is there once.",
  "- `vehicles`: `id`, `modes`, `form_factor`, `state`, `pickup`, `battery` (percent, rounded down to tens), `network_id`, `color`.",
  "- `stops`: stations of imported timetables: `id`, `name`, `modes`.",
  "- `zones`: geofencing: `name`, `ride_start_allowed`, `ride_end_allowed`, `ride_through_allowed`, `maximum_speed_kph`, `station_parking`, as far as all rules of the zone state it alike; `by_type` where they differ, or hold for some types of vehicle; `network_id`, `color`. Of zones that overlap the first of an operator holds, and is the last one in the layer.",
  "- `places`: services that are known without asking a source: `id`, `type`, `name`, `open_state` (`open`, `closed`).",
  "- `sources`: a point for each source of the tile: `source_id`, `state` and `as_of` as in the stream, `network_id`, `name`, `color`. Where nothing is in the tile, only those that are not `fresh`.",
  `Below zoom ${tile_objects_from}, \`stations\` and \`vehicles\` have a point with \`count\` in the middle of each of 8 × 8 cells in which there are some, and the other layers are absent; a system whose vehicles are not known is not counted among vehicles. Below zoom 10 no source is woken or waited for, and of sources only those that wait to be read are named.`,
  "It carries a strong ETag, and may be kept as long as the freshest pace inside; it is `no-store` where a source of it has not been read or is lost, or a part of a base cannot be read in time. `If-None-Match` is answered with 304, which costs nothing. A tile with nothing in it is 200 with no bytes, and free. In preview.",
]
  .join("\n\n")
  .replaceAll("\n\n-", "\n-");

const ROW = {
  method: "GET",
  tag: "Live map",
  auth: "optional",
  scope: ["data:read"],
  licence_link: true,
  addition: true,
} as const;

export const LIVE_OPERATIONS = [
  {
    ...ROW,
    id: "streamNearby",
    path: "/v1/nearby/stream",
    summary: "What enters, changes and leaves a box",
    description:
      "Server-sent events: `snapshot` first, then `delta` with what entered, changed or left, `status` with the age of the sources, and `bye` with the reason when the service ends it. A client that comes again within 60 s with `Last-Event-ID` goes on where it was. Costs a unit for each started minute. In preview.",
    parameters: STREAM_PARAMETERS,
    success: {
      description: "The stream, or with `once=true` its snapshot.",
      content: {
        [EVENT_STREAM_TYPE]: {
          schema: Type.String({
            ...PREVIEW,
            description:
              "Events with JSON: LiveSnapshot, LiveDelta, LiveStatus, LiveBye; comments keep the connection alive.",
          }),
          examples: { stream: LIVE_STREAM_EXAMPLE },
        },
        "application/json": { schema: LiveSnapshot, examples: { once: LIVE_SNAPSHOT_EXAMPLE } },
      },
    },
    errors: SEARCH_ERRORS,
    charge: ONE_UNIT,
    deadline: { name: "live", default_ms: 2_000 },
    caching: "no-store",
  },
  {
    ...ROW,
    id: "getLiveTile",
    path: "/v1/tiles/{z}/{x}/{y}.mvt",
    summary: "The live layer as a vector tile",
    description: TILE_TEXT,
    parameters: TILE_PARAMETERS,
    success: {
      description: "The tile.",
      content: {
        [VECTOR_TILE_TYPE]: {
          schema: Type.String({ ...PREVIEW, contentEncoding: "binary" }),
          examples: {},
        },
      },
    },
    conditional: true,
    errors: SEARCH_ERRORS,
    charge: ONE_UNIT,
    deadline: { name: "live", default_ms: 2_000 },
    caching: "Anonymous: `public`, by the freshest pace inside. With a key: `private`.",
  },
] as const satisfies readonly Operation[];
