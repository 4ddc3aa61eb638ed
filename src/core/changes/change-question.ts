/** Whether two stored searches asked the same, without which nothing that differs is a change. */
import { canonicalJson } from "#kit/canonical-json.ts";

export type RequestedMembers = Readonly<Record<string, unknown>>;

/** What decides which objects a search finds. `intent` lists actions only, `limit` is a bound. */
const FILTERS = [
  ...["min_vehicles", "min_docks", "propulsion", "form_factors", "operators"],
] as const;
const DECIDING = ["lat", "lon", "radius", "modes", "include", "strict", ...FILTERS] as const;

/** Lists the members in which two searches differ. Lists have no order; a filter of 0 is none. */
export function listDifferent(before: RequestedMembers, after: RequestedMembers): string[] {
  return DECIDING.filter((name) => toPlain(before[name]) !== toPlain(after[name]));
}

function toPlain(value: unknown): string {
  return canonicalJson(Array.isArray(value) ? value.map(String).sort() : value || null);
}

/** Lists the filters of a search, by which an object may come and go without moving. */
export function listFilters(members: RequestedMembers): string[] {
  return FILTERS.filter((name) => Boolean(members[name]));
}
