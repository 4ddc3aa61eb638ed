/** A wish for shared mobility: a vehicle, a station that has one, or one with a free dock. */
import { ASK_RIDE_MINUTES, ASKED_MAX } from "#api/agent-ask.ts";
import { LIMITS } from "#api/limits.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { SystemPricesValue } from "#api/prices.ts";
import type { Surroundings } from "#app/surroundings.ts";
import { walkInTurns } from "#app/walk/walk-in-turns.ts";
import { findPlan } from "#core/plan/price.ts";
import { costOf } from "#core/ride-cost.ts";
import { sayWalking } from "../on-foot.ts";
import { toAskedNearby } from "../tool.ts";
import { type Candidate, type FindWish, profileOf, type Question } from "./ask-found.ts";

type Station = NearbyBodyValue["results"]["stations"][number];
type Vehicle = NearbyBodyValue["results"]["vehicles"][number];
type Draft = Omit<Candidate, "walk" | "sources" | "true_until" | "observed_at"> & {
  observed_at?: string | null;
};

export const findMobility: FindWish = async (deps, question, query) => {
  const { wish, at, within_m } = question;
  if (wish.kind.family !== "mobility") throw new Error("a wish of another family");
  const { mode } = wish.kind;
  const include = ["stations", "vehicles", "prices"] as const;
  const limit = 2 * ASKED_MAX;
  const around = await deps.lookAround(
    { ...at, radius: within_m, modes: [mode], include, limit },
    query,
  );
  const requested = toAskedNearby(around);
  if (around.kind === "failed") {
    const [first] = around.failures;
    const message = first?.message ?? null;
    return { within_m, candidates: [], failed: true, message, requested, walking: null };
  }
  const { surroundings } = around;
  const { results, status, message = null } = surroundings.body;
  const prices = results.prices ?? [];
  const drafts = [
    ...results.stations.flatMap((each) => toStation(each, question, mode, prices)),
    ...results.vehicles.flatMap((each) => toVehicle(each, question, mode, prices)),
  ].sort((a, b) => a.distance_m - b.distance_m);
  const wished = drafts.slice(0, ASKED_MAX);
  const profile = profileOf(question.needs);
  const how = { profile, speed: LIMITS.walk.speed_default, within_s: null, sorts: false };
  const locations = wished.map(({ location }) => location);
  const { ways, walking, notice } = await walkInTurns(deps.walks, at, locations, how);
  const isMapped = walking.reason === undefined;
  const candidates = wished.map((draft, n): Candidate => {
    const way = ways[n];
    const walk = typeof way === "object" ? way : null;
    return { ...draft, ...ofSources(draft, surroundings), walk: isMapped ? walk : undefined };
  });
  return {
    within_m: surroundings.body.radius,
    candidates: isMapped ? candidates.toSorted(byWay) : candidates,
    failed: status === "partial",
    message,
    requested,
    walking: sayWalking(walking, { unknown: 0 }, notice),
  };
};

const FAR_S = Number.MAX_SAFE_INTEGER;
const byWay = (a: Candidate, b: Candidate): number =>
  (a.walk?.seconds ?? FAR_S) - (b.walk?.seconds ?? FAR_S) || a.distance_m - b.distance_m;

/** What the sources of a thing say of its age: it is true until the first of them is read again. */
function ofSources({ id, observed_at }: Draft, { ages, ...times }: Surroundings) {
  const sources = ages.get(id)?.sources ?? [];
  const ends = sources.flatMap((source) => times.valid_until.get(source) ?? []);
  const seen = sources.flatMap((source) => times.observed_at.get(source) ?? []);
  return {
    sources,
    true_until: ends.toSorted()[0] ?? null,
    observed_at: observed_at ?? seen.toSorted()[0] ?? null,
  };
}

type Judged = Pick<Question, "wish" | "needs">;

/**
 * Judges again what was known to fit, as it is now: `not_free`: it is there and does not fit any more;
 * null: it still fits. Prices are not judged again.
 */
export function judgeAgain(
  { wish, needs }: Judged,
  { station, vehicle }: { station: Station | null; vehicle: Vehicle | null },
): "gone" | "not_free" | "unknown" | null {
  if (wish.kind.family !== "mobility") throw new Error("a wish of another family");
  const { mode } = wish.kind;
  const judged = { wish, needs: { ...needs, budget: null } };
  if (station === null && vehicle === null) return "gone";
  const [draft] = [
    ...(station ? toStation(station, judged, mode, []) : []),
    ...(vehicle ? toVehicle(vehicle, judged, mode, []) : []),
  ];
  if (draft === undefined) return "not_free";
  return draft.lacks.length > 0 ? "unknown" : null;
}

