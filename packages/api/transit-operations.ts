/** The row of §4.7a in the table of operations. */
import { ONE_UNIT, type Operation, SEARCH_CACHING, SEARCH_ERRORS } from "./operation.ts";
import { TRANSPORT_EXAMPLE } from "./transit-examples.ts";
import { TRANSPORT_PARAMETERS, TransportBody } from "./transit.ts";

export const TRANSPORT_OPERATIONS = [
  {
    id: "getTransportNearby",
    method: "GET",
    path: "/v1/transport/nearby",
    tag: "Transport",
    summary: "Public transport stations around a point",
    description:
      "Stations with their modes, operators and routes, from static data; departures and alerts are not fetched. A station that several requested providers know is one result with several sources. A provider that fails makes the answer `partial`, never an error.",
    parameters: TRANSPORT_PARAMETERS,
    success: {
      description: "Stations, ordered by distance.",
      content: {
        "application/json": { schema: TransportBody, examples: { success: TRANSPORT_EXAMPLE } },
      },
    },
    errors: SEARCH_ERRORS,
    auth: "optional",
    scope: ["data:read"],
    charge: ONE_UNIT,
    deadline: { name: "transport", default_ms: 3_000 },
    caching: SEARCH_CACHING,
    licence_link: true,
  },
] as const satisfies readonly Operation[];
