/**
 * Requests generated from the description that the service publishes and from the tools that its
 * agents' server lists: every operation, valid requests and faulty ones. The same seed gives the same
 * requests.
 */
import type { ValidateFunction } from "ajv/dist/2020.js";
import { createDice, type Dice } from "../dice.ts";
import {
  type Body,
  type BodyRules,
  breakBytes,
  breakJson,
  compileBody,
  enlarge,
  type Json,
  type Refusal,
  validJson,
  write,
} from "./bodies.ts";
import {
  type Description,
  listOperations,
  type Operation,
  resolveIn,
  type Schema,
  type Tool,
} from "./description.ts";
import { addCredential, OTHER_HEADERS, oddHeaders } from "./headers.ts";
import type { Point } from "./laws/geo.ts";
import { PLACES, REMOTE } from "./places.ts";
import { arrange } from "./tool-arguments.ts";
import { BROKEN, encode, oddTexts, type Subject, validText } from "./texts.ts";

export type ApiRequest = {
  /** `getNearby`, `tool search_mobility`, … */
  operation: string;
  method: string;
  /** Path and query, as written to the wire. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer | null;
  /** What the generator made odd or wrong; null: nothing. */
  fault: string | null;
  /** How the body must be refused; null: it is valid, or there is none. */
  refused: Refusal | null;
};

export type RequestSource = {
  /** Names of the operations and tools, in turn. */
  operations: readonly string[];
  /** The request of that serial number; `datasets`: those that may be read again. */
  make(serial: number, datasets: readonly Subject["dataset"][]): ApiRequest;
};

type Draft = {
  method: string;
  path: string;
  /** Written as they are. */
  query: [name: string, raw: string][];
  body: Body | null;
};
type Making = { serial: number; dice: Dice; subject: Subject; faulty: boolean };
type Endpoint = { name: string; make(making: Making): { draft: Draft; fault: string | null } };

/** How often an operation or tool is asked relative to others; 1 where absent. */
export type Shares = Readonly<Record<string, number>>;
/** Those that have the most to go wrong. */
const SHARES: Shares = {
  getNearby: 8,
  getTransportNearby: 5,
  getServicesNearby: 4,
  executeCapability: 4,
  geocode: 3,
  getWalk: 3,
  getReach: 3,
  "tool search_mobility_nearby": 3,
};

export function createRequests(
  { description, tools }: { description: Description; tools: readonly Tool[] },
  options: {
    seed: number;
    keys: readonly string[];
    faulty?: number;
    shares?: Shares;
    /** The point of a request; without it, one that other requests ask about, too, or one near it. */
    pointOf?: (serial: number) => Point;
    /** Ids of stations that the service knows. */
    stations?: readonly string[];
    /** Share of the tool calls that take a place by its name or as text. */
    near?: number;
  },
): RequestSource {
  const { seed, keys, faulty = 0.15, shares = SHARES, pointOf, stations = [], near = 0 } = options;
  const endpoints = [
    ...listOperations(description).map((operation) => toEndpoint(operation, description)),
    ...tools.map((tool) => toToolCall(tool, description, near)),
    ...["initialize", "tools/list", "resources/list", "ping"].map(toProtocolCall),
  ].flatMap((endpoint) => Array.from({ length: shares[endpoint.name] ?? 1 }, () => endpoint));
  return {
    operations: [...new Set(endpoints.map(({ name }) => name))],
    make(serial, datasets) {
      const dice = createDice(seed, serial);
      const endpoint = endpoints[serial % endpoints.length]!;
      const subject = { ...makeSubject(dice, datasets), stations, ...pointOf?.(serial) };
      const isFaulty = dice.chance(faulty);
      const { draft, fault } = endpoint.make({ serial, dice, subject, faulty: isFaulty });
      const headers = makeHeaders(draft, dice);
      const takesToken = draft.path !== "/mcp";
      const odd = isFaulty && dice.chance(0.3) ? spoilRequest(draft, headers, dice) : null;
      const credential = addCredential(headers, draft.query, {
        keys,
        dice,
        takesToken,
        bad: isFaulty && dice.chance(0.15),
      });
      const query = draft.query.map(([name, raw]) => (raw === "=" ? name : `${name}=${raw}`));
      const target = query.length === 0 ? draft.path : `${draft.path}?${query.join("&")}`;
      const { method, body } = draft;
      return {
        operation: endpoint.name,
        method,
        target,
        headers,
        body: body?.bytes ?? null,
        fault: [fault, odd, credential].filter((each) => each !== null).join("; ") || null,
        refused: body?.refused ?? null,
      };
    },
  };
}

