/** GET /v1/sources (decisions, Conventions): every source with its terms, state and reach. */
import { explainFailure } from "#core/failure-words.ts";
import type { Descriptor } from "#providers/define.ts";
import type { CatalogueHealth } from "#upstream/catalogue-reader.ts";
import type { FeedInfo } from "#upstream/feeds/feed-types.ts";
import { getProvider } from "#providers/registry.ts";
import type { ListSources, SourceItem } from "#app/answer-types.ts";
import type { FindCountries } from "#app/country.ts";
import type { World } from "#world/world.ts";
import type { SystemEntry } from "#world/system-entry.ts";

export type SourcesDeps = {
  world: World;
  /** State of each system in the feed runtime. */
  feeds: () => readonly FeedInfo[];
  /** Those that are asked per question, and the registers: they are not bound to a place. */
  others: () => SourceItem[];
  now: () => number;
  /** null while the borders are not loaded: then no unsurveyed system is left out. */
  countries: () => FindCountries | null;
  /** Shown for systems that state no terms of their own (configuration). */
  terms: { attribution: string | null; licence: string | null };
};

export function createListSources(deps: SourcesDeps): ListSources {
  return (circle) => {
    const infos = deps.feeds();
    const others = deps.others();
    if (!circle) return [...infos.map((info) => toItem(info, deps)), ...others];
    const near = new Set(systemsNear(deps, circle).map((entry) => entry.source_id));
    const feeds = infos.filter((info) => near.has(info.id)).map((info) => toItem(info, deps));
    return [...feeds, ...others];
  };
}

/** Finds one source by its id. */
export function createFindSource(
  deps: Pick<SourcesDeps, "others" | "terms" | "now"> & {
    findFeed(id: string): FeedInfo | null;
  },
): (id: string) => SourceItem | null {
  return (id) => {
    const info = deps.findFeed(id);
    if (info) return toItem(info, deps);
    return deps.others().find((each) => each.id === id) ?? null;
  };
}

/** Systems whose box touches the circle, and those that might still turn out to. */
function systemsNear(
  { world, countries }: SourcesDeps,
  circle: { lat: number; lon: number; radius: number },
): SystemEntry[] {
  const near: SystemEntry[] = [];
  world.covering({ lat: circle.lat, lon: circle.lon, radius_m: circle.radius }, near);
  const find = countries();
  const unsurveyed = find
    ? world.unsurveyed(find(circle.lat, circle.lon))
    : world.list().filter((entry) => !entry.surveyed);
  return [...near, ...unsurveyed];
}

function problemOf({ failure, lost }: FeedInfo): SourceItem["problem"] {
  if (!failure) return null;
  const problem = explainFailure(failure);
  if (!lost) return problem;
  return { ...problem, message: `${problem.message} ${LOST}` };
}

const LOST = "Its location is unknown, so no answer waits for it.";

function toItem(info: FeedInfo, { terms, now }: Pick<SourcesDeps, "terms" | "now">): SourceItem {
  const last = info.last_success_at_ms;
  const { kind, operations, terms: own_terms } = getProvider(info.provider);
  const listed = info.provider === "gbfs" ? terms : own_terms;
  return {
    id: info.id,
    name: info.name,
    kind,
    operations: [...operations],
    state: info.state,
    licence: info.licence ?? listed.licence,
    licence_url: info.licence_url,
    attribution: info.attribution ?? listed.attribution,
    attribution_url: info.attribution_url,
    ...(info.color === null ? {} : { color: info.color }),
    terms: { map: own_terms.map ?? "any" },
    entity_count: info.entity_count,
    bbox: info.box,
    areas: info.areas === null ? null : [...info.areas],
    problem: problemOf(info),
    last_success_at: last === null ? null : new Date(last).toISOString(),
    age_s: last === null ? null : Math.max(0, Math.round((now() - last) / 1000)),
    error_rate_5m: info.error_rate_5m,
  };
}

/** A catalogue of systems or of timetables, as it is shown. */
export type CatalogueListing = {
  id: string;
  name: string;
  provider: Descriptor;
  terms: { attribution: string | null; licence: string | null };
  health(): CatalogueHealth;
};

/** A catalogue as a source: its entities are the sources it names. */
export function toCatalogueItem(listed: CatalogueListing, now_ms: number): SourceItem {
  const { id, name, provider, terms, health } = listed;
  const { status, reason, last_success_at_ms: last, count } = health();
  const failed = status !== "ok";
  return {
    id,
    name,
    kind: "feed",
    operations: [...provider.operations],
    state: status,
    licence: terms.licence ?? provider.terms.licence,
    licence_url: provider.terms.licence_url,
    attribution: terms.attribution ?? provider.terms.attribution,
    attribution_url: provider.terms.attribution_url,
    terms: { map: "any" },
    entity_count: count,
    bbox: null,
    areas: null,
    problem: failed ? explainFailure({ status, reason: reason ?? "unexpected" }) : null,
    last_success_at: last === null ? null : new Date(last).toISOString(),
    age_s: last === null ? null : Math.max(0, Math.round((now_ms - last) / 1000)),
    error_rate_5m: null,
  };
}
