/**
 * Urban services (§4.6), parking and charging (§4.7): the sources of the requested kinds, asked at
 * once under one deadline, merged, counted, ranked and cut.
 */
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { Decoded } from "#api/primitives.ts";
import type { CHARGING_PARAMETERS, FACILITY_PARAMETERS } from "#api/services.ts";
import { USABLE_RULE } from "#api/usable.ts";
import { createPlaceIds, createPlaceNames, type ServiceItem } from "#core/places/place-results.ts";
import { kindsOf, type ServiceToken } from "#core/places/place-tokens.ts";
import { toUnknown, type UnknownPlaces } from "#core/places/usable-filter.ts";
import { DAY_MS, parseRfc3339, REPLY_MARGIN_MS } from "#kit/time.ts";
import { createTurn, type Turn } from "#kit/run/turn.ts";
import { createDeadline } from "#upstream/deadline.ts";
import {
  clamp,
  type ReadySearch,
  type Search,
  type SearchInput,
  type SearchRefusal,
} from "../search-reply.ts";
import { answerAtOnce } from "./ready-answer.ts";
import type { OpenStates } from "./open-states.ts";
import { type PlaceCounts, type PlacePage, toPlacePage } from "./place-page.ts";
import { PlaceTexts } from "./place-texts.ts";
import { readWalkWish } from "../walk/walking.ts";
import {
  listInstead,
  type Limits,
  MAPS_TYPES,
  type PlacesQuestion,
  type ServicesDeps,
  type ServicesQuestion,
  toAnswer,
  type ToOwn,
  type Tools,
  toSelecting,
  toWanted,
} from "./place-answer.ts";

/** Decoded parameters, not yet clamped. */
export type FacilityQuestion = Decoded<typeof FACILITY_PARAMETERS>;
type ChargingQuestion = Decoded<typeof CHARGING_PARAMETERS>;

type ConnectorQuestion = Pick<ChargingQuestion, "connector" | "min_kw">;

export type PlaceSearches = {
  services: PlaceSearch<ServicesQuestion, ReplyAt<"/v1/services/nearby">>;
  parking: PlaceSearch<FacilityQuestion, ReplyAt<"/v1/parking/nearby">>;
  charging: PlaceSearch<ChargingQuestion, ReplyAt<"/v1/charging/nearby">>;
};

type PlaceSearch<Q, B> = Search<Q, B, SearchRefusal> & { atOnce?: ReadySearch<Q> };

/** The searches for places, which share what they remember of ids and names. */
export function createPlaceSearches(deps: ServicesDeps): PlaceSearches {
  const tools: Tools = {
    ...deps,
    toId: createPlaceIds(),
    toName: createPlaceNames(),
    texts: new PlaceTexts(),
    known: { countries: null },
  };
  return {
    services: createServices(tools),
    parking: createFacility(tools, "parking"),
    charging: createFacility(tools, "charging"),
  };
}

/** GET /v1/services/nearby. */
function createServices(tools: Tools) {
  const toOwn =
    ({ types }: ServicesQuestion) =>
    (counted: PlaceCounts, results: readonly ServiceItem[]) => ({
      summary: counted.by_token,
      ...toUnknown(counted.unknown),
      ...(kindsOf(types).includes("water") ? { not_potable: counted.undrinkable } : {}),
      ...(isForDrinking(types) ? { potable_unknown: counted.uncertain } : {}),
      ...(types.some((type) => MAPS_TYPES.has(type))
        ? { attributions: [attributionOf(tools.maps)] }
        : {}),
      results,
    });
  const find = (input: SearchInput<ServicesQuestion>) =>
    search(tools, input, LIMITS.services, toOwn(input.question));
  const atOnce = (input: SearchInput<ServicesQuestion>) =>
    answerAtOnce(tools, input, LIMITS.services, toOwn(input.question));
  return Object.assign(find, { atOnce });
}

/** Whether water is wanted for drinking alone (decisions, Drinking water). */
function isForDrinking(types: readonly ServiceToken[]): boolean {
  return types.includes("drinking_water") && !types.includes("fountain");
}

/** GET /v1/parking/nearby and /v1/charging/nearby. */
function createFacility<T extends keyof Facilities>(tools: Tools, type: T) {
  const toOwn: ToOwn<Own<T>> = ({ unknown }, results) => ({
    ...toUnknown(unknown),
    attribution: attributionOf(tools.maps),
    results: results.filter((item) => isOfType(item, type)),
  });
  type Input = SearchInput<FacilityQuestion & Partial<ConnectorQuestion>>;
  const toInput = (input: Input): SearchInput<PlacesQuestion> => {
    const { connector, min_kw = 0 } = input.question;
    const types = [type] as const;
    const question = { ...input.question, types, country: undefined, connector, min_kw };
    return { ...input, question };
  };
  const find = (input: Input) => search(tools, toInput(input), LIMITS.facilities, toOwn);
  const atOnce = (input: Input) => answerAtOnce(tools, toInput(input), LIMITS.facilities, toOwn);
  return Object.assign(find, { atOnce });
}

