/** What a station, charger or car park had free in the last 24 hours: an addition, in preview. */
import { Type, type Static } from "typebox";
import { ONE_UNIT, type Operation, SEARCH_ERRORS } from "./operation.ts";
import { PREVIEW } from "./preview.ts";
import {
  closed,
  Count,
  Message,
  Nullable,
  segmentParameter,
  Text,
  Timestamp,
  TOKEN,
} from "./primitives.ts";

const PARAMETERS = {
  id: segmentParameter({
    description:
      "Id of a station as given by GET /v1/nearby, its stream, or a live tile, or of a charger or car park as given by GET /v1/services/nearby.",
    example: "svc_station_2b7n4q5x6k2w5v3m7c4j",
  }),
  token: TOKEN,
} as const;

const Sample = Type.Object(
  {
    at: { ...Timestamp, description: "Start of the ten minutes in which the report was." },
    vehicles: Type.Optional({
      ...Nullable(Count),
      description: "Of a station: vehicles to rent; null: not known.",
    }),
    docks: Type.Optional({
      ...Nullable(Count),
      description: "Of a station: free docks; null: not known, or without a limit.",
    }),
    free: Type.Optional({
      ...Nullable(Count),
      description: "Of a charger or car park: free plugs or spaces; null: not known.",
    }),
    of: Type.Optional({
      ...Nullable(Count),
      description: "Of a charger or car park: its plugs or spaces; null: not known.",
    }),
  },
  { title: "PlaceSample", description: "The first report of ten minutes.", ...closed },
);

const PlaceHistoryBody = Type.Object(
  {
    status: Type.Enum(["success", "empty"], {
      type: "string",
      description:
        "`empty`: no report is kept: none came while this process watched, or it has left for newer ones of others.",
    }),
    message: Type.Optional(Message),
    id: Text,
    kind: Type.Enum(["station", "service"], { type: "string" }),
    from: { ...Timestamp, description: "Start of the 24 hours." },
    until: { ...Timestamp, description: "When this was asked." },
    known_since: Type.Union([Timestamp, Type.Null()], {
      description:
        "Since when the process that answers has been watching: nothing is known of before, and of a fleet each replica knows what it saw. Null: this deployment keeps no history.",
    }),
    step_s: Type.Integer({ minimum: 1, description: "Seconds of a sample." }),
    samples: Type.Array(Sample, {
      maxItems: 144,
      description:
        "Oldest first. A time without a sample is one without a report, as while no caller asked near the station: it is unknown, and neither zero nor what was before.",
    }),
  },
  { title: "PlaceHistory", ...closed, ...PREVIEW },
);
export type PlaceHistoryValue = Static<typeof PlaceHistoryBody>;

const PLACE_HISTORY_EXAMPLE: PlaceHistoryValue = {
  status: "success",
  id: "svc_station_2b7n4q5x6k2w5v3m7c4j",
  kind: "station",
  from: "2026-11-13T09:40:00Z",
  until: "2026-11-14T09:36:20Z",
  known_since: "2026-11-14T08:02:11Z",
  step_s: 600,
  samples: [
    { at: "2026-11-14T08:10:00Z", vehicles: 3, docks: 17 },
    { at: "2026-11-14T09:30:00Z", vehicles: 10, docks: 10 },
  ],
};

export const PLACE_HISTORY_OPERATION = {
  id: "getPlaceHistory",
  method: "GET",
  path: "/v1/places/{id}/history",
  tag: "Live map",
  summary: "What a station, charger or car park had free in the last 24 hours",
  description:
    "The first report of each ten minutes, as the process that answers saw it, in memory: after a restart it begins again, and `known_since` says when. Stations are recorded while their system is polled, chargers and car parks when an answer shows them. What is kept is bounded (`place_history.max_mb`); what was reported longest ago leaves first. An id of no station is 404; an answer without samples is free. In preview.",
  parameters: PARAMETERS,
  success: {
    description: "The samples, and since when they are known.",
    content: {
      "application/json": {
        schema: PlaceHistoryBody,
        examples: { success: PLACE_HISTORY_EXAMPLE },
      },
    },
  },
  errors: { ...SEARCH_ERRORS, 404: ["unknown_place"] },
  auth: "optional",
  scope: ["data:read"],
  charge: ONE_UNIT,
  deadline: null,
  caching: "Anonymous: `public`, 30 s. With a key: `private`.",
  licence_link: true,
  addition: true,
} as const satisfies Operation;
