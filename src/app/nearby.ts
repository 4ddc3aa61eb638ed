/**
 * GET /v1/nearby (§4.9, §2.9): what stands inside a circle right now, from memory. The steps are
 * numbered; a question whose systems are all young enough runs through them without waiting.
 */
import { LIMITS } from "#contract/limits.ts";
import { type Clamped, clampNearby } from "#core/clamp.ts";
import { type Coverage, judgeCoverage } from "#core/coverage.ts";
import { toFeatureCollection, type NearbyJson } from "#core/geojson.ts";
import { countResolved, type Resolution } from "#core/identity/resolve.ts";
import { unitsOfReply } from "#core/metering/units.ts";
import { modeMask } from "#core/nearby/bits.ts";
import { refuseOffset } from "#core/plans.ts";
import type { Clock, Feeds } from "#ports.ts";
import { type Audit, auditOf } from "#app/audit.ts";
import { listAlerts } from "#app/alerts.ts";
import type { FindCountries } from "#app/country.ts";
import { debugBlock } from "#app/debug.ts";
import {
  type Consulted,
  consult,
  findUnsurveyed,
  needsRefresh,
  remaining_s,
  type Wait,
  waitFor,
  type Wants,
  wantsOf,
} from "#app/gather.ts";
import type { Answer, Family, Nearby, NearbyInput, NearbyReply } from "#app/types.ts";
import type { FindHeld, HeldPlaces } from "#app/places/held.ts";
import { splitPage } from "#app/places/page.ts";
import type { FindLines, LineItem } from "#app/transit/lines.ts";
import { HEADROOM } from "#world/buffers.ts";
import { collectHits } from "#world/collect-hits.ts";
import { createHits, giveBack, type Hits, setAside } from "#world/hits.ts";
import {
  copyOf,
  type Frame,
  type Page,
  renderNothing,
  renderPage,
  type UseBody,
} from "#world/render.ts";
import type { Circle, SystemEntry, World } from "#world/world.ts";
import { REPLY_MARGIN_MS } from "#core/time.ts";

export type NearbyDeps = {
  world: World;
  feeds: Feeds;
  clock: Clock;
  /** Loaded when the first question meets an unsurveyed system. */
  countries: () => Promise<FindCountries>;
  /** What is known of urban services without asking; null: nothing ever is. */
  findHeld: FindHeld | null;
  /** Routes of the stations in range; null: no transit data is loaded. */
  findLines: () => FindLines | null;
};

const NO_ALERTS: string[] = [];

/** What a question has become by the time it is answered. */
export type Gathered = {
  input: NearbyInput;
  applied: Clamped;
  circle: Circle;
  wants: Wants;
  systems: SystemEntry[];
  consulted: Consulted[];
  unsurveyed: SystemEntry[];
  /** Families that nobody in this deployment serves: an honest `partial`. */
  unserved: Family[];
  places: HeldPlaces;
  lines: readonly LineItem[];
  /** Places or lines were looked for in what is held. */
  held: boolean;
  /** When the answer is put together, epoch ms: ages are told from here. */
  now_ms: number;
};

export function createNearby(deps: NearbyDeps): Nearby {
  return (input) => {
    const { question, caller } = input;
    // 1. Bounds of the plan.
    const refused = refuseOffset(caller.plan, question.offset);
    if (refused !== null) return { kind: "refused", ...refused };
    // 2. Clamp, which may leave warnings.
    const applied = clampNearby(question, {
      radius: LIMITS.nearby.radius_max,
      limit: caller.plan.nearby_limit_max,
    });
    const circle = { lat: question.lat, lon: question.lon, radius_m: applied.radius };
    // 3. Gather: the systems whose box touches the circle; asking wakes them.
    const systems: SystemEntry[] = [];
    deps.world.covering(circle, systems);
    const late: SystemEntry[] = [];
    const wants = wantsOf(question.include);
    for (const entry of systems) {
      deps.feeds.wake(entry.source_id);
      if (needsRefresh(entry, wants, input.freshness_policy, input.now_ms)) late.push(entry);
    }
    const gathered: Gathered = {
      ...{ input, applied, circle, wants, systems },
      ...{ consulted: [], unsurveyed: [], now_ms: input.now_ms },
      ...{
        unserved: unservedOf(deps, question.include),
        places: NO_PLACES,
        lines: NO_LINES,
        held: false,
      },
    };
    lookUpHeld(deps, gathered);
    if (late.length > 0 || !deps.world.isSurveyed()) return gatherLate(deps, gathered, late);
    gathered.consulted = consultAll(deps, gathered, NO_WAITS);
    return answer(gathered, { late: false });
  };
}

