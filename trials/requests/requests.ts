/**
 * Requests generated from the description that the service publishes and from the tools that its
 * agents' server lists: every operation, valid questions and faulty ones. The same seed gives the
 * same requests.
 */
import { createDice, type Random } from "../dice.ts";
import { createValues, pick, type Schema, type Subject, type Values } from "./values.ts";

export type ApiRequest = {
  /** `getNearby`, `tool search_mobility`, … */
  operation: string;
  method: string;
  /** Path and query, as written to the wire. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** What the generator made wrong; null: nothing. */
  fault: string | null;
};

export type Description = {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
};
type Parameter = { in: "query" | "path"; name: string; required?: boolean; schema: Schema };
type Operation = {
  operationId?: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, { schema: Schema }>> };
};
export type Tool = { name: string; inputSchema: Schema };

export type RequestSource = {
  /** The request of that serial number; `datasets`: those that may be read again. */
  make(serial: number, datasets: Subject["dataset"][]): ApiRequest;
};

type Endpoint = { name: string; make(values: Values, random: Random): Draft };
type Draft = {
  method: string;
  path: string;
  query: [name: string, text: string][];
  body: unknown;
};

const FAULTY_SHARE = 0.15;

export function createRequests(
  { description, tools }: { description: Description; tools: readonly Tool[] },
  { seed, keys }: { seed: number; keys: readonly string[] },
): RequestSource {
  const endpoints = [
    ...listEndpoints(description),
    ...tools.map(toToolCall),
    ...["initialize", "tools/list", "resources/list", "ping"].map(toProtocolCall),
  ];
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : (description.components.schemas[name] ?? {});
  };
  return {
    make(serial, datasets) {
      const random = createDice(seed * 1_000_003 + serial).next;
      // In turn, so that each has its share; a few stand for every path that leads nowhere.
      const endpoint = endpoints[serial % endpoints.length]!;
      const draft = endpoint.make(createValues(random, { resolve, datasets }), random);
      const fault = random() < FAULTY_SHARE ? spoil(draft, random) : null;
      const headers = makeHeaders(draft, { random, keys });
      return { operation: endpoint.name, ...write(draft), headers, fault };
    },
  };
}

function listEndpoints({ paths }: Description): Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, operation]) => ({
        name: operation.operationId!,
        make: (values: Values, random: Random): Draft =>
          fill(method, path, operation, values, random),
      })),
  );
}

function fill(
  method: string,
  path: string,
  { parameters = [], requestBody }: Operation,
  values: Values,
  random: Random,
): Draft {
  const text = ({ name, schema }: Parameter): string => String(values.valueOf(name, schema));
  let filled = path;
  const query: Draft["query"] = [];
  const isGiven = (each: Parameter): boolean => {
    if (each.name === "token") return false;
    // Another name of `lon`: one of the two is sent.
    if (each.name === "lng") return !query.some(([name]) => name === "lon");
    return each.required === true || random() < (each.name === "lon" ? 0.8 : 0.4);
  };
  for (const each of parameters) {
    if (each.in === "path")
      filled = filled.replace(`{${each.name}}`, encodeURIComponent(text(each)));
    else if (isGiven(each)) query.push([each.name, text(each)]);
  }
  const schema = requestBody?.content["application/json"]?.schema;
  const body = schema ? values.valueOf("body", schema) : null;
  return { method: method.toUpperCase(), path: filled, query, body };
}

function toToolCall({ name, inputSchema }: Tool): Endpoint {
  return {
    name: `tool ${name}`,
    make: (values) =>
      call("tools/call", { name, arguments: values.valueOf("arguments", inputSchema) }),
  };
}

function toProtocolCall(method: string): Endpoint {
  const params = {
    ...{ protocolVersion: "2025-06-18", capabilities: {} },
    clientInfo: { name: "trial", version: "1" },
  };
  return { name: method, make: () => call(method, method === "initialize" ? params : {}) };
}

function call(method: string, params: object): Draft {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  return { method: "POST", path: "/mcp", query: [], body };
}

const GARBAGE = [
  "",
  " ",
  "abc",
  "-1",
  "1e9",
  "NaN",
  "a,b",
  "0x10",
  "1;2",
  "\u0000",
  "é",
  "9".repeat(250),
];

/** Makes one thing wrong, or unusual, and says what. */
function spoil(draft: Draft, random: Random): string {
  const at = Math.floor(random() * draft.query.length);
  const pair = draft.query[at];
  const faults: [string, () => void][] = [
    ["unknown parameter", () => void draft.query.push(["unknown", "1"])],
    [
      "another method",
      () => void (draft.method = pick(["PUT", "DELETE", "OPTIONS", "HEAD"], random)),
    ],
    ["another path", () => void (draft.path += pick(["/", "/x", "%2f", "//"], random))],
  ];
  if (pair) {
    faults.push(
      ["repeated parameter", () => void draft.query.push([...pair])],
      ["left out", () => void draft.query.splice(at, 1)],
      ["garbage", () => void (draft.query[at] = [pair[0], pick(GARBAGE, random)])],
      ["garbage", () => void (draft.query[at] = [pair[0], pick(GARBAGE, random)])],
    );
  }
  if (draft.body !== null)
    faults.push(["spoiled body", () => void (draft.body = spoilBody(draft.body, random))]);
  const [name, apply] = pick(faults, random);
  apply();
  return name;
}

/** One value of the body, at whatever depth, replaced or removed. */
function spoilBody(body: unknown, random: Random): unknown {
  const copy = structuredClone(body);
  let at = copy as Record<string, unknown>;
  for (;;) {
    const names = Object.keys(at);
    const name = pick(names, random);
    const member = at[name];
    if (
      member !== null &&
      typeof member === "object" &&
      Object.keys(member).length > 0 &&
      random() < 0.8
    ) {
      at = member as Record<string, unknown>;
      continue;
    }
    if (random() < 0.3) delete at[name];
    else at[name] = pick([null, "", "x", -1, 1e9, {}, [], true], random);
    return copy;
  }
}

function makeHeaders(
  draft: Draft,
  { random, keys }: { random: Random; keys: readonly string[] },
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (draft.body !== null) headers["content-type"] = "application/json";
  if (draft.path === "/mcp") headers["accept"] = "application/json, text/event-stream";
  else if (random() < 0.3)
    headers["accept"] = pick(["*/*", "application/json", "text/html"], random);
  if (random() < 0.3) headers["accept-encoding"] = pick(["gzip", "br", "zstd", "identity"], random);
  if (random() < 0.1) headers["origin"] = "https://app.example";
  if (random() < 0.05) headers["if-none-match"] = pick(["*", '"none"'], random);
  const roll = random();
  if (keys.length > 0 && roll < 0.4) headers["authorization"] = `Bearer ${pick(keys, random)}`;
  else if (roll > 0.97) headers["authorization"] = "Bearer vic_made_up";
  return headers;
}

function write(draft: Draft): Pick<ApiRequest, "method" | "target" | "body"> {
  const query = draft.query
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join("&");
  return {
    method: draft.method,
    target: query === "" ? draft.path : `${draft.path}?${query}`,
    body: draft.body === null ? null : JSON.stringify(draft.body),
  };
}
