/** plan_nearby: the searches around both ends, and the ways that they allow, as legs. */
import { isPartial, judgeStatus } from "#core/coverage.ts";
import { LEG_NAME_MAX, OPTIONS_MAX, PLANNED_FROM, type PLAN_REASONS } from "#api/agent-plan.ts";
import { LIMITS } from "#api/limits.ts";
import type { LookAround, Surroundings } from "#app/surroundings.ts";
import {
  type Leaving,
  listLeavings,
  listTakings,
  type PlanPoint,
  type Taking,
} from "#core/plan/ends.ts";
import { ESTIMATE, rideMinutes } from "#core/plan/estimate.ts";
import type { PlanWalk } from "#core/plan/foot.ts";
import { costOfRide } from "#core/plan/price.ts";
import { leaveRuleOf } from "#core/plan/leave.ts";
import { type Option, type Options, planOptions } from "#core/plan/options.ts";
import { cutText } from "#kit/text/cut.ts";
import {
  fit,
  toBriefLocation,
  toBriefName,
  toRentalLink,
  toTypeWords,
  toOmitted,
} from "../brief.ts";
import { type FoundPlace, refusePlaces } from "../each-place.ts";
import { localAt, sourcesOfThings } from "../local.ts";
import { type SourcedItem, toCredits } from "../answer-sources.ts";
import {
  type AnswerOf,
  type ArgumentsOf,
  type ToolCall,
  type RunTool,
  takeTurn,
  toAskedNearby,
  type ToolDeps,
} from "../tool.ts";
import { findPlanWalks, type PlanWalks, sayNoWay, toWalkMembers } from "./plan-walks.ts";

type Answer = AnswerOf<"plan_nearby">;
type Leg = Answer["options"][number]["legs"][number];
type OfKind<K extends Leg["kind"]> = Extract<Leg, { kind: K }>;
type Stop = OfKind<"walk">["from"];
type PlanArguments = ArgumentsOf<"plan_nearby">;
type Arguments = Omit<PlanArguments, "from" | "to"> & { from: FoundPlace; to: FoundPlace };
type Place = Extract<FoundPlace, { ok: true }>;
type Around = Awaited<ReturnType<LookAround>>;

const RADIUS_M = LIMITS.nearby.radius_max;

export function createPlanNearby(deps: ToolDeps): RunTool<"plan_nearby", Arguments> {
  return async ({ from, to, modes, profile }, query) => {
    if (!from.ok || !to.ok) return refusePlaces([from, to]);
    const search = async (place: Place, include: Include, index: number): Promise<Around> => {
      await takeTurn(deps, index);
      const { lat, lon } = place;
      const question = { lat, lon, radius: RADIUS_M, modes, include, limit: PLANNED_FROM };
      return deps.lookAround(question, query);
    };
    const [start, end] = await Promise.all([
      search(from, ["stations", "vehicles", "prices"], 0),
      search(to, ["stations", "zones"], 1),
    ]);
    const takings = start.kind === "found" ? listTaken(start.surroundings, modes) : [];
    const leavings = end.kind === "found" ? listLeavings(end.surroundings.body.results) : [];
    const zones = end.kind === "found" ? (end.surroundings.body.results.zones ?? []) : [];
    const walks = await findPlanWalks(deps, { from, to, takings, leavings, profile });
    const planned = planOptions({
      to,
      takings,
      leavings,
      walkTo: (taking) => walks.to.get(taking)!,
      walkFrom: (leaving) => walks.from.get(leaving)!,
      ruleOf: ({ network_ids, type }) => leaveRuleOf(zones, network_ids, type),
    });
    const plan = { from, to, start, end, takings, leavings, planned, walks };
    const requested = [start, end].map(toAskedNearby);
    return { kind: "answered", answer: await toAnswer(deps, query, plan), requested };
  };
}

function listTaken({ body, returns }: Surroundings, modes: PlanArguments["modes"]): Taking[] {
  return listTakings(body.results, modes, returns);
}

type Include = Parameters<LookAround>[0]["include"];

type Plan = {
  from: Place;
  to: Place;
  start: Around;
  end: Around;
  takings: readonly Taking[];
  leavings: readonly Leaving[];
  planned: Options;
  walks: PlanWalks;
};

