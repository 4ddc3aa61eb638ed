/** The rows of the live layer in the table of operations: both are additions, in preview. */
import { Type } from "typebox";
import { LIVE_SNAPSHOT_EXAMPLE, LIVE_STREAM_EXAMPLE } from "./live-examples.ts";
import { LiveSnapshot, STREAM_PARAMETERS, TILE_PARAMETERS } from "./live.ts";
import { ONE_UNIT, type Operation, SEARCH_ERRORS } from "./operation.ts";
import { PREVIEW } from "./preview.ts";

export const EVENT_STREAM_TYPE = "text/event-stream";
export const VECTOR_TILE_TYPE = "application/vnd.mapbox-vector-tile";

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
    description:
      "A Mapbox vector tile (2.1) of what is known now, by layer. It carries a strong ETag, and may be kept as long as the freshest pace inside; `If-None-Match` is answered with 304, which costs nothing. A tile with nothing in it is 200 with no bytes, and free. In preview.",
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
