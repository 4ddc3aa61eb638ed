// The control surface under /__sandbox/ (operation.md, "Simulator control").
import type { SandboxClock } from "./clock.ts";
import { type Faults, parseFault, parseJson } from "./faults.ts";
import { answerJson, refuse, type Reply, type SandboxRequest } from "./http.ts";
import type { Journal } from "./journal.ts";
import type { Source } from "./source.ts";
import { listTruth } from "./truth.ts";
import type { World } from "./world/world.ts";

export type ControlDeps = {
  readonly world: World;
  readonly clock: SandboxClock;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly sources: readonly Source[];
  /** What GET /__sandbox/sources answers. */
  describe(): unknown;
};

type Action = (request: SandboxRequest, deps: ControlDeps) => Reply | Promise<Reply>;
type Route = Readonly<Record<string, Action>>;

const PREFIX = "/__sandbox/";
const FAULTS_OF = "faults/";
const MAX_RADIUS_M = 50_000;
const MAX_ADVANCE_S = 10 * 366 * 86_400;

const ROUTES: Readonly<Record<string, Route>> = {
  sources: { GET: (_, deps) => answerJson(200, deps.describe()) },
  truth: { GET: answerTruth },
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
  const lat = toNumber(query.get("lat"));
  const lon = toNumber(query.get("lon"));
  const radius = toNumber(query.get("radius") ?? "400");
  if (!(Math.abs(lat) <= 90)) return refuse(400, "lat must be a number from -90 to 90", "lat");
  if (!(Math.abs(lon) <= 180)) return refuse(400, "lon must be a number from -180 to 180", "lon");
  if (!(radius >= 0 && radius <= MAX_RADIUS_M))
    return refuse(400, `radius must be a number from 0 to ${MAX_RADIUS_M}`, "radius");
  return answerJson(200, { things: listTruth(world, sources, { lat, lon, radius }, clock.now()) });
}

const toNumber = (text: string | null): number =>
  text !== null && /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN;

function putFault(request: SandboxRequest, { faults, sources }: ControlDeps): Reply {
  const source = toSourceName(request.pathname.slice(PREFIX.length + FAULTS_OF.length));
  const known = sources.flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id)]);
  if (!known.includes(source))
    return refuse(404, `no source ${source}; see ${PREFIX}sources`, "source");
  const parsed = parseFault(request.body);
  if (!("fault" in parsed)) return refuse(400, parsed.message, parsed.member);
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
