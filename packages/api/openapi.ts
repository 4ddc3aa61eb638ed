/**
 * The operations as an OpenAPI 3.1 document (§4.2, §9). Pure: the same table gives the same bytes,
 * so that the served description and the committed openapi.json cannot differ.
 */
import type { TSchema } from "typebox";
import { type Deployment, forDeployment, SANDBOX_DEPLOYMENT } from "./deployment.ts";
import { ERRORS, errorRow, type ErrorCode } from "./errors.ts";
import type { Charge, Content, Operation } from "./operation.ts";
import { listOperations } from "./operations.ts";
import { ErrorBody, type Parameter } from "./primitives.ts";

export type Json =
  | null
  | boolean
  | number
  | string
  | Json[]
  | { [member: string]: Json | undefined };
export type Members = { [member: string]: Json | undefined };

/** §9: the description carries 1.1.0; additions are marked `x-addition`. */
export const API_VERSION = "1.1.0";

/** Returns the document with a deployment's constants; the committed openapi.json is the sandbox's. */
export function toOpenApi(
  deployment: Deployment = SANDBOX_DEPLOYMENT,
  operations: readonly Operation[] = listOperations(),
): Members {
  const components = new Map<string, Json>();
  const document: Members = {
    openapi: "3.1.0",
    info: INFO,
    servers: [{ url: "/", description: "This deployment." }],
    tags: [
      { name: "Mobility", description: "Shared mobility around a point." },
      { name: "Geocoding", description: "Addresses and places to coordinates, and back." },
      { name: "Services", description: "Urban services, parking and EV charging around a point." },
      { name: "Transport", description: "Public transport stations around a point." },
      { name: "Walking", description: "Ways on foot, and what can be reached. In preview." },
      {
        name: "Capabilities",
        description: "Answers that an agent can cite, store and read again.",
      },
      { name: "Legacy", description: "Routes of old, kept for those who rely on them." },
      { name: "System", description: "Health, description and sources of the service." },
    ],
    paths: toPaths(operations, components),
    components: {
      schemas: Object.fromEntries([...components].sort(byName)),
      headers: HEADERS,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "An API key: `Authorization: Bearer <API_KEY>`.",
        },
      },
    },
  };
  return forDeployment(document, deployment);
}

const INFO: Members = {
  title: "Vicinity",
  version: API_VERSION,
  summary: "What can I use near this coordinate, right now?",
  description: [
    "Live mobility and urban-service data near a coordinate, anywhere in the world.",
    "Unknown query parameters are ignored; a known one that is empty, repeated or outside its rule is refused with 400.",
    "Every response carries `x-request-id`. Every path answers `HEAD` where it answers `GET`, and `OPTIONS`; other methods get 405 with `Allow`.",
    "Unknown values are null or absent, never 0. Times are RFC 3339 in UTC; where it is said so, those of a place have its offset. Distances are metres.",
  ].join("\n\n"),
  contact: { name: "The operator of this deployment" },
  license: { name: "Apache-2.0", identifier: "Apache-2.0" },
};

const STRING: Json = { type: "string" };
const POSITIVE: Json = { type: "integer", minimum: 1 };

const HEADERS: Members = {
  RequestId: {
    description:
      "The caller's `x-request-id` or trace id when well formed, else one of ours. Where it is the caller's, `x-vicinity-request-id` (a preview) has ours, which no other request has.",
    schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,64}$" },
  },
  CacheControl: { description: "How long the reply may be kept.", schema: STRING },
  Link: {
    description: 'Licences (`rel="license"`); with `token` also `rel="deprecation"`.',
    schema: STRING,
  },
  Deprecation: {
    description: "RFC 9745: on replies to the deprecated parameter `token`.",
    schema: { type: "string", pattern: "^@[0-9]+$" },
  },
  RateLimit: {
    description:
      "What is left of each limit, and when there is more (IETF RateLimit fields). `burst` is counted in requests; an answer that takes long counts as one more for each whole 2 ms of work that it took.",
    schema: STRING,
  },
  RateLimitPolicy: { description: "The limits that apply to the caller.", schema: STRING },
  RetryAfter: { description: "Seconds until it is worth trying again.", schema: POSITIVE },
  WwwAuthenticate: { description: "RFC 6750 challenge.", schema: STRING },
  ETag: { description: "Strong validator of the representation.", schema: STRING },
  Vary: {
    description: "`Accept-Encoding`; on data replies `Authorization` as well.",
    schema: STRING,
  },
};