type Own<T extends keyof Facilities> = {
  unknown?: UnknownPlaces;
  attribution: ReturnType<typeof attributionOf>;
  results: Facilities[T][];
};

type Facilities = {
  parking: ReplyAt<"/v1/parking/nearby">["results"][number];
  charging: ReplyAt<"/v1/charging/nearby">["results"][number];
};

/** Whether an item is of this type; its attributes are those of the type then, as its source states them. */
function isOfType<T extends keyof Facilities>(
  item: ServiceItem,
  type: T,
): item is ServiceItem & Facilities[T] {
  return item.service_type === type;
}

function attributionOf({
  name,
}: ServicesDeps["maps"]): ReplyAt<"/v1/parking/nearby">["attribution"] {
  return { provider: name, display_name: name, required: true };
}

/** Items whose hours are read before others may have the thread. */
const STEP_ITEMS = 8;

async function search<O extends object>(
  deps: Tools,
  input: SearchInput<PlacesQuestion>,
  limits: Limits,
  toOwn: ToOwn<O>,
) {
  const { question, deadline_ms } = input;
  // 1. Clamp (§7 rule 3), and the moment that is asked for.
  const applied = clamp(question, limits);
  const chosen_ms = readMoment(question.usable, input.now_ms);
  if (typeof chosen_ms === "string") return refuse(chosen_ms);
  // 2. Sources that know these kinds here, and kinds that none knows.
  using deadline = createDeadline(deps.clock, deadline_ms - REPLY_MARGIN_MS, input.signal);
  const countries = (deps.known.countries = await deps.countries());
  const wanted = toWanted(deps, input, { applied, signal: deadline.signal, countries });
  const { query, finders } = wanted;
  // 3. Ask them all at once; then those that stand in for one that knew nothing here.
  const turn = createTurn({});
  const first = await Promise.all(
    finders.map(async (finder) => {
      const finding = await finder.find(query);
      await turn();
      return finding;
    }),
  );
  const instead = listInstead(deps.finders, query, first);
  const findings = [...first, ...(await Promise.all(instead.map((find) => find())))];
  await turn();
  // 4. Hours, and what the caller can use.
  const now_ms = deps.clock.now();
  const moment = { at_ms: chosen_ms ?? now_ms, is_now: chosen_ms === null };
  const states = await deps.openStates(moment);
  // 5. One thing is one result, however many see it; then count, filter and rank, on foot if wished.
  const [{ lat, lon }, wish] = [question, readWalkWish(question)];
  const page = await toPlacePage(
    findings.map(({ places }) => places),
    {
      selecting: toSelecting(deps, question, { applied, states, query }),
      limit_max: limits.limit_max,
      start: { lat, lon },
      walks: deps.walks,
      wish,
      turn,
      signal: query.signal,
    },
  );
  await turn();
  // 6. Coverage decides the status.
  const results = await showItems(page, states, turn);
  deps.noteServices?.(page.items);
  const answer = { question, applied, limits, wanted, findings, page, now_ms, moment, states };
  return toAnswer(deps, answer, toOwn(page, results));
}

/** Items as they are published. */
async function showItems(
  { items, walks }: PlacePage,
  states: OpenStates,
  turn: Turn,
): Promise<ServiceItem[]> {
  const results: ServiceItem[] = [];
  for (const [i, item] of items.entries()) {
    const shown = states.show(item);
    results.push(walks === null ? shown : { ...shown, walk: walks[i]! });
    if (results.length % STEP_ITEMS === 0) await turn();
  }
  return results;
}

/** Hours that are published today say little about a time further away. */
const FAR_MS = 366 * DAY_MS;

/** Reads `usable`: the time that is asked for, null for now, or the rule that it breaks. */
export function readMoment(usable: string, now_ms: number): number | string | null {
  if (usable === "any" || usable === "now") return null;
  const at_ms = parseRfc3339(usable);
  const isNear = at_ms !== null && Math.abs(at_ms - now_ms) <= FAR_MS;
  return isNear ? at_ms : `usable must be ${USABLE_RULE}`;
}

export function refuse(message: string): SearchRefusal {
  return { kind: "refused", code: "invalid_request", message };
}
