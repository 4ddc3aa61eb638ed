/**
 * The durations of requests, and how many there were: a series is found by route and status, and an
 * observation is a few additions. Counts keep route and exact status of everything; buckets, of which
 * there are many, are kept of a route's answers, and of all refusals and all defects together. Callers
 * choose methods, and there are three dozen that Node's parser takes: with each status of each route
 * they would be thousands of series.
 */
import type { Count, Family, Histogram } from "./metric-family.ts";

type Series = { requests: Count; durations: Histogram };
type Families = { requests: Family<Count>; durations: Family<Histogram> };

/** Series of one route, by method and status. */
export class RouteSeries {
  readonly #route: string;
  readonly #families: Families;
  readonly #series = new Map<string, Map<number, Series>>();

  constructor(route: string, families: Families) {
    this.#route = route;
    this.#families = families;
  }

  observe(method: string, status: number, seconds: number): void {
    const { requests, durations } = this.#find(method, status);
    requests.count++;
    durations.observe(seconds);
  }

  #find(method: string, status: number): Series {
    let statuses = this.#series.get(method);
    if (statuses === undefined) {
      // All but GET and POST take this path on every request: they are few.
      const label = toMethodLabel(method);
      statuses = this.#series.get(label) ?? new Map<number, Series>();
      this.#series.set(label, statuses);
    }
    let series = statuses.get(status);
    if (series === undefined) {
      series = this.#make(toMethodLabel(method), status);
      statuses.set(status, series);
    }
    return series;
  }

  /** Refusals and defects share their durations, which say little of a route; the counter has their numbers. */
  #make(method: string, status: number): Series {
    const of_class = toStatusLabel(status);
    const isAnswer = of_class !== "4xx" && of_class !== "5xx";
    const has_own = isAnswer && method !== "OPTIONS" && method !== "_OTHER";
    const route = has_own ? this.#route : "any";
    const { requests, durations } = this.#families;
    return {
      requests: requests.cell({ route: this.#route, method, status: String(status) }),
      durations: durations.cell({ route, method, status: of_class }),
    };
  }
}

/**
 * Labels a method: HEAD is a GET without its body; others not served are `_OTHER` (OpenTelemetry).
 */
function toMethodLabel(method: string): "GET" | "POST" | "OPTIONS" | "_OTHER" {
  if (method === "GET" || method === "HEAD") return "GET";
  return method === "POST" || method === "OPTIONS" ? method : "_OTHER";
}

function toStatusLabel(status: number): string {
  if (status >= 500) return "5xx";
  return status >= 400 ? "4xx" : String(status);
}