/** Places and lines are told from what is held: never a call for them (decisions, Global nearby). */
function lookUpHeld(deps: NearbyDeps, gathered: Gathered): void {
  const { include } = gathered.input.question;
  const { circle, now_ms } = gathered;
  const [findHeld, findLines] = [deps.findHeld, deps.findLines()];
  if (include.includes("places") && findHeld) gathered.places = findHeld(circle, now_ms);
  if (include.includes("lines") && findLines) gathered.lines = findLines(circle);
  gathered.held =
    (include.includes("places") && findHeld !== null) ||
    (include.includes("lines") && findLines !== null);
}

const NO_LINES: readonly LineItem[] = [];
const NO_PLACES: HeldPlaces = { items: [], unheld: [] };
const ALL_SERVED: Family[] = [];

function unservedOf(deps: NearbyDeps, include: readonly Family[]): Family[] {
  if (!include.includes("places") && !include.includes("lines")) return ALL_SERVED;
  return include.filter(
    (family) =>
      (family === "lines" && deps.findLines() === null) ||
      (family === "places" && deps.findHeld === null),
  );
}

/** 4. Wait, within the deadline, for what is missing or too old; the rest is already here. */
async function gatherLate(
  deps: NearbyDeps,
  gathered: Gathered,
  late: readonly SystemEntry[],
): Promise<NearbyReply> {
  const { input, circle } = gathered;
  const waiting = waitFor(late, deps, {
    begun_after_ms: input.freshness_policy === "revalidate" ? input.now_ms : 0,
    until_ms: input.deadline_ms - REPLY_MARGIN_MS,
  });
  // A system surveyed while we wait has not been consulted: it counts as it stood at the start.
  const unsurveyed = await findUnsurveyed(deps, circle);
  for (const country of new Set(unsurveyed.map((entry) => entry.country)))
    if (country !== null) deps.feeds.hasten(country);
  const waits = await waiting;
  gathered.unsurveyed = unsurveyed;
  gathered.now_ms = deps.clock.now();
  gathered.consulted = consultAll(deps, gathered, waits);
  return answer(gathered, { late: true });
}

function consultAll(
  deps: NearbyDeps,
  gathered: Gathered,
  waits: ReadonlyMap<SystemEntry, Wait>,
): Consulted[] {
  return gathered.systems.map((entry) =>
    consult(entry, gathered.wants, {
      feeds: deps.feeds,
      now_ms: gathered.now_ms,
      wait: waits.get(entry),
    }),
  );
}

const NO_WAITS: ReadonlyMap<SystemEntry, Wait> = new Map();
const hits: Hits = createHits();
/** Which question the hit list belongs to. */
let turn = 0;

/**
 * Steps 5 to 9: synchronous, so that the shared hit list belongs to one question at a time. `late`: it
 * reaches who asked by a promise, behind which another question may come first.
 */
function answer(gathered: Gathered, { late }: { late: boolean }): NearbyReply {
  turn += 1;
  const { input, applied, circle, systems } = gathered;
  const { question } = input;
  // 5. Filter: what lies in the circle and matches, with its state at this moment; ranked.
  collectHits(hits, systems, {
    circle,
    modes: modeMask(question.modes),
    stations: gathered.wants.stations,
    vehicles: gathered.wants.vehicles,
    now_ms: gathered.now_ms,
    most: question.offset + applied.limit,
  });
  // 6. Identity was resolved when the systems' static parts came (world/identity): each hit is a
  // station or vehicle by now, before anything is counted.
  const resolution = (): Resolution =>
    countResolved(
      hits.count,
      hits.cases.map(({ of }) => of.status),
    );
  // 7. Count and page.
  const { items, unheld } = gathered.places;
  const total = hits.count + items.length;
  const from = Math.min(question.offset, total);
  const to = Math.min(from + applied.limit, total);
  const pages = splitPage(hits, items, { from, to });
  const alerts = gathered.wants.alerts ? listAlerts(systems, circle, gathered.now_ms) : NO_ALERTS;
  // 8. Coverage decides the status.
  const coverage = judgeCoverage({
    asked: gathered.consulted,
    ...{ unserved: gathered.unserved, unheld, held: gathered.held },
    unsurveyed: gathered.unsurveyed.filter(({ unread }) => unread === null).length,
    unread: gathered.unsurveyed.flatMap(({ unread }) => unread ?? []),
    found: total + alerts.length + gathered.lines.length,
    radius_m: applied.radius,
  });
  // 9. Render and present.
  const alertsJson = `[${alerts.join()}]`;
  const shown = items.slice(pages.places.from, pages.places.to);
  const before = openingJson(gathered, coverage, { total, places: shown });
  const frame = { before, alerts: alertsJson };
  const { hits: page } = pages;
  const pen = penOf(page, frame);
  if (late || input.audited) pen.hold();
  const debug = question.debug
    ? debugBlock(gathered, {
        coverage,
        resolution: resolution(),
        hits,
        page,
        units: unitsOf(to - from),
      })
    : null;
  const audit = input.audited ? auditOf(gathered, { coverage, hits, page, places: shown }) : null;
  return present(gathered, pen, { coverage, debug, audit, objects: to - from });
}

