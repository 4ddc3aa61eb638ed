// OCPI 2.2.1 locations of the simulated charge point operators, page by page (places.md 7.2).
import { isInOcpi, ocpiIdOf, partyOf } from "../listing.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { listAll, observe, once, type RegistryDeps } from "../registry.ts";
import type { Source } from "../source.ts";
import { listLocations, type Location } from "./locations.ts";
import { listTariffs } from "./tariffs.ts";

const ROOT = "/upstreams/ocpi";
const LOCATIONS = `${ROOT}/ocpi/2.2.1/locations`;
const TARIFFS = `${ROOT}/ocpi/2.2.1/tariffs`;
const TOKEN = "sandbox-ocpi-token";
const AUTHORIZATION = `Token ${Buffer.from(TOKEN).toString("base64")}`;
const MOST_PER_PAGE = 50;

export function createOcpi({ world, now, origin }: RegistryDeps): Source {
  const stations = once(() => listAll(world).filter(isInOcpi));
  const locations = once(() => listLocations(world.cities, stations()));
  const tariffs = once(() => listTariffs(stations()));
  return {
    id: "ocpi",
    description: "OCPI 2.2.1 locations and tariffs",
    parts: [],
    partsOf: () => [],
    upstream: {
      url: `${origin}${LOCATIONS}`,
      tariffs_url: `${origin}${TARIFFS}`,
      token: TOKEN,
    },
    observe(thing) {
      if (thing.kind !== "service" || !isInOcpi(thing)) return [];
      const { country, party } = partyOf(thing);
      return observe("ocpi", `${country}/${party}/${ocpiIdOf(thing)}`);
    },
    handle: (request) =>
      answer(request, { all: locations(), tariffs: tariffs() }, { now_ms: now(), origin }),
  };
}

type Moment = { readonly now_ms: number; readonly origin: string };

type Listed = { readonly all: readonly Location[]; readonly tariffs: readonly unknown[] };

function answer(request: SandboxRequest, { all, tariffs }: Listed, moment: Moment): Reply {
  const { now_ms, origin } = moment;
  if (request.headers.authorization !== AUTHORIZATION)
    return envelope(401, { status_code: 2002, status_message: "Not authorised" }, now_ms);
  if (request.pathname === TARIFFS)
    return envelope(200, { data: tariffs, status_code: 1000, status_message: "Success" }, now_ms);
  if (request.pathname !== LOCATIONS)
    return envelope(404, { status_code: 2003, status_message: "Unknown endpoint" }, now_ms);
  const page = pageIn(request);
  if (page === null)
    return envelope(200, { status_code: 2001, status_message: "Invalid parameters" }, now_ms);
  const { offset, limit } = page;
  const match = select(request, all, { ...page, now_ms });
  const data = match.slice(offset, offset + limit).map((location) => location.toRow(now_ms));
  const next = offset + limit < match.length ? nextOf(request, origin, offset + limit) : null;
  return envelope(200, { data, status_code: 1000, status_message: "Success" }, now_ms, {
    ...(next === null ? {} : { link: `<${next}>; rel="next"` }),
    "x-total-count": String(match.length),
    "x-limit": String(limit),
  });
}

/** Rows are written only where their time is asked for. */
function select(
  { query }: SandboxRequest,
  all: readonly Location[],
  { from_ms, to_ms, now_ms }: { from_ms: number; to_ms: number; now_ms: number },
): readonly Location[] {
  if (!query.has("date_from") && !query.has("date_to")) return all;
  return all.filter((location) => {
    const { last_updated } = location.toRow(now_ms);
    const time_ms = Date.parse(last_updated.endsWith("Z") ? last_updated : `${last_updated}Z`);
    return time_ms >= from_ms && time_ms < to_ms;
  });
}

const envelope = (
  status: number,
  members: Record<string, unknown>,
  now_ms: number,
  headers: Record<string, string> = {},
): Reply => answerJson(status, { ...members, timestamp: new Date(now_ms).toISOString() }, headers);

type Page = {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly offset: number;
  readonly limit: number;
};

/** Null: something in it is no number or no time. */
function pageIn({ query }: SandboxRequest): Page | null {
  const count = (name: string, usual: number): number => {
    const text = query.get(name);
    return text === null ? usual : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  };
  const time = (name: string, usual: number): number => {
    const text = query.get(name);
    return text === null ? usual : Date.parse(text);
  };
  const page = {
    from_ms: time("date_from", -8.64e15),
    to_ms: time("date_to", 8.64e15),
    offset: count("offset", 0),
    limit: Math.min(MOST_PER_PAGE, count("limit", MOST_PER_PAGE)),
  };
  return Object.values(page).some(Number.isNaN) || page.limit === 0 ? null : page;
}

/** The same question from the next one on. */
function nextOf({ query }: SandboxRequest, origin: string, offset: number): string {
  const following = new URLSearchParams(query);
  following.set("offset", String(offset));
  following.set(
    "limit",
    String(Math.min(MOST_PER_PAGE, Number(query.get("limit") ?? MOST_PER_PAGE))),
  );
  return `${origin}${LOCATIONS}?${following.toString()}`;
}