async function toAnswer(deps: ToolDeps, { now_ms }: ToolCall, plan: Plan): Promise<Answer> {
  const { from, to, start, end, planned, walks } = plan;
  const { options, left_out } = planned;
  const reported = toStatusWords(plan);
  const { full_charge_km, ride_kmh, ...estimate } = ESTIMATE;
  const listed = options.map((option) => toVisible(option, plan));
  const local = await localAt(deps, from, { at_ms: now_ms, sources: sourcesOfThings(listed) });
  return fit(listed, OPTIONS_MAX, (fitting) => ({
    ...reported,
    from: toSpot(from),
    to: toSpot(to),
    radius: RADIUS_M,
    distances: "straight_line",
    walking: walks.walking,
    ...local,
    untrusted_text: true,
    freshness: { answered_at: new Date(deps.clock.now()).toISOString(), ...toAges(start, end) },
    estimate: { ...estimate, ride_kmh, full_charge_km },
    walk: toWalkMembers(walks.whole),
    total: options.length,
    shown: fitting.length,
    options: fitting.map(({ option }) => option),
    ...(options.length === 0 ? { reason: reasonOf(plan) } : {}),
    left_out,
    searched: {
      from: toSearched(start, plan.takings.length),
      to: toSearched(end, plan.leavings.length),
    },
    attribution: toCredits(fitting, deps.termsOf),
  }));
}

function toSpot({ label, lat, lon }: Place): Answer["from"] {
  return { ...(label === undefined ? {} : { label }), lat, lon };
}

/** A search that failed or is not complete makes the plan partial, and is named with its end. */
function toStatusWords({
  start,
  end,
  planned,
}: Plan): Pick<Answer, "status" | "message" | "notices"> {
  const ends = { from: start, to: end };
  const notices = Object.entries(ends).flatMap(([name, around]) =>
    listNotices(around).map((notice) => `${name}: ${notice}`),
  );
  const status = judgeStatus({
    isIncomplete: [start, end].some(
      (around) => around.kind === "failed" || isPartial(around.surroundings.body),
    ),
    found: planned.options.length > 0,
  });
  return {
    status,
    ...(status === "success" ? {} : { message: MESSAGES[status] }),
    ...(notices.length === 0 ? {} : { notices: notices.slice(0, NOTICES_MAX) }),
  };
}

const MESSAGES = {
  partial: "A search around an end failed or is not complete, so that ways may be missing.",
  empty: "No way to ride is known; walking is.",
} as const;

const NOTICES_MAX = 6;

function listNotices(around: Around): string[] {
  if (around.kind === "failed") return around.failures.map(({ message }) => message);
  const { body } = around.surroundings;
  const { notices = [] } = toOmitted(body.notices, undefined);
  const listed = body.results.stations.length + body.results.vehicles.length;
  if (listed === body.total) return notices;
  return [`the nearest ${listed} of ${body.total} were looked at`, ...notices];
}

function reasonOf({ start, end, takings, planned }: Plan): (typeof PLAN_REASONS)[number] {
  const failures = [start, end].flatMap((each) => (each.kind === "failed" ? each.failures : []));
  if (failures.some(({ code }) => code !== "no_sources_in_area")) return "search_failed";
  if (failures.length > 0) return "no_sources_in_area";
  if (takings.length === 0) return "nothing_to_take";
  const { range_too_small, nowhere_to_leave } = planned.left_out;
  return range_too_small > 0 && nowhere_to_leave === 0 ? "range_too_small" : "nowhere_to_leave";
}

function toSearched(around: Around, usable: number): Answer["searched"]["from"] {
  if (around.kind === "failed")
    return { status: "failed", error: around.failures[0]?.code ?? "internal" };
  const { status, total } = around.surroundings.body;
  return { status, found: total, usable };
}

function toAges(...ends: readonly Around[]): Surroundings["freshness"] {
  const entries = ends.flatMap((end) => (end.kind === "found" ? [end.surroundings.freshness] : []));
  const sum = (name: "fresh" | "stale" | "unknown"): number =>
    entries.reduce((total, each) => total + each[name], 0);
  return {
    fresh: sum("fresh"),
    stale: sum("stale"),
    unknown: sum("unknown"),
    realtime_reliable:
      entries.length === ends.length && entries.every(({ realtime_reliable }) => realtime_reliable),
  };
}

type ShownOption = SourcedItem & { option: Answer["options"][number] };

function toVisible(option: Option, { from, to, start, end }: Plan): ShownOption {
  const { taking, leaving, minutes, known, walk_to, walk_from } = option;
  const taken = toSeen(start, taking);
  const left = leaving ? toSeen(end, leaving) : null;
  const begin = toStop(taking);
  const [origin, destination] = [from, to].map(({ label = null, ...location }) =>
    toPoint({ location, name: label }),
  ) as [Stop, Stop];
  const rest = leaving ? toStop(leaving) : destination;
  const name = networkNameOf(start, taking);
  return {
    sources: [...taken.sources, ...(left?.sources ?? [])],
    option: {
      network: { id: taking.network_ids[0]!, name: name && toBriefName(name) },
      mode: taking.mode,
      minutes,
      cost: toCost(start, option),
      ...toUnknown(option),
      counts_known: known,
      legs: [
        toWalk(origin, begin, walk_to),
        toTake(taking, taken),
        {
          kind: "ride",
          from: begin,
          to: rest,
          distance_meters: option.ride_m,
          minutes: rideMinutes(option.ride_m, taking.mode),
        },
        toLeave(option, rest, left),
        ...(walk_from ? [toWalk(rest, destination, walk_from)] : []),
      ],
    },
  };
}

