// The control surface under /__sandbox/ (operation.md, "Simulator control").
import type { SandboxClock } from "./clock.ts";
import { listDepartures, listTrueAlerts } from "./departures-truth.ts";
import { type Faults, LIVE_FAULT_KINDS, parseFault, parseJson } from "./faults.ts";
import { answerJson, refuse, type Reply, type SandboxRequest } from "./http.ts";
import type { Point } from "./geo.ts";
import type { Journal } from "./journal.ts";
import type { Source } from "./source.ts";
import { listTruth } from "./truth.ts";
import { listPlatforms } from "./walks/platforms.ts";
import type { Profile } from "./walks/put.ts";
import type { Walks } from "./walks/walk.ts";
import type { World } from "./world/world.ts";

export type ControlDeps = {
  readonly world: World;
  readonly clock: SandboxClock;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly sources: readonly Source[];
  readonly walks: Walks;
  /** What GET /__sandbox/sources answers. */
  describe(): unknown;
};

type Action = (request: SandboxRequest, deps: ControlDeps) => Reply | Promise<Reply>;
type Route = Readonly<Record<string, Action>>;

const PREFIX = "/__sandbox/";
const FAULTS_OF = "faults/";
const MAX_RADIUS_M = 50_000;
const MAX_WITHIN_MIN = 24 * 60;
const MAX_ADVANCE_S = 10 * 366 * 86_400;

const ROUTES: Readonly<Record<string, Route>> = {
  sources: { GET: (_, deps) => answerJson(200, deps.describe()) },
  truth: { GET: answerTruth },
  "truth/departures": { GET: answerDepartures },
  "truth/walk": { GET: answerWalk },
  "truth/platforms": { GET: answerPlatforms },
  faults: {
    GET: (_, { faults }) => answerJson(200, { faults: faults.list() }),
    DELETE: (_, { faults }) => {
      faults.clear();
      return noContent();
    },
  },
  requests: {
    GET: (_, { journal }) => answerJson(200, journal.read()),
    DELETE: (_, { journal }) => {
      journal.reset();
      return noContent();
    },
  },
  paths: { GET: (_, { journal }) => answerJson(200, { paths: journal.readPaths() }) },
  renumber: { POST: renumber },
  clock: {
    GET: (_, { clock }) => answerJson(200, { now: toTime(clock.now()) }),
    POST: advance,
  },
};

const FAULT_ROUTE: Route = { PUT: putFault };

export const isControl = (pathname: string): boolean => pathname.startsWith(PREFIX);

export function answerControl(request: SandboxRequest, deps: ControlDeps): Reply | Promise<Reply> {
  const name = request.pathname.slice(PREFIX.length);
  const route = name.startsWith(FAULTS_OF)
    ? FAULT_ROUTE
    : Object.hasOwn(ROUTES, name)
      ? ROUTES[name]
      : undefined;
  if (route === undefined) return refuse(404, `no control route ${request.pathname}`);
  const action = Object.hasOwn(route, request.method) ? route[request.method] : undefined;
  if (action !== undefined) return action(request, deps);
  const allow = Object.keys(route).join(", ");
  return answerJson(405, { error: { status: 405, message: `use ${allow}` } }, { allow });
}

const toTime = (now_ms: number): string => new Date(now_ms).toISOString();
const noContent = (): Reply => ({ status: 204, headers: {}, body: Buffer.alloc(0) });

function answerTruth({ query }: SandboxRequest, { world, sources, clock }: ControlDeps): Reply {
  const circle = readCircle(query);
  if ("status" in circle) return circle;
  return answerJson(200, { things: listTruth(world, sources, circle, clock.now()) });
}

/** `within` minutes from now, or from one moment to another; `silent`: feeds without live data. */
function answerDepartures({ query }: SandboxRequest, { world, clock }: ControlDeps): Reply {
  const circle = readCircle(query);
  if ("status" in circle) return circle;
  const within_min = toNumber(query.get("within") ?? "60");
  if (!(within_min >= 0 && within_min <= MAX_WITHIN_MIN))
    return refuse(400, `within must be a number from 0 to ${MAX_WITHIN_MIN}`, "within");
  const now_ms = clock.now();
  const moment = (name: string, fallback: number): number =>
    query.has(name) ? Date.parse(query.get(name) ?? "") : fallback;
  const from_ms = moment("from", Math.floor(now_ms / 60_000) * 60_000);
  const to_ms = moment("to", now_ms + within_min * 60_000);
  if (!(to_ms - from_ms <= (MAX_WITHIN_MIN + 1) * 60_000))
    return refuse(400, "from and to must be times of one day", "from");
  const { radius, ...at } = circle;
  const silent = new Set((query.get("silent") ?? "").split(",").filter(Boolean));
  const question = { at, radius, from_ms, to_ms, now_ms, silent };
  return answerJson(200, {
    window: { from: toTime(from_ms), to: toTime(to_ms) },
    departures: listDepartures(world, question),
    alerts: listTrueAlerts(world, question),
  });
}