/** Points that others ask about, too, so that answers repeat; and points of their own. */
function makeSubject(
  dice: Dice,
  datasets: readonly Subject["dataset"][],
): Omit<Subject, "stations"> {
  // Drawn even where none is known, so that nothing else of a request depends on what is.
  const drawn = dice.next();
  const dataset = datasets[Math.floor(drawn * datasets.length)] ?? null;
  const place = dice.pick(PLACES);
  const roll = dice.next();
  if (roll < 0.75) {
    const step = dice.pick([0, 0.006]);
    return { lat: round(place.lat + step), lon: round(place.lon - step), dataset };
  }
  if (roll < 0.8) return { ...dice.pick(REMOTE), dataset };
  const near = (degrees: number): number => round(degrees + (dice.next() - 0.5) * 0.02);
  return { lat: near(place.lat), lon: near(place.lon), dataset };
}

const round = (degrees: number): number => Number(degrees.toFixed(6));

function toEndpoint(operation: Operation, description: Description): Endpoint {
  const body = operation.body === null ? null : toBodyMaker(operation.body, description);
  return {
    name: operation.id,
    make: (making) => {
      const { faulty } = making;
      const { draft, odd } = fill(operation, making);
      draft.body = body === null ? null : body({ ...making, faulty: faulty && odd === null });
      const fault = [odd, draft.body?.fault ?? null].filter((each) => each !== null);
      return { draft, fault: fault.length === 0 ? null : fault.join("; ") };
    },
  };
}

/** Valid parameters, and one or several odd ones where it is to be faulty. */
function fill(
  { method, path, parameters }: Operation,
  { dice, subject, faulty }: Making,
): { draft: Draft; odd: string | null } {
  const odd = new Map<string, { text: string; raw?: string; what: string }>();
  const own_parameters = parameters.filter(({ name }) => name !== "token");
  const count = faulty && own_parameters.length > 0 ? dice.pick([0, 1, 1, 1, 1, 2, 3]) : 0;
  for (let n = 0; n < count; n++) {
    const { name, schema } = dice.pick(own_parameters);
    const isBroken = dice.chance(0.06);
    const texts = isBroken ? BROKEN : oddTexts(schema);
    const what = dice.pick(Object.keys(texts));
    const text = dice.pick(texts[what]!);
    odd.set(name, { text, ...(isBroken && { raw: text }), what });
  }
  let filled = path;
  const query: Draft["query"] = [];
  const other = dice.chance(0.3) ? "lon" : "lng";
  const half = dice.chance(0.5);
  // Where a point is required, its longitude has two names, neither of them required by itself.
  const isLocated =
    !faulty && own_parameters.some(({ name, required }) => name === "lat" && required === true);
  for (const parameter of dice.shuffle(own_parameters)) {
    const { name } = parameter;
    const input = odd.get(name);
    if (parameter.in === "path") {
      const text = encodeURIComponent(
        (input?.text ?? validText(parameter, subject, dice)).toWellFormed(),
      );
      filled = filled.replace(`{${name}}`, () => input?.raw ?? (text || "%20"));
      continue;
    }
    const isPoint = name === "lat" || name === "lon";
    // Both names of the longitude now and then, with one value.
    const isAlias = name === other && own_parameters.some((each) => each.name === "lng");
    const isLongitude = name === "lon" || name === "lng";
    const isWanted =
      parameter.required === true ||
      (isPoint && (parameter.required ?? half)) ||
      (isLocated && isLongitude && !isAlias);
    const isGiven = input !== undefined || isWanted || (isPoint && half) || dice.chance(0.4);
    if (!isGiven || (isAlias && input === undefined && !dice.chance(0.1))) continue;
    const text = input?.text ?? validText(parameter, subject, dice);
    query.push([name, input?.raw ?? encode(text, dice)]);
  }
  const labels = [...odd].map(([name, { what }]) => `${name}: ${what}`);
  return {
    draft: { method, path: filled, query, body: null },
    odd: labels.length === 0 ? null : labels.join("; "),
  };
}