/** Of the ride alone, by the plan of what is taken; null: not known. */
function toCost(start: Around, { taking, ride_m }: Option): Answer["options"][number]["cost"] {
  const prices = start.kind === "found" ? (start.surroundings.body.results.prices ?? []) : [];
  const costed = costOfRide(prices, taking, ride_m);
  if (!costed) return null;
  const { amount, currency, assumptions } = costed.cost;
  const { name } = costed.plan;
  return {
    amount,
    currency,
    ...(assumptions.length === 0 ? {} : { assumptions }),
    ...(name === undefined ? {} : { plan: cutText(name, LEG_NAME_MAX) }),
  };
}

type Seen = Pick<OfKind<"take">, "freshness" | "observed_at" | "sources">;

/** How old it is, and whose. Vehicles are as old as the file of their source. */
function toSeen(around: Around, end: Taking | Leaving): Seen {
  const none: Seen = { freshness: "unknown", observed_at: end.observed_at, sources: [] };
  if (around.kind === "failed") return none;
  const { ages, observed_at } = around.surroundings;
  const { freshness, sources } = ages.get(end.id) ?? none;
  const [first] = sources;
  const published = first === undefined ? null : (observed_at.get(first) ?? null);
  return { freshness, sources: [...new Set(sources)], observed_at: end.observed_at ?? published };
}

function networkNameOf(around: Around, { network_ids, network_name }: Taking): string | null {
  const names: Surroundings["networks"] =
    around.kind === "found" ? around.surroundings.networks : new Map();
  return network_name ?? names.get(network_ids[0]!) ?? null;
}

/** Of a vehicle, the leg that takes it has the name. */
function toStop(end: Taking | Leaving): Stop {
  const isVehicle = "kind" in end && end.kind === "vehicle";
  return toPoint(isVehicle ? { ...end, name: null } : end);
}

function toPoint({ location, name }: { location: PlanPoint; name: string | null }): Stop {
  return { ...toBriefLocation(location), ...(name ? { name: cutText(name, LEG_NAME_MAX) } : {}) };
}

function toWalk(from: Stop, to: Stop, walk: PlanWalk): OfKind<"walk"> {
  return { kind: "walk", from, to, ...toWalkMembers(walk) };
}

/** Why the whole has no minutes, and what the known legs have. */
function toUnknown(option: Option): { known_minutes?: number; minutes_unknown?: string } {
  const { minutes, known_minutes, taking, walk_to, ride_m, walk_from } = option;
  if (minutes !== null) return {};
  const reasons = [
    ...(walk_to.by === null ? [`the walk to the ${taking.kind}: ${sayNoWay(walk_to.reason)}`] : []),
    ...(rideMinutes(ride_m, taking.mode) === null
      ? ["the ride: the mode has no stated speed"]
      : []),
    ...(walk_from?.by === null
      ? [`the walk to the destination: ${sayNoWay(walk_from.reason)}`]
      : []),
  ];
  return { known_minutes, minutes_unknown: reasons.join("; ") };
}

function toTake(taking: Taking, seen: Seen): OfKind<"take"> {
  const { kind, id, vehicles, type, energy, links } = taking;
  const words = toTypeWords(type ?? {});
  return {
    kind: "take",
    of: kind,
    at: { id, ...toPoint(taking) },
    ...(vehicles === undefined ? {} : { vehicles }),
    ...(words === "" ? {} : { vehicle_type: words }),
    ...(energy.battery === undefined ? {} : { battery: energy.battery }),
    ...(energy.range_m === undefined ? {} : { range_m: energy.range_m }),
    ...toRentalLink(links),
    minutes: ESTIMATE.take_minutes,
    ...seen,
  };
}

/** Nothing is observed of a place that is no station. */
function toLeave({ leaving, rule }: Option, at: Stop, seen: Seen | null): OfKind<"leave"> {
  const rest = { minutes: ESTIMATE.leave_minutes };
  if (!leaving || !seen)
    return { kind: "leave", at, leave: rule, ...rest, freshness: "unknown", observed_at: null };
  const { id, docks } = leaving;
  return { kind: "leave", at: { id, ...at }, docks, leave: "station", ...rest, ...seen };
}