function toPaths(operations: readonly Operation[], components: Map<string, Json>): Members {
  const paths: Record<string, Members> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method.toLowerCase()] = toOperation(operation, components);
  }
  return paths;
}

function toOperation(operation: Operation, components: Map<string, Json>): Members {
  const parameters = Object.entries(operation.parameters).flatMap(([name, parameter]) =>
    toParameters(name, parameter),
  );
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: toDescription(operation),
    ...(operation.addition === true ? { "x-addition": true } : {}),
    ...(operation.successor === undefined ? {} : { deprecated: true }),
    security: SECURITY[operation.auth],
    ...(operation.scope.length === 0 ? {} : { "x-scopes": [...operation.scope] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body ? { requestBody: toRequestBody(operation.body, components) } : {}),
    responses: toResponses(operation, components),
  };
}

const SECURITY: Record<Operation["auth"], Members[]> = {
  none: [],
  optional: [{}, { bearer: [] }],
  required: [{ bearer: [] }],
};

function toRequestBody({ schema, examples }: Content, components: Map<string, Json>): Members {
  const json = { schema: toSchema(schema, components), examples: toExamples(examples) };
  return { required: true, content: { "application/json": json } };
}

function toDescription(operation: Operation): string {
  const { scope } = operation;
  const scopes = scope.length === 0 ? "none" : scope.map((one) => `\`${one}\``).join(" or ");
  const key = operation.auth === "none" ? "" : ` Scope a key needs: ${scopes}.`;
  const { description, charge, caching } = operation;
  const sentence = caching.endsWith(".") ? caching : `\`${caching}\`.`;
  return `${description}\n\nUnits: ${toUnits(charge)}.${key} Cache-Control: ${sentence}`;
}

function toUnits(charge: Charge): string {
  switch (charge.per) {
    case "reply":
      return `${charge.units}`;
    case "category":
      return `${charge.first}, plus ${charge.each} for each of ${charge.categories.join(" and ")} asked`;
    case "block":
      return `${charge.units} per started block of ${charge.objects} stations, vehicles and places returned`;
    case "execution": {
      const free = [...charge.free, "error observations"].join(" and ");
      return `${charge.paid.join(" and ")} ${charge.units}, ${free} 0`;
    }
  }
}

/** An alias is a parameter of its own; neither of the two is marked required (§4.9: one of). */
function toParameters(name: string, parameter: Parameter): Members[] {
  const { alias, required } = parameter;
  const one = (as: string, text: string, mandatory: boolean): Members => ({
    name: as,
    in: parameter.in ?? "query",
    description: text,
    ...(mandatory || parameter.in === "path" ? { required: true } : {}),
    ...(parameter.deprecated === true ? { deprecated: true } : {}),
    ...toWire(parameter),
  });
  if (alias === undefined) return [one(name, parameter.description, required)];
  const either = required ? ` One of \`${name}\` and \`${alias}\` is required.` : "";
  return [
    one(name, `${parameter.description}${either}`, false),
    one(alias, `Alias of \`${name}\`.${either}`, false),
  ];
}

/** A list is an array, which `style` and `explode` send as one value with commas. */
function toWire(parameter: Parameter): Members {
  const { kind, schema, choices = [] } = parameter;
  if (kind !== "list") return { schema: schema as unknown as Json, example: toExample(parameter) };
  const { pattern: _, type: __, default: usual, ...more } = schema as unknown as Members;
  const fallback = typeof usual === "string" ? { default: usual.split(",") } : {};
  const items = { type: "string", enum: [...choices] };
  return {
    ...{ style: "form", explode: false },
    schema: { type: "array", items, minItems: 1, ...fallback, ...more },
    example: parameter.example.split(","),
  };
}