type BodyMaker = (making: Making) => Body;

function toBodyMaker(schema: Schema, description: Description): BodyMaker {
  const resolve = resolveIn(description);
  const rules = capabilityRules(compileBody(schema, description.components.schemas));
  return ({ dice, subject, faulty }) => {
    const valid = validJson("body", schema, { resolve, subject, dice });
    const text = write(valid);
    const good: Body = { bytes: Buffer.from(pad(text, dice)), fault: null, refused: null };
    if (!faulty) return good;
    const roll = dice.next();
    if (roll < 0.02) return enlarge(text, dice);
    if (roll < 0.15) return breakBytes(text, dice);
    if (roll < 0.17) {
      const bytes = Buffer.from(write(dice.pick<Json>([null, true, 5, "x", [], [valid]])));
      return { bytes, fault: "no object", refused: { code: "invalid_request", names: ["body"] } };
    }
    return breakJson(valid as Record<string, Json>, rules, dice) ?? good;
  };
}

/** Blanks between tokens mean nothing. */
function pad(text: string, dice: Dice): string {
  const blank = (): string => dice.pick(["", "", " ", "\n", "\r\n\t"]);
  return blank() + text + blank();
}

function capabilityRules(validate: ValidateFunction): BodyRules {
  return {
    validate,
    nameOf: (path) => path.join("."),
    codeOf: (path, value) => {
      const name = path.join(".");
      if (name === "contract_version") return "unsupported_contract_version";
      if (name === "request.capability" && typeof value === "string" && !value.startsWith("@"))
        return "unknown_capability";
      const isObject = ["correlation", "request", "request.args"].includes(name);
      const isOther = value !== null && typeof value === "object" && !Array.isArray(value);
      return isObject && isOther && Object.keys(value).length > 0 ? "unexpected_member" : null;
    },
  };
}

/** By tool, the operation whose parameters are its arguments and state their rules (docs/agents.md). */
const TOOL_RULES: Readonly<Record<string, string>> = {
  ask_here: "getNearby",
  search_mobility_nearby: "getNearby",
  find_urban_services: "getServicesNearby",
  find_places: "getPlacesNearby",
  find_transit_stations: "getTransportNearby",
  find_departures: "getDeparturesNearby",
  geocode: "geocode",
  reverse_geocode: "reverseGeocode",
  get_place: "getNearby",
  get_weather: "getNearby",
  plan_nearby: "getNearby",
  compare_places: "getNearby",
};

/** Bounds of arguments that no operation has. */
const TOOL_BOUNDS: Readonly<Record<string, Schema>> = {
  "read_dataset within_minutes": { minimum: 1, maximum: 30 },
  "get_weather hours": { minimum: 1, maximum: 24 },
  "compare_places radius": { minimum: 1, maximum: 400 },
};

/** Texts of a form that no schema states. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  lines: ["M1", "T1,40"],
  from: ["48.8566,2.3522", "52.52, 13.405", "-33.8688,151.2093", "-40.5,-20.25"],
};
/** Latitude and longitude as one text. */
const POINT = "^-?\\d{1,3}(\\.\\d{1,20})? ?, ?-?\\d{1,3}(\\.\\d{1,20})?$";

const NULL: Schema = { type: "null" };

