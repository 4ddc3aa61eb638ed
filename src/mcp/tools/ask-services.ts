/** A wish for an urban service: the search of services, by the filters of its options. */
import { ASKED_MAX } from "#api/agent-ask.ts";
import type { ReplyAt } from "#api/operations.ts";
import { isPartial } from "#core/coverage.ts";
import { parseRfc3339 } from "#kit/time.ts";
import type { Wish } from "#core/wishes/read-wish.ts";
import { observersOfPlace } from "../answer-sources.ts";
import type { RequestedOperation } from "../tool.ts";
import { hasWalks, toFootQuestion, toWalking } from "../on-foot.ts";
import {
  type Candidate,
  type FindWish,
  type Found,
  profileOf,
  type Question,
  toRefused,
} from "./ask-found.ts";
import { toInput } from "./places-tool.ts";

type Body = ReplyAt<"/v1/services/nearby"> | ReplyAt<"/v1/places/nearby">;
type Service = Body["results"][number];

export const findService: FindWish = async (deps, question, query) => {
  const { wish, within_m } = question;
  if (wish.kind.family !== "service") throw new Error("a wish of another family");
  const profile = profileOf(question.needs);
  const args = { ...question.at, ...toFilters(question), radius: within_m, limit: ASKED_MAX };
  const reply = await deps.searches.services(
    toInput({ ...args, ...toFootQuestion({ profile }), language: undefined, debug: false }, query),
  );
  if ("kind" in reply) return toRefused(within_m, reply.message, "getServicesNearby");
  return toFound(reply, "getServicesNearby", question, query.now_ms);
};

function toFound(
  { body, metered }: { body: Body; metered: RequestedOperation["metered"] },
  operation: RequestedOperation["operation"],
  question: Question,
  now_ms: number,
): Found {
  return {
    within_m: body.radius,
    candidates: body.results.flatMap((each) => toCandidate(each, question, now_ms, body)),
    failed: isPartial(body),
    message: body.message ?? null,
    requested: { operation, metered },
    walking: toWalking(body, { profile: profileOf(question.needs) }).walking ?? null,
  };
}

function toFilters({ wish, needs, when }: Question) {
  const { options, connectors, least, kind } = wish;
  const has = (option: Parameters<typeof options.has>[0]): boolean => options.has(option);
  if (kind.family !== "service") throw new Error("a wish of another family");
  // What is closed is never an answer. A charger with `usable` has a free plug too.
  const isTimed = kind.type !== "charging" || has("free");
  return {
    types: [kind.type],
    country: undefined,
    usable: isTimed ? (when ?? "now") : "any",
    wheelchair: has("wheelchair") || needs.wheelchair ? ("yes" as const) : ("any" as const),
    fee: has("no_fee") ? ("no" as const) : ("any" as const),
    access: has("public") ? ("public" as const) : ("any" as const),
    connector: connectors.length === 0 ? undefined : [...connectors],
    min_kw: least.kW ?? 0,
    strict: false,
  };
}

type Attributes = {
  usable?: { state: string; until: string | null; rule: string | null };
  charging?: { available_count?: number | null; availability_updated_at?: string };
  availability?: { observed_at?: string };
  fee?: unknown;
  charge?: unknown;
};

/** None: it is known not to fit. */
function toCandidate(each: Service, question: Question, now_ms: number, body: Body): Candidate[] {
  const { wish, when } = question;
  const { usable, charging, availability, fee, charge }: Attributes = each.attributes;
  const lacks = new Set<string>(
    (each.unknown ?? [])
      .filter((name) => name !== "usable" || isOpenWished(wish))
      .map((name) => (name === "usable" ? "hours" : name)),
  );
  const at_ms = when === null ? now_ms : (parseRfc3339(when) ?? now_ms);
  const stays = staysOpen(usable, wish.least.min, at_ms);
  if (stays === false) return [];
  if (stays === null || (wish.options.has("open") && usable?.state !== "open")) lacks.add("hours");
  if (wish.options.has("free") && typeof charging?.available_count !== "number") lacks.add("free");
  const free = charging?.available_count;
  return [
    {
      id: each.id,
      name: each.name || null,
      location: each.location,
      distance_m: each.distance_meters,
      walk: hasWalks(body) ? (each.walk ?? null) : undefined,
      lacks: [...lacks],
      facts: {
        ...(typeof free === "number" ? { count: free } : {}),
        ...(usable?.state === "unknown" && !lacks.has("hours") ? { hours: "unknown" } : {}),
      },
      price: typeof charge === "string" ? charge : sayFee(fee),
      true_until: usable?.state === "open" ? usable.until : null,
      observed_at: charging?.availability_updated_at ?? availability?.observed_at ?? null,
      sources: observersOfPlace(each),
    },
  ];
}

/** Of a place of a class, by the same rules. */
export const findPlace: FindWish = async (deps, question, query) => {
  const { wish, needs, within_m, when } = question;
  if (wish.kind.family !== "place") throw new Error("a wish of another family");
  const profile = profileOf(needs);
  const isWheelchair = wish.options.has("wheelchair") || needs.wheelchair;
  const reply = await deps.searches.places(
    toInput(
      {
        ...{ ...question.at, classes: [wish.kind.place_class], radius: within_m, limit: ASKED_MAX },
        ...{ language: undefined, usable: when ?? "now", strict: false, debug: false },
        wheelchair: isWheelchair ? ("yes" as const) : ("any" as const),
        ...toFootQuestion({ profile }),
      },
      query,
    ),
  );
  if ("kind" in reply) return toRefused(within_m, reply.message, "getPlacesNearby");
  return toFound(reply, "getPlacesNearby", question, query.now_ms);
};

const isOpenWished = ({ options, least }: Wish): boolean =>
  options.has("open") || options.has("free") || least.min !== undefined;

const MINUTE_MS = 60_000;

/** Whether it is open for these minutes; null: not known. */
function staysOpen(
  usable: Attributes["usable"],
  minutes: number | undefined,
  at_ms: number,
): boolean | null {
  if (minutes === undefined) return true;
  if (usable?.state === "closed") return false;
  if (usable?.state !== "open") return null;
  const until_ms = usable.until === null ? null : parseRfc3339(usable.until);
  if (until_ms === null) return usable.rule?.includes("24/7") === true ? true : null;
  return until_ms - at_ms >= minutes * MINUTE_MS;
}

/** null: not known. */
function sayFee(fee: unknown): string | null {
  if (fee === false || fee === "no") return "no fee";
  return fee === true || fee === "yes" ? "a fee, not known how much" : null;
}