function toExample({ kind, example }: Parameter): Json {
  switch (kind) {
    case "number":
    case "integer":
      return Number(example);
    case "boolean":
      return example === "true";
    case "choice":
    case "list":
    case "text":
    case "texts":
    case "pattern":
    case "coords":
    case "secret":
      return example;
  }
}

function toResponses(operation: Operation, components: Map<string, Json>): Members {
  const responses: Members = { 200: toSuccess(operation, components) };
  if (operation.conditional === true) {
    responses["304"] = {
      description:
        "Not modified: `If-None-Match` names the present ETag, or nothing has changed since `If-Modified-Since`.",
      headers: toHeaders(["RequestId", "CacheControl", "ETag", "Vary"]),
    };
  }
  for (const [status, codes] of Object.entries(operation.errors)) {
    responses[status] = toError(operation, Number(status), codes, components);
  }
  return responses;
}

function toSuccess(operation: Operation, components: Map<string, Json>): Members {
  const { description, content } = operation.success;
  const names = ["RequestId", "CacheControl"];
  if (operation.conditional === true) names.push("ETag", "Vary");
  if (operation.licence_link) names.push("Link", "Vary");
  if (operation.auth !== "none") names.push("Deprecation", "RateLimit", "RateLimitPolicy");
  const types = Object.entries(content).map(([type, { schema, examples }]) => [
    type,
    { schema: toSchema(schema, components), examples: toExamples(examples) },
  ]);
  return { description, headers: toHeaders(names), content: Object.fromEntries(types) };
}

function toExamples(examples: Readonly<Record<string, unknown>>): Members {
  const entries = Object.entries(examples).map(([name, value]) => [name, { value: value as Json }]);
  return Object.fromEntries(entries);
}

function toError(
  operation: Operation,
  status: number,
  codes: readonly ErrorCode[],
  components: Map<string, Json>,
): Members {
  const names = ["RequestId", "CacheControl"];
  if (status === 401) names.push("WwwAuthenticate");
  if (RETRIED.has(status)) names.push("RetryAfter");
  if (operation.auth !== "none") names.push("RateLimit", "RateLimitPolicy");
  if (operation.auth !== "none") names.push("Link", "Deprecation");
  const examples = codes.map((code) => [
    code,
    { value: { error: { code, message: errorRow(code).example } } },
  ]);
  const schema = toSchema(ErrorBody, components);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join("\n\n"),
    headers: toHeaders(names),
    content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
  };
}

/** Statuses that may carry `Retry-After`; it is left out where asking again changes nothing. */
const RETRIED: ReadonlySet<number> = new Set([402, 429, 503]);

/** Header names as sent on the wire, by component. */
const WIRE_NAMES: Record<string, string> = {
  RequestId: "x-request-id",
  CacheControl: "Cache-Control",
  RateLimit: "RateLimit",
  RateLimitPolicy: "RateLimit-Policy",
  RetryAfter: "Retry-After",
  WwwAuthenticate: "WWW-Authenticate",
};

function toHeaders(names: readonly string[]): Members {
  const entries = names.map((name) => [
    WIRE_NAMES[name] ?? name,
    { $ref: `#/components/headers/${name}` },
  ]);
  return Object.fromEntries(entries);
}

/** A titled schema becomes a component and is referred to. */
export function toSchema(schema: TSchema, components: Map<string, Json>): Json {
  return resolve(schema as unknown as Json, components);
}

function resolve(node: Json, components: Map<string, Json>): Json {
  if (Array.isArray(node)) return node.map((item) => resolve(item, components));
  if (node === null || typeof node !== "object") return node;
  const { title } = node;
  if (typeof title !== "string") return resolveMembers(node, components);
  if (!components.has(title)) {
    components.set(title, null);
    components.set(title, resolveMembers(node, components));
  }
  return { $ref: `#/components/schemas/${title}` };
}

function resolveMembers(node: Members, components: Map<string, Json>): Members {
  const entries = Object.entries(node).map(([member, value]) => [
    member,
    resolve(value as Json, components),
  ]);
  return Object.fromEntries(entries);
}

function byName([a]: [string, Json], [b]: [string, Json]): number {
  return a < b ? -1 : 1;
}
