/**
 * Generated requests of the isolation trial. Every request asks at a point that no other request of
 * the run uses, so that a response which belongs to another one can be told from its own.
 */
import type { Random } from "../dice.ts";

export type Point = { lat: number; lon: number };
export type Account = { name: string; key: string | null };

export type Question = {
  kind: Kind;
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body: string | null;
  point: Point;
  account: Account;
  /** Echoed by capabilities and tools. */
  serial: number;
  /** The client closes the connection after so many milliseconds; null: it waits. */
  abort_after_ms: number | null;
};

const KINDS = [
  ...["nearby", "nearby", "nearby", "geojson", "debug", "search", "tool"],
  ...["services", "transport", "reverse", "read"],
] as const;
type Kind = "nearby" | "geojson" | "debug" | "search" | "tool" | "read" | Simple;
type Simple = "services" | "transport" | "reverse";

/** Centres of simulated cities that are thousands of kilometres apart, and open sea. */
const CENTRES: readonly Point[] = [
  { lat: 48.8566, lon: 2.3522 },
  { lat: 51.5074, lon: -0.1278 },
  { lat: 40.7128, lon: -74.006 },
  { lat: 35.6762, lon: 139.6503 },
  { lat: -33.8688, lon: 151.2093 },
  { lat: -33.9249, lon: 18.4241 },
  { lat: 19.4326, lon: -99.1332 },
  { lat: 37.7749, lon: -122.4194 },
  { lat: -40.5, lon: -20.25 },
];

/** Steps of a millionth of a degree (0.1 m) north and east: 1,000 × 1,000 points a city. */
const STEPS = 1000;
const STEP_DEG = 1e-6;

export function makeQuestion(
  serial: number,
  {
    random,
    accounts,
    abort_rate,
  }: { random: Random; accounts: readonly Account[]; abort_rate: number },
): Question {
  const kind: Kind = pick(KINDS, random);
  const account = pick(accounts, random);
  const point = pointOf(serial, pick(CENTRES, random));
  const abort_after_ms = random() < abort_rate ? random() ** 3 * 60 : null;
  const headers: Record<string, string> = { "x-request-id": `isolation-${serial}` };
  if (account.key !== null) headers["authorization"] = `Bearer ${account.key}`;
  const common = { kind, point, account, serial, abort_after_ms, headers };
  return { ...common, ...requestOf(kind, { point, serial, random }, headers) };
}

/** No two serials below a million share a point, in whichever cities they lie. */
function pointOf(serial: number, centre: Point): Point {
  const east = serial % STEPS;
  const north = Math.floor(serial / STEPS) % STEPS;
  return { lat: round(centre.lat + north * STEP_DEG), lon: round(centre.lon + east * STEP_DEG) };
}

function round(degrees: number): number {
  return Number(degrees.toFixed(6));
}

type Seed = { point: Point; serial: number; random: Random };
type Sent = Pick<Question, "method" | "path" | "body">;

function requestOf(kind: Kind, seed: Seed, headers: Record<string, string>): Sent {
  const { point, serial, random } = seed;
  const at = `lat=${point.lat}&lon=${point.lon}`;
  const limit = pick([1, 3, 20, 100], random);
  const include = pick(["stations,vehicles", "stations,vehicles,places,lines,alerts"], random);
  const nearby = `/v1/nearby?${at}&limit=${limit}&include=${include}`;
  const post = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  switch (kind) {
    case "nearby":
      if (random() < 0.2) headers["accept-encoding"] = pick(["gzip", "br"], random);
      return get(nearby);
    case "geojson":
      return get(`${nearby}&format=geojson`);
    case "debug":
      return get(`${nearby}&debug=true`);
    case "services":
      return get(`/v1/services/nearby?${at}&types=toilets,aed,drinking_water&limit=${limit}`);
    case "transport":
      return get(`/v1/transport/nearby?${at}&limit=${limit}`);
    case "reverse":
      return get(`/v1/reverse-geocode?${at}`);
    case "search": {
      Object.assign(headers, post);
      const policy = pick([null, "accept_valid_cache", "revalidate"], random);
      return {
        method: "POST",
        path: "/v1/capabilities",
        body: searchBody(point, serial, { limit, policy }),
      };
    }
    case "tool":
      Object.assign(headers, post);
      return { method: "POST", path: "/mcp", body: toolBody(point, serial, limit) };
    case "read":
      // Filled in by the runner with a dataset of an earlier search of the account.
      return get("");
  }
}

function get(path: string): Sent {
  return { method: "GET", path, body: null };
}

function searchBody(
  point: Point,
  serial: number,
  { limit, policy }: { limit: number; policy: string | null },
): string {
  const correlation = {
    conversation_id: "isolation",
    interaction_id: `i${serial}`,
    request_id: `r${serial}`,
    parent_request_id: null,
    turn_id: serial,
  };
  const args = { ...point, limit, include: ["stations", "vehicles"] };
  const request = { capability: "search_mobility", args };
  return JSON.stringify({
    contract_version: "1.0.0",
    correlation,
    request,
    freshness_policy: policy,
  });
}

function toolBody(point: Point, serial: number, limit: number): string {
  const params = {
    name: "search_mobility_nearby",
    arguments: { ...point, limit: Math.min(limit, 20) },
  };
  return JSON.stringify({ jsonrpc: "2.0", id: serial, method: "tools/call", params });
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}