/** The schema of a tool's arguments with the bounds that only the operation's parameters state. */
function toolSchema(
  { name, inputSchema }: Tool,
  description: Description,
  of: "valid" | "judged",
): Schema {
  const operation = listOperations(description).find(({ id }) => id === TOOL_RULES[name]);
  // Where it is asked is given by coordinates; `near` is put in their place (tool-arguments.ts).
  const { near: _near, ...members } = inputSchema.properties ?? {};
  const point = ["lat", "lon"].filter((member) => member in members);
  const required = [...new Set([...(inputSchema.required ?? []), ...point])];
  const properties = Object.entries(members).map(([member, input]) => {
    const rule = operation?.parameters.find((each) => each.name === member)?.schema;
    const { minimum, exclusiveMinimum, maximum, maxLength, pattern } = rule ?? {};
    const bounds = {
      ...(rule?.["x-items"] ? { minItems: 1 } : { pattern, maxLength, minLength: 1 }),
      minimum: minimum ?? (rule ? undefined : member === "limit" ? 1 : 0),
      exclusiveMinimum,
      maximum,
    };
    // No pattern says which times there are.
    const words =
      member === "usable"
        ? { enum: ["any", "now"] }
        : of === "valid" && EXAMPLES[member]
          ? { enum: EXAMPLES[member] }
          : name === "get_place" && member === "from"
            ? { pattern: POINT }
            : {};
    const own = TOOL_BOUNDS[`${name} ${member}`];
    const isNames = input.type === "array" && pattern !== undefined && !rule?.["x-items"];
    const tightened: Schema = isNames
      ? namesSchema(pattern, of === "valid" ? EXAMPLES[member] : undefined)
      : { ...input, ...(bounds as Schema), ...words, ...own };
    // The listed schema has one plain type a member; what may be left out may be null as well.
    const isRequired = required.includes(member);
    return [member, isRequired ? tightened : { anyOf: [tightened, NULL] }] as const;
  });
  return { ...inputSchema, required, properties: Object.fromEntries(properties) };
}

/** Names: an array of them, or one text with commas between them as the operation takes it. */
function namesSchema(pattern: string, examples: readonly string[] | undefined): Schema {
  const [, most = "60"] = /\{1,(\d+)\}/.exec(pattern) ?? [];
  const one = { type: "string", pattern: `^[^,\\u0000-\\u001f\\u007f-\\u009f]{1,${most}}$` };
  const items = examples ? { enum: examples.flatMap((each) => each.split(",")) } : one;
  const names = { type: "array", items, minItems: 1, maxItems: 20 } as Schema;
  return examples ? names : { anyOf: [names, { type: "string", pattern }] };
}

function toToolCall(tool: Tool, description: Description, near: number): Endpoint {
  const [schema, judged] = (["valid", "judged"] as const).map(
    (of) => JSON.parse(JSON.stringify(toolSchema(tool, description, of))) as Schema,
  ) as [Schema, Schema];
  const resolve = resolveIn(description);
  const members = schema.properties ?? {};
  const rules: BodyRules = {
    validate: compileBody(judged, {}),
    nameOf: (path) => ["arguments", ...path].join("."),
    codeOf: () => null,
  };
  return {
    name: `tool ${tool.name}`,
    make: ({ serial, dice, subject, faulty }) => {
      const drawn = validJson("arguments", schema, { resolve, subject, dice });
      const options = { subject, dice, near };
      const arranged = arrange(drawn as Record<string, Json>, tool.inputSchema, options);
      const broken = faulty && !arranged.fixed ? breakJson(arranged.args, rules, dice) : null;
      // A member given twice, or called __proto__, is lost before the tool sees it; others are known.
      const [, extra = ""] = /^extra (\w+)$/.exec(broken?.fault ?? "") ?? [];
      const isLost = /^twice |__proto__/.test(broken?.fault ?? "") || Object.hasOwn(members, extra);
      const made = isLost ? null : broken;
      const args = made === null ? write(arranged.args) : made.bytes.toString();
      const params = `{"name":${JSON.stringify(tool.name)},"arguments":${args}}`;
      const body = {
        bytes: callBody(serial, "tools/call", params),
        fault: null,
        refused: made?.refused ?? arranged.refused,
      };
      return { draft: post(body), fault: made?.fault ?? arranged.fault };
    },
  };
}

function toProtocolCall(method: string): Endpoint {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "trial", version: "1" },
  };
  const text = JSON.stringify(method === "initialize" ? params : {});
  return {
    name: method,
    make: ({ serial }) => ({
      draft: post({ bytes: callBody(serial, method, text), fault: null, refused: null }),
      fault: null,
    }),
  };
}

