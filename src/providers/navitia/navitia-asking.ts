/** Questions to Navitia, and its answers before they are read (mobility.md 4.1). */
import type { Location } from "#kit/geo.ts";
import type { Failure } from "#kit/outcome.ts";
import { parseAnswer } from "#kit/json.ts";
import { toCount, toId, toRow } from "#kit/coerce.ts";
import type { LookupSettings, WireAnswer } from "#providers/lookup.ts";
import { openAnswer } from "#providers/open-geocoding/geocoding-answers.ts";
import { toDegrees } from "#providers/place-rows.ts";
import type { Auth } from "#providers/provider.ts";
import type { BareRequest } from "#providers/source.ts";
import type { TransitQuery } from "#providers/transit-lookup.ts";

export type NavitiaSettings = LookupSettings & {
  token: string;
  /** How the token is sent: as it is, as the user of Basic, or in a header `apikey` (PRIM). */
  auth: "header" | "basic" | "apikey";
  /** Whether stop points are asked for as well, which alone know of wheelchairs. */
  wheelchair: boolean;
  /** Where the address serves one region only; null: its id is asked for by coordinates. */
  region?: string | null;
};

/** The most that a page may have. */
const PAGE_SIZE = 200;

/** Longitude first. A coordinate of exactly 0 counts as none there: it is moved by a tenth of a metre. */
export function navitiaPoint({ lat, lon }: Location): string {
  const [x, y] = [lon, lat].map((degrees) => toDegrees(degrees).replace(/^0$/, "0.000001"));
  return `${x};${y}`;
}

/** Makes a question; `language` is not asked for: this route of theirs has no such parameter. */
export function askNearby(
  query: TransitQuery,
  settings: NavitiaSettings,
  { type, depth }: { type: "stop_area" | "stop_point"; depth: 1 | 3 },
): BareRequest {
  const parameters = new URLSearchParams({
    "type[]": type,
    distance: String(Math.ceil(query.radius_m)),
    count: String(PAGE_SIZE),
    start_page: String(toCount(query.page) ?? 0),
    depth: String(depth),
    disable_geojson: "true",
    disable_disruption: "true",
  });
  return ask(`/coord/${navitiaPoint(query)}/places_nearby?${parameters.toString()}`, settings);
}

/** The token goes into a header, never into the address. */
export function ask(path: string, settings: NavitiaSettings): BareRequest {
  return {
    url: `${settings.url}${path}`,
    headers: { accept: "application/json" },
    auth: toAuth(settings),
  };
}

function toAuth({ token, auth }: NavitiaSettings): Auth {
  if (auth === "basic") return { kind: "basic", username: token, password: "" };
  const name = auth === "apikey" ? "apikey" : "Authorization";
  return { kind: "headers", headers: { [name]: token } };
}

export type OpenedNavitia =
  | { ok: true; json: unknown; covered: boolean }
  | ({ ok: false } & Failure);

/**
 * Opens an answer; `covered`: false where no region holds the point, which is said as 404 and is no
 * failure.
 */
export function openNavitia(wire: WireAnswer): OpenedNavitia {
  const opened = openAnswer(wire, {});
  if (opened.ok) return { ...opened, covered: true };
  return wire.status === 404 && isUncovered(wire)
    ? { ok: true, json: null, covered: false }
    : opened;
}

/** Other things that are not found there have other ids. */
function isUncovered({ body }: WireAnswer): boolean {
  const error = toRow(toRow(parseAnswer(body))?.["error"]);
  return toId(error?.["id"]) === "unknown_object";
}

/** Returns the next page; null: none. Pages count from 0; one without items ends whatever is said. */
export function nextPage(json: unknown): string | null {
  const pagination = toRow(toRow(json)?.["pagination"]);
  const of = (member: string): number => toCount(pagination?.[member]) ?? 0;
  const page = of("start_page");
  const isMore = (page + 1) * of("items_per_page") < of("total_result");
  return isMore && of("items_on_page") > 0 ? String(page + 1) : null;
}
