/**
 * The table of operations (§4, §7): start reading here. All that is per operation is in its row:
 * routes, the OpenAPI document, prices, deadlines, the client, the command line and the tests read
 * it. An operation without a charge or without a handler (http/handlers.ts) does not compile.
 */
import type { Static, TSchema } from "typebox";
import { CHANGELOG_OPERATIONS } from "./changelog.ts";
import { DEPARTURE_OPERATIONS } from "./departures.ts";
import type { ErrorCode } from "./errors.ts";
import {
  HEALTH_EXAMPLE,
  NEARBY_EMPTY_EXAMPLE,
  NEARBY_EXAMPLE,
  NEARBY_GEOJSON_EXAMPLE,
  SOURCES_EXAMPLE,
} from "./examples.ts";
import { Health } from "./health.ts";
import { Me, ME_ANONYMOUS_EXAMPLE, ME_KEYED_EXAMPLE, ME_PARAMETERS } from "./me.ts";
import { LEGACY_OPERATIONS } from "./legacy-operations.ts";
import { GBFS_OPERATIONS } from "./gbfs-operations.ts";
import { LIVE_OPERATIONS } from "./live-operations.ts";
import { PLACE_HISTORY_OPERATION } from "./place-history.ts";
import { PLACE_OPERATION } from "./place.ts";
import { GEOCODING_OPERATIONS } from "./geocoding-operations.ts";
import { CAPABILITIES_OPERATIONS } from "./capabilities-operations.ts";
import { QUALITY_OPERATIONS } from "./quality-operations.ts";
import {
  CALLER_ERRORS,
  CREDENTIAL_401,
  type Deadline,
  FREE,
  type Operation,
  SEARCH_CACHING,
} from "./operation.ts";
import { CLASS_OPERATIONS } from "./class-places.ts";
import { SERVICES_OPERATIONS } from "./services-operations.ts";
import { NEARBY_PARAMETERS, NearbyBody, NearbyGeoJson } from "./nearby.ts";
import { TRANSPORT_OPERATIONS } from "./transit-operations.ts";
import { WALK_OPERATIONS } from "./walk-operations.ts";
import type { Arguments } from "./primitives.ts";
import { Sources, SOURCES_PARAMETERS } from "./sources.ts";
import { OpenApiDocument } from "./system.ts";

export const OPERATIONS = [
  {
    id: "getHealth",
    method: "GET",
    path: "/health",
    tag: "System",
    summary: "Health of the service",
    description: "Answers 200 while the service accepts requests. No authentication.",
    parameters: {},
    success: {
      description: "The service answers.",
      content: { "application/json": { schema: Health, examples: { ok: HEALTH_EXAMPLE } } },
    },
    errors: { 431: ["headers_too_large"] },
    auth: "none",
    scope: [],
    charge: FREE,
    deadline: null,
    caching: "no-store",
    licence_link: false,
  },
  {
    id: "getOpenApi",
    method: "GET",
    path: "/openapi.json",
    tag: "System",
    summary: "Description of this API",
    description:
      "The current contract as an OpenAPI 3.1 document. No authentication. Carries a strong ETag; `If-None-Match` is answered with 304.",
    parameters: {},
    success: {
      description: "The OpenAPI 3.1 document.",
      content: {
        "application/json": {
          schema: OpenApiDocument,
          examples: {
            outline: { openapi: "3.1.0", info: { title: "Vicinity", version: "1.1.0" }, paths: {} },
          },
        },
      },
    },
    conditional: true,
    errors: { 431: ["headers_too_large"] },
    auth: "none",
    scope: [],
    charge: FREE,
    deadline: null,
    caching: "public, max-age=300",
    licence_link: false,
  },
  ...CHANGELOG_OPERATIONS,
  {
    id: "getNearby",
    method: "GET",
    path: "/v1/nearby",
    tag: "Mobility",
    summary: "Shared mobility around a point",
    description:
      "Stations and vehicles (bicycle, scooter, moped, car) within at most 400 metres of a point, anywhere. Observations of the same physical station are merged before counts, pagination and billing. A source that fails makes the answer `partial`, never an error. Anonymous calls use the Free usage policy.",
    parameters: NEARBY_PARAMETERS,
    success: {
      description: "Stations and vehicles inside the circle, ordered by distance.",
      content: {
        "application/json": {
          schema: NearbyBody,
          examples: { success: NEARBY_EXAMPLE, empty: NEARBY_EMPTY_EXAMPLE },
        },
        "application/geo+json": {
          schema: NearbyGeoJson,
          examples: { success: NEARBY_GEOJSON_EXAMPLE },
        },
      },
    },
    errors: {
      400: ["invalid_request", "conflicting_credentials"],
      401: CREDENTIAL_401,
      402: ["quota_exhausted", "subscription_inactive"],
      403: ["insufficient_scope", "plan_not_allowed", "account_suspended"],
      429: ["rate_limited", "quota_exhausted", "overloaded"],
    },
    auth: "optional",
    scope: ["data:read"],
    charge: { per: "block", objects: 100, units: 1 },
    deadline: { name: "nearby", default_ms: 2_000 },
    caching: SEARCH_CACHING,
    licence_link: true,
  },
  ...LIVE_OPERATIONS,
  PLACE_OPERATION,
  PLACE_HISTORY_OPERATION,
  ...GBFS_OPERATIONS,
  ...GEOCODING_OPERATIONS,
  ...SERVICES_OPERATIONS,
  ...CLASS_OPERATIONS,
  ...TRANSPORT_OPERATIONS,
  ...DEPARTURE_OPERATIONS,
  ...WALK_OPERATIONS,
  ...CAPABILITIES_OPERATIONS,
  ...LEGACY_OPERATIONS,
  {
    id: "getMe",
    method: "GET",
    path: "/v1/me",
    tag: "System",
    summary: "What the caller may ask, and what is left",
    description:
      "Plan, scopes, limits and units of the caller: of the key's account, or of the address without a key. A key in any standing may ask. Costs no units.",
    parameters: ME_PARAMETERS,
    success: {
      description: "The caller.",
      content: {
        "application/json": {
          schema: Me,
          examples: { anonymous: ME_ANONYMOUS_EXAMPLE, keyed: ME_KEYED_EXAMPLE },
        },
      },
    },
    errors: CALLER_ERRORS,
    auth: "optional",
    scope: [],
    charge: FREE,
    deadline: null,
    caching: "no-store",
    licence_link: false,
    addition: true,
  },
  {
    id: "listSources",
    method: "GET",
    path: "/v1/sources",
    tag: "System",
    summary: "Sources of the data",
    description:
      "Every source with its licence, attribution and present state; with a point, those that may cover the circle. Costs no units.",
    parameters: SOURCES_PARAMETERS,
    together: ["lat", "lon"],
    success: {
      description: "The sources.",
      content: { "application/json": { schema: Sources, examples: { sources: SOURCES_EXAMPLE } } },
    },
    errors: CALLER_ERRORS,
    auth: "optional",
    scope: [],
    charge: FREE,
    deadline: null,
    caching: "Anonymous: `public`, 5 s. With a key: `private`.",
    licence_link: true,
    addition: true,
  },
  ...QUALITY_OPERATIONS,
] as const satisfies readonly Operation[];