function toStation(
  station: Station,
  question: Judged,
  mode: string,
  prices: readonly SystemPricesValue[],
): Draft[] {
  const { options, least } = question.wish;
  const isDock = options.has("dock");
  // A level is of single vehicles.
  if (!isDock && least["%"] !== undefined) return [];
  const { availability, action_state = {}, id, name, location, distance_meters } = station;
  const count = countOf(station, mode, options);
  const state = action_state[isDock ? "return" : "pickup"] ?? "unknown";
  if (state === "unavailable_now" || (count !== null && count < (least[""] ?? 1))) return [];
  const networks = (station.provenance ?? []).map(({ network_id }) => network_id);
  const network_ids = [station.network.id, ...networks];
  const price = isDock
    ? null
    : findPlan(prices, { kind: "station", plan_id: null, network_ids, mode });
  const lacks = [
    ...(count === null ? ["count"] : []),
    ...(state === "unknown" ? [isDock ? "return" : "pickup"] : []),
  ];
  return priced(question, price, isDock, {
    ...{ id, name, location, distance_m: distance_meters, lacks },
    facts: count === null ? {} : { count },
    observed_at: availability.observed_at,
  });
}

/** Of what is wished; null: not known. */
export function countOf(
  {
    availability,
    mode: own,
    vehicle_types: kinds = [],
  }: Pick<Station, "availability" | "mode" | "vehicle_types">,
  mode: string,
  options: Question["wish"]["options"],
): number | null {
  const { vehicles, docks, electric, by_mode, by_type } = availability;
  if (options.has("dock")) return docks;
  const form = formOf(options);
  if (form !== null) {
    if (by_type !== undefined) return countForm(by_type, form, options);
    // Not counted by kinds: it may have one, unless its kinds are known and none is such.
    return kinds.length === 0 || kinds.some((kind) => kind.form_factor === form) ? null : 0;
  }
  if (options.has("electric")) return electric;
  if (by_mode !== null && Object.keys(by_mode).length > 0) return by_mode[mode] ?? 0;
  return own === mode ? vehicles : 0;
}

function toVehicle(
  { source, source_id, network_id }: Vehicle,
  question: Judged,
  mode: string,
  prices: readonly SystemPricesValue[],
): Draft[] {
  const { options, least } = question.wish;
  const { location, distance_meters, action_state, battery, vehicle_type } = source;
  if (options.has("dock") || location === undefined || distance_meters === undefined) return [];
  const pickup = action_state["pickup"] ?? "unknown";
  if (source.mode !== mode || pickup === "unavailable_now" || (least[""] ?? 1) > 1) return [];
  const verdicts = {
    pickup: pickup === "available_now" ? true : null,
    battery: least["%"] === undefined ? true : battery === undefined ? null : battery >= least["%"],
    form: isForm(vehicle_type?.form_factor, options),
    motor: isElectric(vehicle_type?.propulsion, options),
  };
  if (Object.values(verdicts).includes(false)) return [];
  const network_ids = [network_id];
  const plan_id = source.pricing_plan_id ?? null;
  const plan = findPlan(prices, { kind: "vehicle", plan_id, network_ids, mode });
  return priced(question, plan, false, {
    id: source_id,
    name: source.name ?? source.brand ?? null,
    ...{ location, distance_m: distance_meters },
    lacks: Object.entries(verdicts).flatMap(([name, verdict]) => (verdict === null ? [name] : [])),
    facts: battery === undefined ? {} : { battery },
  });
}

type Options = Question["wish"]["options"];

/** null: any will do. */
function formOf(options: Options): string | null {
  return options.has("cargo") ? "cargo_bicycle" : options.has("seated") ? "scooter_seated" : null;
}

function countForm(
  by_type: NonNullable<Station["availability"]["by_type"]>,
  form: string,
  options: Options,
): number {
  return by_type
    .filter((each) => each.form_factor === form)
    .filter(({ propulsion }) => isElectric(propulsion ?? undefined, options) !== false)
    .reduce((sum, { count }) => sum + count, 0);
}

/** null: not known. */
function isForm(form: string | undefined, options: Options): boolean | null {
  const wished = formOf(options);
  return wished === null || (form === undefined ? null : form === wished);
}

function isElectric(
  propulsion: string | undefined,
  options: Question["wish"]["options"],
): boolean | null {
  if (!options.has("electric")) return true;
  return propulsion === undefined ? null : propulsion.startsWith("electric");
}

/** None: it is known to cost more than the budget. */
function priced(
  { needs: { budget } }: Judged,
  plan: Parameters<typeof costOf>[0] | null,
  isDock: boolean,
  draft: Omit<Draft, "price">,
): Draft[] {
  if (isDock) return [{ ...draft, price: null }];
  const cost = plan && costOf(plan, { minutes: ASK_RIDE_MINUTES, km: null });
  if (budget !== null && cost && cost.amount > budget) return [];
  const isUnknown = budget !== null && (cost === null || !cost.is_exact);
  const price = cost && `${cost.amount} ${cost.currency} for ${ASK_RIDE_MINUTES} min`;
  return [{ ...draft, price, lacks: isUnknown ? [...draft.lacks, "price"] : draft.lacks }];
}
