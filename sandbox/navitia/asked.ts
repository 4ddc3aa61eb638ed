// What a places_nearby request asks for, and what Navitia says of bad ones (mobility.md 4.1).
import { answerJson, type Reply } from "../http.ts";

export type NearbyRequest = {
  readonly distance_m: number;
  readonly types: ReadonlySet<string>;
  readonly count: number;
  readonly start_page: number;
  readonly depth: number;
  /** physical_mode:… of `filter`; null: none. */
  readonly mode: string | null;
};

const TYPES: ReadonlySet<string> = new Set<string>([
  ...["stop_area", "stop_point", "poi", "address", "administrative_region"],
]);
const USUAL_TYPES = ["stop_area", "stop_point", "poi"] as const;
const MOST = { count: 200, depth: 3 } as const;

export function navitiaError(status: number, id: string, message: string): Reply {
  return answerJson(status, { error: { id, message }, message });
}

const unreadable = (what: string): Reply =>
  navitiaError(400, "unable_to_parse", `parameter "${what}" invalid: Unable to evaluate`);

export function readAsked(query: URLSearchParams): NearbyRequest | Reply {
  const whole = (name: string, usual: number): number =>
    query.has(name) ? toWhole(query.get(name) ?? "") : usual;
  const distance_m = whole("distance", 500);
  const count = whole("count", 10);
  const start_page = whole("start_page", 0);
  const depth = whole("depth", 1);
  const numbers = { distance: distance_m, count, start_page, depth };
  const wrong = Object.entries(numbers).find(([, value]) => Number.isNaN(value));
  if (wrong !== undefined) return unreadable(wrong[0]);
  if (depth > MOST.depth) return unreadable("depth");
  const types = query.getAll("type[]");
  if (types.some((type) => !TYPES.has(type))) return unreadable("type[]");
  const filter = query.get("filter");
  const mode = filter === null ? null : modeIn(filter);
  if (mode === undefined)
    return navitiaError(400, "bad_filter", "ptref : Filters: Unable to parse");
  return {
    distance_m,
    start_page,
    depth,
    mode,
    count: Math.min(count, MOST.count),
    types: new Set(types.length === 0 ? USUAL_TYPES : types),
  };
}

const toWhole = (text: string): number => (/^\d{1,6}$/.test(text) ? Number(text) : Number.NaN);

const modeIn = (filter: string): string | undefined =>
  /^physical_mode\.id=(physical_mode:\w+)$/.exec(filter)?.[1];
