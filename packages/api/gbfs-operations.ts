/** The rows of published GBFS in the table of operations (docs/gbfs.md): additions, in preview. */
import { Type } from "typebox";
import { ONE_UNIT, type Operation, SEARCH_ERRORS } from "./operation.ts";
import { PREVIEW } from "./preview.ts";
import { segmentParameter, TOKEN } from "./primitives.ts";

const Envelope = (version: string) =>
  Type.Object(
    {
      last_updated: version === "3.0" ? Type.String({ format: "date-time" }) : Type.Integer(),
      ttl: Type.Integer({ minimum: 0 }),
      version: Type.Literal(version),
      data: Type.Object({}, { additionalProperties: true }),
      _vicinity: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              "Sources with their terms, and how many things are left out, by reason: no member of GBFS.",
          },
        ),
      ),
    },
    { ...PREVIEW, description: `A file of GBFS ${version}.` },
  );

const FILE_PARAMETERS = {
  system: segmentParameter({
    description: "`system_id` of the manifest.",
    example: "paris-velo-seine",
  }),
  file: segmentParameter({ description: "Name of a file of the version.", example: "gbfs" }),
  token: TOKEN,
} as const;

const RULES =
  "What several sources have is in one system, once, under the ids of GET /v1/nearby. What is not known is absent; where the format demands it, the thing is left out and counted in `_vicinity`. Asking for a file counts as asking near the system. Carries a strong ETag; `If-None-Match` is answered with 304, which costs nothing. In preview.";

const ROW = {
  method: "GET",
  tag: "GBFS",
  auth: "optional",
  scope: ["data:read"],
  conditional: true,
  errors: {
    ...SEARCH_ERRORS,
    404: ["unknown_system"],
    503: [...SEARCH_ERRORS[503], "provider_unavailable"],
  },
  charge: ONE_UNIT,
  deadline: { name: "gbfs", default_ms: 3_000, description: "The files of published GBFS." },
  caching:
    "Anonymous: `public`, by the pace of the source, at most 30 s; with a key: `private`. What names the address of the service: `no-store`.",
  licence_link: true,
  addition: true,
} as const;

const EXAMPLE = { ttl: 300, last_updated: "2026-01-01T00:00:00Z" } as const;
const FEEDS = [
  {
    name: "station_status",
    url: "https://api.example.org/gbfs/v3/paris-velo-seine/station_status.json",
  },
];

export const GBFS_OPERATIONS = [
  {
    ...ROW,
    id: "getGbfsManifest",
    path: "/gbfs/v3/manifest.json",
    summary: "All systems that are published in GBFS",
    description: `The manifest of GBFS 3.0, ordered by operator. \`_vicinity.left_out\` names the systems that are not published, each with its reason. ${RULES}`,
    parameters: { token: TOKEN },
    success: {
      description: "The manifest.",
      content: {
        "application/json": {
          schema: Envelope("3.0"),
          examples: { manifest: { ...EXAMPLE, version: "3.0", data: { datasets: [] } } },
        },
      },
    },
  },
  {
    ...ROW,
    id: "getGbfsFile",
    path: "/gbfs/v3/{system}/{file}.json",
    summary: "A file of a system in GBFS 3.0",
    description: `\`gbfs\`, which lists the others: \`gbfs_versions\`, \`system_information\`, \`vehicle_types\`, \`station_information\`, \`station_status\`, \`vehicle_status\`, \`system_alerts\`, \`geofencing_zones\`, \`system_pricing_plans\`. ${RULES}`,
    parameters: FILE_PARAMETERS,
    success: {
      description: "The file.",
      content: {
        "application/json": {
          schema: Envelope("3.0"),
          examples: { gbfs: { ...EXAMPLE, version: "3.0", data: { feeds: FEEDS } } },
        },
      },
    },
  },
  {
    ...ROW,
    id: "getGbfs2File",
    path: "/gbfs/v2/{system}/{file}.json",
    summary: "A file of a system in GBFS 2.3",
    description: `As in 3.0, with the names of 2.3: \`free_bike_status\` has the vehicles, and \`gbfs\` lists the files by language. ${RULES}`,
    parameters: FILE_PARAMETERS,
    success: {
      description: "The file.",
      content: {
        "application/json": {
          schema: Envelope("2.3"),
          examples: {
            gbfs: {
              ...{ ttl: 300, last_updated: 1_767_225_600, version: "2.3" },
              data: { en: { feeds: FEEDS } },
            },
          },
        },
      },
    },
  },
] as const satisfies readonly Operation[];
