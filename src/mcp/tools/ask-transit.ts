/** A wish for public transport: the next departure around the point, or a stop. */
import { ASKED_MAX } from "#api/agent-ask.ts";
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { SearchReply } from "#app/search-reply.ts";
import { isPartial } from "#core/coverage.ts";
import { parseRfc3339 } from "#kit/time.ts";
import { transitSource } from "../answer-sources.ts";
import { toBriefName } from "../brief.ts";
import { hasWalks, toFootQuestion, toLeave, toWalking } from "../on-foot.ts";
import { type Candidate, type FindWish, profileOf, type Question, toRefused } from "./ask-found.ts";
import { toInput } from "./places-tool.ts";

type Stops = ReplyAt<"/v1/transport/nearby">;
type Stop = Stops["results"]["stations"][number];
type Departures = ReplyAt<"/v1/departures/nearby">;
type Departure = Departures["results"]["departures"][number];

const modesOf = ({ wish }: Question) => {
  if (wish.kind.family !== "transit") throw new Error("a wish of another family");
  return wish.kind.modes.length === 0 ? undefined : [...wish.kind.modes];
};

export const findStop: FindWish = async (deps, question, query) => {
  const profile = profileOf(question.needs);
  const reply = await deps.searches.transport(
    toInput(
      {
        ...question.at,
        radius: question.within_m,
        limit: ASKED_MAX,
        modes: modesOf(question) as never,
        providers: undefined,
        realtime: false,
        language: undefined,
        strict: false,
        ...toFootQuestion({ profile }),
        every: true,
        debug: false,
      },
      query,
    ),
  );
  const { body } = reply;
  return {
    within_m: body.radius,
    candidates: body.results.stations.flatMap((each) => toStop(each, question, body)),
    ...toRest(reply, "getTransportNearby"),
    walking: toWalking(body, { profile }).walking ?? null,
  };
};

function toStop(each: Stop, { wish, needs }: Question, body: Stops): Candidate[] {
  const isWished = wish.options.has("wheelchair") || needs.wheelchair;
  const { wheelchair } = each.accessibility;
  if (isWished && wheelchair === "no") return [];
  const isUnknown = isWished && wheelchair !== "yes";
  return [
    {
      id: each.id,
      name: each.name,
      location: each.location,
      distance_m: each.distance_meters,
      walk: hasWalks(body) ? (each.walk ?? null) : undefined,
      lacks: isUnknown ? ["wheelchair"] : [],
      facts: {},
      ...{ price: null, true_until: null, observed_at: null },
      sources: each.sources.map(transitSource),
    },
  ];
}

export const findDeparture: FindWish = async (deps, question, query) => {
  const profile = profileOf(question.needs);
  const { wish, when, within_m } = question;
  const { walk, speed } = toFootQuestion({ profile });
  const reply = await deps.searches.departures.nearby(
    toInput(
      {
        ...question.at,
        radius: within_m,
        within: LIMITS.departures.within_max,
        limit: LIMITS.departures.limit_max,
        modes: modesOf(question) as never,
        lines: undefined,
        language: undefined,
        at: when ?? undefined,
        first: false,
        last: wish.options.has("last"),
        toward: (wish.toward ?? undefined) as never,
        ...{ walk, speed, profile, debug: false },
      },
      query,
    ),
  );
  if ("kind" in reply) return toRefused(within_m, reply.message, "getDeparturesNearby");
  const { body } = reply;
  const leaving = body.results.departures.flatMap((each) =>
    toDeparture(each, question, { body, now_ms: query.now_ms }),
  );
  return {
    within_m: body.radius,
    // Of each line there is its last one; wished is the last of all.
    candidates: wish.options.has("last") ? leaving.toReversed() : leaving,
    ...toRest(reply, "getDeparturesNearby"),
    walking: toWalking(body, { profile, isByTime: true }).walking ?? null,
  };
};

function toRest(
  { body, metered }: SearchReply<Stops | Departures>,
  operation: "getTransportNearby" | "getDeparturesNearby",
) {
  return {
    failed: isPartial(body),
    message: body.message ?? null,
    requested: { operation, metered },
  };
}

/** Of one that is known to go elsewhere, or does not run, there is none. */
function toDeparture(
  each: Departure,
  { wish, needs }: Question,
  { body, now_ms }: { body: Departures; now_ms: number },
): Candidate[] {
  const { status, expected_at, planned_at, station, line, headsign } = each;
  const departs_at = expected_at ?? planned_at;
  if (departs_at === null || status === "cancelled" || status === "skipped") return [];
  if ((parseRfc3339(departs_at) ?? now_ms) < now_ms) return [];
  const { leave } = toLeave(each);
  const isWheelchair = wish.options.has("wheelchair") || needs.wheelchair;
  if (isWheelchair && each.wheelchair === "no") return [];
  return [
    {
      id: station.id,
      name: station.name,
      location: station.location,
      distance_m: station.distance_meters ?? 0,
      walk: hasWalks(body) ? (each.walk ?? null) : undefined,
      lacks: [
        ...(each.toward === null ? ["toward"] : []),
        ...(isWheelchair && each.wheelchair !== "yes" ? ["wheelchair"] : []),
      ],
      facts: {
        line: toBriefName(line.short_name ?? line.long_name ?? line.id),
        toward: headsign && toBriefName(headsign),
        departs_at,
        ...(leave == null ? {} : { leave }),
      },
      price: null,
      true_until: departs_at,
      observed_at: null,
      sources: each.sources.map(transitSource),
    },
  ];
}
