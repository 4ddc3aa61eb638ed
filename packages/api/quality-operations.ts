/** The row of the quality of a source in the table of operations: an addition, in preview. */
import { CALLER_ERRORS, FREE, type Operation } from "./operation.ts";
import { QUALITY_EXAMPLE } from "./quality-example.ts";
import { QUALITY_PARAMETERS, SourceQualityBody } from "./quality.ts";

export const QUALITY_OPERATIONS = [
  {
    id: "getSourceQuality",
    method: "GET",
    path: "/v1/sources/{id}/quality",
    tag: "System",
    summary: "Quality of a source",
    description:
      "How available and how fresh one source was in the last 24 hours and 30 days, and what was found wrong in its data, with examples and with what its publisher could do. A preview, which may still change. Costs no units.",
    parameters: QUALITY_PARAMETERS,
    success: {
      description: "The quality of the source.",
      content: {
        "application/json": { schema: SourceQualityBody, examples: { feed: QUALITY_EXAMPLE } },
      },
    },
    errors: { ...CALLER_ERRORS, 404: ["unknown_source"] },
    auth: "optional",
    scope: [],
    charge: FREE,
    deadline: null,
    caching: "Anonymous: `public`, 5 s. With a key: `private`.",
    licence_link: true,
    addition: true,
  },
] as const satisfies readonly Operation[];