function callBody(serial: number, method: string, params: string): Buffer {
  return Buffer.from(`{"jsonrpc":"2.0","id":${serial},"method":"${method}","params":${params}}`);
}

const post = (body: Body): Draft => ({ method: "POST", path: "/mcp", query: [], body });

function makeHeaders({ path, body }: Draft, dice: Dice): Record<string, string> {
  const headers: Record<string, string> = {};
  const types = ["application/json", "application/json; charset=utf-8", "Application/JSON"];
  if (body !== null) headers["content-type"] = path === "/mcp" ? types[0]! : dice.pick(types);
  if (path === "/mcp") headers["accept"] = "application/json, text/event-stream";
  else if (dice.chance(0.3))
    headers["accept"] = dice.pick(["*/*", "application/json", "text/html"]);
  if (dice.chance(0.3)) headers["accept-encoding"] = dice.pick(["gzip", "br", "identity"]);
  if (dice.chance(0.05))
    headers["if-none-match"] = dice.pick(["*", '"none"', "ETAG", 'W/"y", ETAG']);
  return headers;
}

const METHODS = ["PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "POST", "GET", "QUERY", "PROPFIND"];
/** Parameters that no operation knows; they may hold anything, even what is broken. */
const UNKNOWN: readonly (readonly [name: string, raw: string])[] = [
  ...([
    ["utm_source", "x"],
    ["Lat", "91"],
    ["x", "="],
    ["", "1"],
    ["%zz", "1"],
  ] as const),
  ...([
    ["radius%20", "0"],
    ["a", "%"],
    ["lat[]", "1"],
    ["lat%00", "1"],
    ["unknown", "1"],
  ] as const),
];

/** Makes one thing about the request as a whole odd or wrong, and says what. */
function spoilRequest(draft: Draft, headers: Record<string, string>, dice: Dice): string {
  const { query } = draft;
  const at = dice.integer(0, query.length - 1);
  const faults: Record<string, () => void> = {
    "unknown parameter": () => query.push([...dice.pick(UNKNOWN)]),
    "another method": () => (draft.method = dice.pick(METHODS)),
    "another path": () => (draft.path += dice.pick(["/", "/x", "%2f", "//", ";x=1"])),
    "path in capitals": () => (draft.path = draft.path.toUpperCase()),
    "escaped path": () => (draft.path = draft.path.replace(/[a-z](?=[^/]*$)/, escapeOf)),
    "target too long": () => query.push(["x", "y".repeat(8_200)]),
    "many parameters": () => {
      for (let n = 0; n < 600; n++) query.push([`u${n}`, "%"]);
    },
    "odd headers": () => oddHeaders(headers, dice),
    "another header": () => Object.assign(headers, dice.pick(OTHER_HEADERS)),
  };
  if (query.length > 0) {
    faults["repeated"] = () =>
      query.push(dice.chance(0.6) ? [...query[at]!] : [query[at]![0], "1"]);
    faults["left out"] = () => query.splice(at, 1);
    faults["without a value"] = () => (query[at] = [query[at]![0], "="]);
    faults["lon and lng"] = () =>
      query.push([dice.pick(["lon", "lng"]), String(dice.integer(1, 90))]);
    faults["offset above the plan"] = () => query.push(["offset", dice.pick(["1001", "10001"])]);
  }
  if (draft.body !== null)
    faults["content type"] = () => (headers["content-type"] = dice.pick(WRONG_TYPES));
  if (draft.body !== null)
    faults["content encoding"] = () => (headers["content-encoding"] = dice.pick(WRONG_CODINGS));
  const name = dice.pick(Object.keys(faults));
  faults[name]!();
  return name;
}

const escapeOf = (char: string): string => `%${char.charCodeAt(0).toString(16)}`;

const WRONG_TYPES = [
  ...["", "text/plain", "text/json", "application/jsonx", "application/json+x", "json", "*/*"],
  ...["application/x-www-form-urlencoded", "application/json; charset=latin1"],
  ...["application/json, text/plain", "xapplication/json", "multipart/form-data; boundary=x"],
];
const WRONG_CODINGS = ["gzip", "br", "deflate", "gzip, identity", "x"];
