/** One station, vehicle or service by its id: an addition, in preview. */
import { NEARBY_EXAMPLE } from "./examples.ts";
import { LIMITS } from "./limits.ts";
import { NearbyBody } from "./nearby.ts";
import { ONE_UNIT, type Operation, SEARCH_CACHING, SEARCH_ERRORS } from "./operation.ts";
import { numberParameter, segmentParameter, TOKEN } from "./primitives.ts";

const WHERE = "where it was shown; together with";
const NEEDED = "A station needs no point.";

const PLACE_PARAMETERS = {
  id: segmentParameter({
    description:
      "Id of a station or service, or `source_id` of a vehicle, as given by GET /v1/nearby, its stream, or a live tile.",
    example: "svc_station_2b7n4q5x6k2w5v3m7c4j",
  }),
  lat: numberParameter({
    minimum: LIMITS.lat.min,
    maximum: LIMITS.lat.max,
    description: `Latitude, WGS 84 degrees, ${WHERE} \`lon\`. ${NEEDED}`,
    example: "48.8566",
    unit: "degrees",
  }),
  lon: numberParameter({
    minimum: LIMITS.lon.min,
    maximum: LIMITS.lon.max,
    description: `Longitude, WGS 84 degrees, ${WHERE} \`lat\`. ${NEEDED}`,
    example: "2.3522",
    unit: "degrees",
  }),
  token: TOKEN,
} as const;

export const PLACE_OPERATION = {
  id: "getPlace",
  method: "GET",
  path: "/v1/places/{id}",
  tag: "Live map",
  summary: "One station, vehicle or service by its id",
  description:
    "As GET /v1/nearby around it, with this one alone. Vehicles are looked for within 400 m of a point, services within 50 m. An id that nothing has there, or nothing any longer, is 404; where that cannot be said, the answer is `partial` without results, and free: a source failed, there is more than is looked through, or a source is asked for each question of GET /v1/services/nearby alone. In preview.",
  parameters: PLACE_PARAMETERS,
  success: {
    description: "The one, in the list of its family.",
    content: {
      "application/json": { schema: NearbyBody, examples: { success: NEARBY_EXAMPLE } },
    },
  },
  errors: { ...SEARCH_ERRORS, 404: ["unknown_place"] },
  auth: "optional",
  scope: ["data:read"],
  charge: ONE_UNIT,
  deadline: { name: "nearby", default_ms: 2_000 },
  caching: SEARCH_CACHING,
  licence_link: true,
  addition: true,
} as const satisfies Operation;
