/** GET /changelog.json (§4.13): what has really been released, newest first. */
import { Type, type Static } from "typebox";
import { FREE, type Operation } from "./operation.ts";
import { closed, Text, Timestamp } from "./primitives.ts";

/** Of the document's form, not of the API. */
const CHANGELOG_VERSION = "1.0.0";

export const CHANGE_TYPES = ["feature", "improvement", "fix", "breaking", "deprecation"] as const;

/** Lowercase, and stable: it stays when the wording is corrected. */
export const CHANGE_ID = "^[a-z0-9]+(-[a-z0-9]+)*$";

/** Semantic Versioning 2.0.0, of a release: three numbers without leading zeros. */
export const API_VERSION_PATTERN = "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$";

export const CHANGELOG_LINK_CHARS = 2048;

const ChangelogLink = Type.Object(
  {
    label: Text,
    url: Type.String({
      format: "uri",
      pattern: "^https://",
      maxLength: CHANGELOG_LINK_CHARS,
      description: "A public host, by name.",
    }),
  },
  closed,
);

const ChangelogEntry = Type.Object(
  {
    id: Type.String({ pattern: CHANGE_ID, description: "Stays when the wording is corrected." }),
    published_at: Timestamp,
    api_version: Type.String({ pattern: API_VERSION_PATTERN }),
    type: Type.Enum([...CHANGE_TYPES], { type: "string" }),
    title: Text,
    description: Text,
    breaking: Type.Boolean({ description: "Always true where the type is `breaking`." }),
    links: Type.Array(ChangelogLink),
  },
  { title: "ChangelogEntry", description: "A change of a published release.", ...closed },
);
export type ChangelogEntry = Static<typeof ChangelogEntry>;

export const Changelog = Type.Object(
  {
    version: Type.String({ minLength: 1, description: "Of the form of this document." }),
    updated_at: Type.String({
      format: "date-time",
      pattern: "Z$",
      description: "When the content last changed.",
    }),
    entries: Type.Array(ChangelogEntry, { description: "Newest first." }),
  },
  { title: "Changelog", description: "What has been released (§4.13).", ...closed },
);
export type ChangelogDocument = Static<typeof Changelog>;

const CHANGELOG_EXAMPLE: ChangelogDocument = {
  version: CHANGELOG_VERSION,
  updated_at: "2026-11-21T10:00:00Z",
  entries: [
    {
      id: "2026-11-21-public-transport",
      published_at: "2026-11-21T10:00:00Z",
      api_version: "1.1.0",
      type: "feature",
      title: "Public transport stations near a point",
      description: "GET /v1/transport/nearby answers with static data of stations.",
      breaking: false,
      links: [],
    },
  ],
};

export const CHANGELOG_OPERATIONS = [
  {
    id: "getChangelog",
    method: "GET",
    path: "/changelog.json",
    tag: "System",
    summary: "What has changed",
    description:
      "Changes of published releases, newest first. 404 until the deployment publishes it: do not automate against it before. No authentication. Carries a strong ETag and Last-Modified; a conditional request whose condition fails is answered with 304. There is one representation, `application/json`, whatever `Accept` says.",
    parameters: {},
    success: {
      description: "The changelog.",
      content: {
        "application/json": { schema: Changelog, examples: { changelog: CHANGELOG_EXAMPLE } },
      },
    },
    conditional: true,
    errors: { 404: ["not_found"], 431: ["headers_too_large"] },
    auth: "none",
    scope: [],
    charge: FREE,
    deadline: null,
    caching: "public, max-age=300",
    licence_link: false,
  },
] as const satisfies readonly Operation[];
