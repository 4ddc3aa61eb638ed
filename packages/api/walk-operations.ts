/** The rows of the ways on foot in the table of operations: both are additions, in preview. */
import { ONE_UNIT, type Operation, SEARCH_CACHING, SEARCH_ERRORS } from "./operation.ts";
import { REACH_EXAMPLE, REACH_GEOJSON_EXAMPLE } from "./reach-examples.ts";
import { REACH_PARAMETERS, ReachBody, ReachGeoJson } from "./reach.ts";
import { NO_WAY_EXAMPLE, WAY_EXAMPLE, WAY_GEOJSON_EXAMPLE } from "./way-examples.ts";
import { WAY_PARAMETERS, WayBody, WayGeoJson } from "./way.ts";

const ROW = {
  method: "GET",
  tag: "Walking",
  errors: SEARCH_ERRORS,
  auth: "optional",
  scope: ["data:read"],
  charge: ONE_UNIT,
  caching: SEARCH_CACHING,
  licence_link: true,
  addition: true,
} as const;

export const WALK_OPERATIONS = [
  {
    ...ROW,
    id: "getWalk",
    path: "/v1/walk",
    summary: "The way on foot from one point to another",
    description:
      "The shortest way along the streets of an imported base, with its line. There is none: `empty`, with the reason. Nothing is known of streets here: `partial`. In preview.",
    parameters: WAY_PARAMETERS,
    success: {
      description: "The way, or why there is none.",
      content: {
        "application/json": {
          schema: WayBody,
          examples: { success: WAY_EXAMPLE, empty: NO_WAY_EXAMPLE },
        },
        "application/geo+json": {
          schema: WayGeoJson,
          examples: { success: WAY_GEOJSON_EXAMPLE },
        },
      },
    },
    deadline: { name: "walk", default_ms: 3_000 },
  },
  {
    ...ROW,
    id: "getReach",
    path: "/v1/reach",
    summary: "What can be reached on foot within some minutes",
    description:
      "Of each family how many are reached along the streets of an imported base, and the nearest on foot; and the outline of what is reached. It is answered from what is held: no source is asked. A family of which nothing is held here is null, never 0. In preview.",
    parameters: REACH_PARAMETERS,
    success: {
      description: "What is reached.",
      content: {
        "application/json": { schema: ReachBody, examples: { success: REACH_EXAMPLE } },
        "application/geo+json": {
          schema: ReachGeoJson,
          examples: { success: REACH_GEOJSON_EXAMPLE },
        },
      },
    },
    deadline: { name: "reach", default_ms: 3_000 },
  },
] as const satisfies readonly Operation[];
