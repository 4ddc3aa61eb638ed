/**
 * The configuration file (operation.md, "Configuration file"): validates it, types it, and becomes
 * vicinity.schema.json. A member with a default may be left out of the file.
 */
import { Type } from "typebox";
import type { Static, TInteger } from "typebox";
import { TOOL_SETS } from "#api/mcp-operation.ts";
import { type Deadlines, listDeadlines } from "#api/operations.ts";
import { ExplorerSchema } from "#config/schema-explorer.ts";
import { IdentitySchema } from "#config/schema-identity.ts";
import { hours, ms, orNullSchema, section } from "#config/schema-parts.ts";
import { AedSchema, MapsSchema, SOURCE_MEMBERS, WeatherSchema } from "#config/source-settings.ts";
import { RegisterSchema } from "#providers/register-source.ts";
import { closedObject, text } from "#providers/settings.ts";

const ServerSchema = section(
  {
    trusted_proxies: Type.Array(Type.String({ format: "cidr" }), {
      default: [],
      description: "Address blocks whose X-Forwarded-For is believed.",
    }),
    max_connections: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 10_000,
      description:
        "Connections at once; fewer where the descriptors of the process do not suffice for them.",
    }),
    max_connections_per_address: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      default: 256,
      description:
        "Connections at once of one client address (IPv6: /64), trusted proxies excepted; null: no bound.",
    }),
    write_timeout_ms: Type.Integer({
      minimum: 1_000,
      maximum: 600_000,
      default: 15_000,
      description: "A connection is ended when nothing of an answer was taken for so long.",
    }),
    drain_delay_ms: ms(5_000, "How long requests are still served as usual after SIGTERM."),
    drain_timeout_ms: ms(20_000, "How long open requests may take after the drain delay."),
  },
  "The API listener.",
);

/** A member for each deadline of the table of operations, whose rows have the defaults. */
const DeadlinesSchema = section(
  Object.fromEntries(
    listDeadlines().map(({ name, default_ms, description }) => [name, ms(default_ms, description)]),
  ) as Record<keyof Deadlines, TInteger>,
  "How long an answer may take, in milliseconds.",
);

const PlanSchema = closedObject({
  rate_per_s: Type.Optional(
    orNullSchema(Type.Number({ exclusiveMinimum: 0 }), "Requests per second"),
  ),
  burst: Type.Optional(orNullSchema(Type.Integer({ minimum: 1 }), "Requests at once")),
  units: Type.Optional(orNullSchema(Type.Integer({ minimum: 1 }), "Metered units per period")),
  period: Type.Optional(orNullSchema(Type.Enum(["day", "month"]), "Period of the units")),
  hard: Type.Optional(Type.Boolean({ description: "true: refused when the units are used up." })),
  exact: Type.Optional(
    Type.Boolean({
      description:
        "true: units of a key are reserved in VICINITY_STORE_URL before the work, so that several replicas together exceed no hard quota.",
    }),
  ),
  nearby_limit_max: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: "Greatest limit of /v1/nearby." }),
  ),
  nearby_offset_max: Type.Optional(
    orNullSchema(Type.Integer({ minimum: 0 }), "Greatest offset of /v1/nearby"),
  ),
  datasets: Type.Optional(
    orNullSchema(
      Type.Integer({ minimum: 0 }),
      "Stored datasets of an account at once; of an anonymous address, those that were read again",
    ),
  ),
});

const { gbfs, citybikes, motis, openstreetmap, ...OTHERS } = SOURCE_MEMBERS;

export const ConfigSchema = closedObject(
  {
    $schema: Type.Optional(Type.String({ description: "For editors." })),
    server: ServerSchema,
    deadlines_ms: DeadlinesSchema,
    egress: section(
      {
        allow_private: Type.Optional(
          Type.Boolean({
            description:
              "Loopback and private addresses as upstreams, wherever they are named. Default: true in sandbox mode, else false: then only addresses that this file names may be private, and no catalogue, feed or redirect leads to others.",
          }),
        ),
      },
      "What the service may call.",
    ),
    plans: Type.Record(Type.String(), PlanSchema, {
      default: {},
      description: "Members laid over the shipped plans, by name; a new plan states them all.",
    }),
    keys: section(
      {
        grace_s: Type.Integer({
          minimum: 0,
          maximum: 86_400,
          default: 3_600,
          description:
            "Seconds for which keys that are known work on while the store of accounts cannot be reached. Revocations do not arrive in that time.",
        }),
      },
      "API keys.",
    ),
    datasets: section(
      {
        anonymous_min: Type.Integer({
          minimum: 1,
          default: 60,
          description:
            "Minutes. Of anonymous callers, beyond the first 100 of an address that are kept for longer.",
        }),
        anonymous_h: hours(
          24,
          "Of anonymous callers: 100 of an address at a time, and what has been read again.",
        ),
        keyed_h: hours(720, "Of accounts."),
        anonymous_mb: Type.Integer({
          minimum: 1,
          default: 2_048,
          description:
            "Megabytes that the datasets of all anonymous callers may take in the store; beyond them their searches are refused until some expire.",
        }),
      },
      "How long what a capability found is kept, and how much of it.",
    ),
    changelog: section(
      {
        published: Type.Boolean({
          default: false,
          description: "Whether GET /changelog.json answers with the changelog; else 404.",
        }),
      },
      "The changelog of the API.",
    ),
    mcp: section(
      {
        tools: Type.Enum([...TOOL_SETS], {
          type: "string",
          default: "whole",
          description:
            "Tools that a host is offered whose address does not say (`/mcp?tools=essential`).",
        }),
        hosts: Type.Array(Type.String({ format: "one-line" }), {
          default: [],
          description:
            "Names, without a port, under which /mcp is asked over a loopback address, as behind a proxy on the same machine.",
        }),
        origins: Type.Array(Type.String({ format: "one-line" }), {
          default: [],
          description:
            "Origins of pages elsewhere that may ask /mcp, such as https://agents.example.",
        }),
      },
      "Tools for agents.",
    ),
    deprecation: section(
      {
        token_sunset: text("When the query parameter `token` ends; sent as Sunset.", "instant"),
      },
      "End dates of deprecated things.",
    ),
    identity: IdentitySchema,
    legacy: section(
      {
        water_fallback: Type.Boolean({
          default: true,
          description: "Whether the water route asks the open map where Paris's open data end.",
        }),
      },
      "The legacy routes.",
    ),
    explorer: ExplorerSchema,
    place_history: section(
      {
        max_mb: Type.Integer({
          minimum: 0,
          maximum: 4_096,
          default: 32,
          description:
            "Memory for the counts of 24 hours, in MB: 576 bytes a station, charger or car park, and its id besides; 0: none are kept.",
        }),
      },
      "What stations, chargers and car parks had free in the last 24 hours, for GET /v1/places/{id}/history and the plots of the page.",
    ),
    weather: WeatherSchema,
    sources: section(
      {
        gbfs,
        citybikes,
        motis,
        openstreetmap,
        maps: MapsSchema,
        aed: AedSchema,
        ...OTHERS,
        registers: Type.Optional(
          Type.Array(RegisterSchema, {
            maxItems: 200,
            description:
              "Registers of car parks and charging points by address and shape (docs/registers.md), each a source of its own. Default: none; in the sandbox those of the simulator.",
          }),
        ),
      },
      "The upstreams. One that is absent or not enabled is not asked.",
    ),
  },
  { title: "Configuration of Vicinity" },
);

/** The file as validated, defaults applied. */
export type ConfigFile = Static<typeof ConfigSchema>;