function unitsOf(objects: number): number {
  return unitsOfReply("getNearby", { status: 200, void: false, objects, maps_categories: 0 });
}

/** The answer from its brace to before the stations (§2.9; decisions, Global nearby). */
function openingJson(
  gathered: Gathered,
  coverage: Coverage,
  { total, places }: { total: number; places: readonly object[] },
): string {
  const { applied, input } = gathered;
  const { question } = input;
  const message = coverage.message === null ? "" : `,"message":${JSON.stringify(coverage.message)}`;
  const warnings = applied.warnings.length ? `,"warnings":${JSON.stringify(applied.warnings)}` : "";
  return (
    `{"status":"${coverage.status}"${message},` +
    `"query_origin":{"lat":${question.lat},"lon":${question.lon}},"radius":${applied.radius},` +
    `"total":${total},"requested_radius":${question.radius},` +
    `"requested_limit":${question.limit},"limit":${applied.limit}${warnings},` +
    `"results":{"places":${listJson(places)},"lines":${listJson(gathered.lines)},"stations":[`
  );
}

function listJson(items: readonly object[]): string {
  return items.length > 0 ? JSON.stringify(items) : "[]";
}

/**
 * What renders the answer: nothing is rendered before it may leave. A reply that waits for its units
 * to be recorded would lie in memory that many others pass through meanwhile, and be fetched again.
 */
type Pen = Pick<Answer, "render" | "hold">;

function penOf(page: Page, frame: Frame): Pen {
  if (page.from === page.to)
    return { render: (use) => void use(renderNothing(frame), 0), hold: nothing };
  const mine = turn;
  let kept: Hits | Uint8Array | null = null;
  return {
    render(use) {
      if (kept === null) return renderPage(ownHits(mine), { page, frame }, use);
      if (kept instanceof Uint8Array) return void use(kept, HEADROOM);
      const own = kept;
      // A second call finds nothing that may be another answer's by then.
      kept = null;
      renderPage(own, { page: { from: 0, to: own.count }, frame }, use);
      giveBack(own);
    },
    hold() {
      // Held already, by an answer that came late: by now the list may be another question's.
      if (kept) return;
      const own = ownHits(mine);
      kept =
        setAside(own, page) ?? copyOf((use) => renderPage(own, { page, frame }, use), HEADROOM);
    },
  };
}

/** The bytes would be another question's. */
function ownHits(mine: number): Hits {
  if (mine !== turn) throw new Error("an answer is written or held after its turn");
  return hits;
}

function present(
  gathered: Gathered,
  pen: Pen,
  made: { coverage: Coverage; debug: object | null; audit: Audit | null; objects: number },
): NearbyReply {
  const { question } = gathered.input;
  const complete = made.coverage.status !== "partial" && !question.debug;
  const reply = {
    kind: "ok" as const,
    max_age_s: complete ? remaining_s(gathered.systems, gathered.wants, gathered.now_ms) : null,
    objects: made.objects,
    audit: made.audit,
  };
  if (question.format === "json" && !made.debug)
    return { ...reply, content_type: "application/json", ...pen };
  const geojson = question.format === "geojson";
  const text = copyOf(pen.render).toString();
  const bytes = Buffer.from(
    geojson
      ? JSON.stringify(toFeatureCollection(JSON.parse(text) as NearbyJson, question.offset))
      : `${text.slice(0, -1)},"debug":${JSON.stringify(made.debug)}}`,
  );
  return {
    ...reply,
    content_type: geojson ? "application/geo+json" : "application/json",
    ...{ render: (use: UseBody) => void use(bytes, 0), hold: nothing },
  };
}

function nothing(): void {
  // The answer is a value already.
}
