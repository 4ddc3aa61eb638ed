/** The n-th request of a seed: an operation, its parameters, its headers and its transport. */
import { createDice, type Dice } from "../../../trials/dice.ts";
import type { FuzzRequest, Header, Pair } from "../request.ts";
import { addCredential, anyCase, makeHeaders } from "./headers.ts";
import { makeQuery } from "./query.ts";
import { type Operation, PATHS } from "./rules.ts";
import { UNKNOWN_PAIRS, writePair } from "./write.ts";

export function makeRequest(seed: number, index: number): FuzzRequest {
  const dice = createDice(seed, index);
  const headers = makeHeaders(dice);
  const made = makeTarget(headers, dice);
  return finish({ ...made, method: made.method ?? "GET" }, headers, dice);
}

type Target = {
  method?: string;
  path: string;
  query: string[] | null;
  labels: string[];
  body?: string;
};

/** How often each is asked, of a hundred; the rest is about methods and paths. */
const SHARES: Readonly<Record<Operation, number>> = {
  ...{ nearby: 27, sources: 4, geocode: 10, placeSearch: 8, reverse: 5 },
  ...{ services: 9, parking: 5, charging: 5, transport: 11 },
};

function makeTarget(headers: Header[], dice: Dice): Target {
  let roll = dice.next() * 100;
  for (const [operation, share] of Object.entries(SHARES)) {
    if (roll < share) return dataTarget(operation as Operation, headers, dice);
    roll -= share;
  }
  if (roll < 3) return { path: "/health", query: idleQuery(dice), labels: [] };
  if (roll < 6) return { path: "/openapi.json", query: idleQuery(dice), labels: [] };
  if (roll < 11) return methodTarget(headers, dice);
  return pathTarget(dice);
}

function dataTarget(operation: Operation, headers: Header[], dice: Dice): Target {
  const { pairs, labels } = makeQuery(operation, dice);
  if (dice.chance(0.07)) labels.push(addCredential(headers, pairs, dice));
  const query = writeQuery(pairs, dice);
  const size = dice.next();
  if (size < 0.004) {
    query.push(`x=${"y".repeat(8200)}`);
    labels.push("target: too long");
  } else if (size < 0.008) query.push(...Array.from({ length: 600 }, (_, n) => `u${n}=%`));
  return { path: PATHS[operation], query, labels };
}

function writeQuery(pairs: readonly Pair[], dice: Dice): string[] {
  const written = pairs.map((pair) => writePair(pair, dice));
  const extra = dice.chance(0.25) ? dice.integer(1, 3) : 0;
  for (let n = 0; n < extra; n++) written.push(dice.pick(UNKNOWN_PAIRS));
  return dice.chance(0.7) ? dice.shuffle(written) : written;
}

/** Operations without parameters and without authentication look at neither. */
function idleQuery(dice: Dice): string[] | null {
  if (dice.chance(0.5)) return null;
  return [dice.pick(["", "lat=NaN", "token=", "token=x&token=y", "%", "a=%ff", "q=%00"])];
}

const METHODS = [
  ...["OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY", "PROPFIND", "MKCOL", "PURGE"],
];
const KNOWN_PATHS = [...Object.values(PATHS), "/health", "/openapi.json"];
const BODIES = ["", "{}", "{", "a=b&lat=1", "\0\xff", `{"__proto__":1}`, "x".repeat(3000)];

function methodTarget(headers: Header[], dice: Dice): Target {
  const method = dice.pick(METHODS);
  const body = method === "OPTIONS" || dice.chance(0.4) ? "" : dice.pick(BODIES);
  const sized = body !== "" || dice.chance(0.5);
  if (sized && dice.chance(0.8)) headers.push(["content-length", String(body.length)]);
  else if (sized) return { ...chunked(headers, body), method, path: dice.pick(KNOWN_PATHS) };
  const query = dice.chance(0.5) ? null : ["lat=1", "lon=2"];
  return { method, path: dice.pick(KNOWN_PATHS), query, labels: [`method: ${method}`], body };
}

function chunked(headers: Header[], body: string): Omit<Target, "path"> {
  headers.push(["transfer-encoding", "chunked"]);
  const chunk = body === "" ? "" : `${body.length.toString(16)}\r\n${body}\r\n`;
  return { query: null, labels: ["method: chunked"], body: `${chunk}0\r\n\r\n` };
}

const STRANGE_PATHS: readonly string[] = [
  ...["/", "/v1", "/v1/", "/v1/nearby/", "/V1/NEARBY", "//v1/nearby", "/v1//nearby", "/health/"],
  ...[
    "/v1/nearby/x",
    "/v1/nearbyx",
    "/v1%2Fnearby",
    "/v1/../v1/nearby",
    "/./health",
    "/favicon.ico",
  ],
  ...[
    "/v1/nearby;lat=1",
    "/v1/nearby%3Flat=1",
    "/health%00",
    "/health%20",
    "/%68ealth",
    "/v1/ne%61rby",
  ],
  ...["/v1/%6eearb%79", "/%", "/%zz", "/health%", "/%ff", "/%c3%28", "/%ed%a0%80", "/__proto__"],
  ...[
    "/metrics",
    "/livez",
    "/readyz",
    "/constructor",
    "/v1/geocodes",
    "/..%2f..%2fetc%2fpasswd",
    "/*",
  ],
  ...[
    "/v1/services",
    "/v1/services/",
    "/v1/services/nearby/",
    "/v1/services%2Fnearby",
    "/v1/geocode/",
  ],
  ...[
    "/v1/place%2Dsearch",
    "/v1/place_search",
    "/v1/%72everse-geocode",
    "/v1/parking",
    "/v1/nearby/parking",
  ],
  ...["/v1/transport", "/v1/transport/nearby/", "/v1/transport/near%62y", "/v1/nearby/transport"],
  ...["http://example.org/health", "HTTP://[::1]:1/v1/sources", "https://a.b", "http://h?lat=1"],
];

function pathTarget(dice: Dice): Target {
  const method = dice.pick(["GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "DELETE"]);
  const query = dice.chance(0.5) ? null : ["lat=1", "lon=2"];
  const path = dice.pick(STRANGE_PATHS);
  // A target of its own query keeps it.
  return { method, path, query: path.includes("?") ? null : query, labels: ["path: strange"] };
}

function finish(made: Target & { method: string }, headers: Header[], dice: Dice): FuzzRequest {
  const method = made.method === "GET" && dice.chance(0.06) ? "HEAD" : made.method;
  const labels = [...made.labels];
  const all = [...headers];
  const old = dice.chance(0.015);
  if (old || !dice.chance(0.005)) all.unshift([anyCase("host", dice), "fuzz.example"]);
  else labels.push("host: missing");
  if (dice.chance(0.02)) all.push(["connection", dice.pick(["close", "keep-alive"])]);
  const { path, query, body = "" } = made;
  return { method, path, query, version: old ? "1.0" : "1.1", headers: all, body, labels };
}

export const TRANSPORT_LABELS: readonly string[] = [
  ...["target: too long", "host: missing", "path: strange", "method: chunked"],
  ...METHODS.filter((method) => method !== "OPTIONS").map((method) => `method: ${method}`),
];