type Row = (typeof OPERATIONS)[number];
export type OperationId = Row["id"];
export type OperationOf<Id extends OperationId> = Extract<Row, { id: Id }>;

export type OperationPath = Row["path"];
type OperationAt<P extends OperationPath> = Extract<Row, { path: P }>;
/** Query of a client at a path. `format` is left out: a client reads JSON. */
export type QueryAt<P extends OperationPath> = Omit<
  Arguments<OperationAt<P>["parameters"]>,
  "format"
>;
type JsonOf<C> = C extends { "application/json": { schema: infer S extends TSchema } }
  ? Static<S>
  : never;
/** The JSON of a 200 at a path. */
export type BodyAt<P extends OperationPath> = JsonOf<OperationAt<P>["success"]["content"]>;

/**
 * The value of a schema before it is written as JSON: nothing of it is changed, and an optional member
 * may be undefined, which JSON leaves out.
 */
export type Immutable<T> = T extends object
  ? {
      readonly [K in keyof T]:
        | Immutable<T[K]>
        | (string extends K ? never : object extends Pick<T, K> ? undefined : never);
    }
  : T;

/** The JSON of a 200 at a path, as the service makes it. */
export type ReplyAt<P extends OperationPath> = Immutable<BodyAt<P>>;

/** Milliseconds an answer may take, by the name of a row's deadline. */
export type Deadlines = Readonly<Record<NonNullable<Row["deadline"]>["name"], number>>;

/** The row as its general type, for code that treats every operation alike. */
export function listOperations(): readonly Operation[] {
  return OPERATIONS;
}

export function findOperation<Id extends OperationId>(id: Id): OperationOf<Id> {
  return OPERATIONS.find((operation) => operation.id === id) as OperationOf<Id>;
}

/** The deadlines of all operations, each name once, in the order of the table. */
export function listDeadlines(): Required<Deadline>[] {
  const byName = new Map<string, Required<Deadline>>();
  for (const { deadline, method, path } of listOperations()) {
    if (deadline === null || byName.has(deadline.name)) continue;
    byName.set(deadline.name, { description: `${method} ${path}.`, ...deadline });
  }
  return [...byName.values()];
}

/** The status in which this operation may give the code; undefined: it must not. */
export function statusOf(operation: Operation, code: ErrorCode): number | undefined {
  const row = Object.entries(operation.errors).find(([, codes]) => codes.includes(code));
  return row === undefined ? undefined : Number(row[0]);
}