const PROFILES: readonly Profile[] = ["foot", "step_free"];

function answerPlatforms({ query }: SandboxRequest, { world, clock }: ControlDeps): Reply {
  const circle = readCircle(query);
  if ("status" in circle) return circle;
  return answerJson(200, { stations: listPlatforms(world, circle, clock.now()) });
}

/** `from` and `to` as LAT,LON. */
function answerWalk({ query }: SandboxRequest, { walks }: ControlDeps): Reply {
  const [from, to] = [readPoint(query, "from"), readPoint(query, "to")];
  if ("status" in from) return from;
  if ("status" in to) return to;
  const profile = PROFILES.find((each) => each === (query.get("profile") ?? "foot"));
  if (profile === undefined)
    return refuse(400, `profile must be one of ${PROFILES.join(", ")}`, "profile");
  return answerJson(200, { walk: walks.find(from, to, profile) });
}

function readPoint(query: URLSearchParams, name: string): Point | Reply {
  const [lat, lon, ...more] = (query.get(name) ?? "").split(",").map(toNumber);
  const is_point = more.length === 0 && Math.abs(lat ?? NaN) <= 90 && Math.abs(lon ?? NaN) <= 180;
  return is_point ? { lat: lat!, lon: lon! } : refuse(400, `${name} must be LAT,LON`, name);
}

type Circle = { readonly lat: number; readonly lon: number; readonly radius: number };

function readCircle(query: URLSearchParams): Circle | Reply {
  const lat = toNumber(query.get("lat"));
  const lon = toNumber(query.get("lon"));
  const radius = toNumber(query.get("radius") ?? "400");
  if (!(Math.abs(lat) <= 90)) return refuse(400, "lat must be a number from -90 to 90", "lat");
  if (!(Math.abs(lon) <= 180)) return refuse(400, "lon must be a number from -180 to 180", "lon");
  if (!(radius >= 0 && radius <= MAX_RADIUS_M))
    return refuse(400, `radius must be a number from 0 to ${MAX_RADIUS_M}`, "radius");
  return { lat, lon, radius };
}

const toNumber = (text: string | null): number =>
  text !== null && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN;

function putFault(request: SandboxRequest, { faults, sources }: ControlDeps): Reply {
  const source = toSourceName(request.pathname.slice(PREFIX.length + FAULTS_OF.length));
  const entries = sources.flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id)]);
  if (!entries.includes(source))
    return refuse(404, `no source ${source}; see ${PREFIX}sources`, "source");
  const parsed = parseFault(request.body);
  if (!("fault" in parsed)) return refuse(400, parsed.message, parsed.member);
  const { fault: kind } = parsed.fault;
  const own_faults = sources.find(({ id }) => id === source.split(":")[0])?.own_faults ?? [];
  if (LIVE_FAULT_KINDS.some((each) => each === kind) && !own_faults.includes(kind))
    return refuse(400, `${source} has no fault ${kind}`, "fault");
  faults.put(source, parsed.fault);
  return answerJson(200, { source, ...parsed.fault });
}

/** `gbfs/<system_id>` and `gbfs:<system_id>` are the same; percent-encoding is undone. */
function toSourceName(encoded: string): string {
  const plain = encoded.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
  return plain.replace(/\/$/, "").replace("/", ":");
}

/** The operator gives its stations new ids, as operators do when they change their software. */
function renumber(request: SandboxRequest, { world }: ControlDeps): Reply {
  const body = parseJson(request.body);
  const system: unknown =
    typeof body === "object" && body !== null && "system" in body ? body.system : undefined;
  const operator = world.operators.find(({ id }) => id === system);
  if (operator === undefined)
    return refuse(400, "system must be the id of a GBFS system", "system");
  world.renumber(operator);
  return answerJson(200, { system: operator.id, generation: world.generationOf(operator) });
}

async function advance(request: SandboxRequest, { clock }: ControlDeps): Promise<Reply> {
  const body = parseJson(request.body);
  const advance_s: unknown =
    typeof body === "object" && body !== null && "advance_s" in body ? body.advance_s : undefined;
  if (typeof advance_s !== "number" || !(advance_s >= 0 && advance_s <= MAX_ADVANCE_S))
    return refuse(400, `advance_s must be a number from 0 to ${MAX_ADVANCE_S}`, "advance_s");
  return clock.advance(advance_s).then(
    (now_ms) => answerJson(200, { now: toTime(now_ms) }),
    (error: unknown) => refuse(500, `the service did not follow the clock: ${String(error)}`),
  );
}
