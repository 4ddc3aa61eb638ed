/** search_mobility_nearby and read_dataset: what a stored answer of /v1/nearby holds, in brief. */
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type {
  ErrorObservation,
  Observation,
  SearchRequest,
} from "#app/capabilities/search-observation.ts";
import type { DatasetAddress, ReadReply } from "#app/capabilities/dataset-read.ts";
import { KEPT_MIN, SHOWN } from "#api/agent-results.ts";
import { DATASET_RESOURCE } from "#api/agent-tools.ts";
import { errorRow } from "#api/errors.ts";
import { NEARBY_PARAMETERS, type NearbyBodyValue } from "#api/nearby.ts";
import { defaultsOf } from "#api/primitives.ts";
import type { OnFoot } from "#app/walk/walking.ts";
import type { Location } from "#kit/geo.ts";
import { parseJsonBytes } from "#kit/json.ts";
import {
  fit,
  toBriefMatch,
  toBriefService,
  toBriefStation,
  toBriefVehicle,
  toOmitted,
} from "../brief.ts";
import { localAt, type LocalMembers, MOST_THINGS, sourcesOfThings } from "../local.ts";
import {
  createSourcesOf,
  fromSources,
  observersOfPlace,
  type SourcesOf,
  toCredits,
} from "../answer-sources.ts";
import { type Around, type NetworkSources, toAround } from "./nearby-around.ts";
import { judgeRow, keepPossible, toNearestKnown, toSummary } from "./nearby-match.ts";
import { listOnFoot } from "./nearby-walks.ts";
import { type FootArguments, type Footed, toFoot, toNearestStraight } from "../on-foot.ts";
import type { AnswerOf, ToolCall, Refused, RunTool, ToolDeps } from "../tool.ts";

/** Of a search. */
const DEFAULTS = defaultsOf(NEARBY_PARAMETERS);

type Answer = AnswerOf<"read_dataset">;
type Brief = Answer["results"][number];

export function createSearchNearby(deps: ToolDeps): RunTool<"search_mobility_nearby"> {
  return async ({ profile, within_minutes, ...args }, query) => {
    const searched = await keepSearch(deps, { args, policy: null }, query);
    if ("kind" in searched) return searched;
    const { observation, free } = searched;
    const requested = toDatasetAddress(observation);
    const metered = { ...ONE_ANSWER, void: free };
    const page = { offset: 0, limit: args.limit };
    const foot = { profile, within_minutes };
    const findBeyond: Listing["findBeyond"] = ({ radius, now_ms }) =>
      args.intent == null
        ? undefined
        : deps.findIntended(
            { ...DEFAULTS, ...args },
            { intent: args.intent, strict: args.strict, radius_m: radius, now_ms },
          );
    return toOutcome(deps, query, { requested, observation, page, metered, foot, findBeyond });
  };
}

/** Searches and stores as much as two units buy, or the plan allows; the outcome where that fails. */
export async function keepSearch(
  deps: ToolDeps,
  { args, policy }: SearchRequest,
  query: ToolCall,
): Promise<Refused | { observation: Observation; free: boolean }> {
  const keep = Math.max(query.caller.plan.nearby_limit_max, KEPT_MIN);
  const stored = { ...args, limit: keep };
  const reply = await deps.search({ args: stored, policy }, toKeeping(query, keep));
  if (reply.kind === "refused") return refuseReply(reply);
  const observation = parseJsonBytes(reply.observation) as Observation | ErrorObservation;
  if ("errors" in observation) return toFailure(observation);
  return { observation, free: reply.free };
}

export function toDatasetAddress({ provenance: [stored] }: Observation): DatasetAddress {
  return { id: stored.dataset_id, version: stored.version };
}

/** A dataset is read page by page, so that it may hold more than one answer of the plan. */
function toKeeping(query: ToolCall, nearby_limit_max: number): ToolCall {
  const { caller } = query;
  return { ...query, caller: { ...caller, plan: { ...caller.plan, nearby_limit_max } } };
}

export function createReadDatasetTool(deps: ToolDeps): RunTool<"read_dataset"> {
  return async ({ id, version, offset, limit, ...foot }, query) => {
    return readStored(deps, query, { requested: { id, version }, page: { offset, limit }, foot });
  };
}

/** The first page of a dataset, and the credits of all that a map of it draws. */
export function createShowMap(deps: ToolDeps): RunTool<"show_map"> {
  const page = { offset: 0, limit: SHOWN.items_max };
  const foot = { profile: "foot" } as const;
  return (requested, query) => readStored(deps, query, { requested, page, foot, credit_all: true });
}

async function readStored(
  deps: ToolDeps,
  query: ToolCall,
  of: Omit<Listing, "observation" | "metered">,
): ReturnType<RunTool<"read_dataset">> {
  const observation = await readObservation(deps, of.requested, query);
  if ("kind" in observation) return observation;
  return toOutcome(deps, query, { ...of, observation, metered: ONE_ANSWER });
}

export async function readObservation(
  deps: ToolDeps,
  address: DatasetAddress,
  query: ToolCall,
): Promise<Observation | Refused> {
  const reply = await deps.read(address, "observation", query);
  if (reply.kind === "refused") return refuseReply(reply);
  return parseJsonBytes(reply.bytes) as Observation;
}

export async function readBody(
  deps: ToolDeps,
  address: DatasetAddress,
  query: ToolCall,
): Promise<({ body: NearbyBodyValue; bytes: number } & Keeping) | Refused> {
  const reply = await deps.read(address, "body", query);
  if (reply.kind === "refused") return refuseReply(reply);
  return {
    body: parseJsonBytes(reply.bytes) as NearbyBodyValue,
    bytes: reply.bytes.byteLength,
    kept_until: new Date(reply.row.expires_at_ms).toISOString(),
    ...(reply.is_short ? { kept_note: KEPT_SHORT } : {}),
  };
}

/** How long a dataset is kept, and why not for longer. */
type Keeping = Pick<Answer["dataset"], "kept_until" | "kept_note">;

const KEPT_SHORT =
  "Your address has as many datasets with the longer life as it may: this one goes at kept_until, unless it is read again before (read_dataset, free) and there is room then.";

type Listing = {
  requested: DatasetAddress;
  observation: Observation;
  page: { offset: number; limit: number };
  metered: typeof ONE_ANSWER;
  /** Ways on foot are of now: the dataset has none. */
  foot: FootArguments;
  /** What lies nearest outside of the circle, now, where nothing in it allows what is intended. */
  findBeyond?: (circle: { radius: number; now_ms: number }) => Answer["beyond"];
  /** Whether the sources of the whole dataset are credited, not only of what is shown. */
  credit_all?: boolean;
};

/** Always from the dataset: what is shown is what can be read again. */
async function toOutcome(
  deps: ToolDeps,
  query: ToolCall,
  { requested, observation, page, metered, foot, findBeyond, credit_all = false }: Listing,
): ReturnType<RunTool<"read_dataset">> {
  const read = await readBody(deps, requested, query);
  if ("kind" in read) return read;
  const { body, bytes, ...keeping } = read;
  const isWithin = foot.within_minutes !== undefined;
  const { intent, strict } = observation.query_parameters;
  const all = rank(body, toSourcesOf(observation));
  const { possible, usable } = keepPossible(all, { intent, strict });
  const { rows, known, walking, left_out } = await listOnFoot(
    deps.walks,
    body.query_origin,
    usable,
    foot,
    strict,
  );
  const toBrief = (row: OnFoot<Ranked>): Brief => {
    const { item, walk } = row;
    return {
      ...item.brief(),
      ...toFoot(walk, { ...foot, known }),
      ...toBriefMatch(judgeRow(row, { intent, isWithin })),
    };
  };
  const results = rows.slice(page.offset, page.offset + SHOWN.items_max).map(toBrief);
  // The clocks are those of what is nearest, whatever is between.
  const near = usable.slice(0, MOST_THINGS).map(({ brief }) => brief());
  const now_ms = deps.clock.now();
  const is_first = page.offset === 0;
  const around = toAround(body.results, networkSources(observation));
  const head = toHead(body, observation, {
    now_ms,
    // Of the circle: shown once, and not again on every page.
    surroundings: is_first ? { ...toActions(body), ...around.members } : {},
    local: await localAt(deps, body.query_origin, {
      at_ms: now_ms,
      sources: sourcesOfThings(near),
    }),
    kept: all.length,
  });
  const drawn = credit_all ? all.map(({ brief }) => brief()) : [];
  const unusable = intent === null ? {} : { intent, unusable: all.length - possible.length };
  const isEmptied =
    possible.length < all.length && !usable.some(isThing) && all.length >= body.total;
  const beyond = isEmptied ? findBeyond?.({ radius: body.radius, now_ms }) : undefined;
  const judged = {
    ...(beyond === undefined ? {} : { beyond }),
    ...toSummary(body, strict ? possible.length - usable.length + left_out : null),
    ...toNearestKnown(body, rows, { intent, isWithin }),
  };
  const answer = fit(results, page.limit, (listed): Answer => {
    const end = page.offset + listed.length;
    const next_offset = listed.length > 0 && end < rows.length ? end : null;
    return {
      ...head,
      ...unusable,
      ...judged,
      walking,
      ...(is_first ? toNearestStraight(rows.map(toFooted), { ...foot, known }) : {}),
      // What the dataset could not keep counts only where nothing is left out of what it has.
      total: intent === null && !isWithin ? body.total : rows.length,
      shown: listed.length,
      results: listed,
      attribution: toCredits(
        [...listed, ...drawn, ...(is_first ? [around.sources] : [])],
        deps.termsOf,
      ),
      dataset: toDataset(observation.provenance[0], {
        ...keeping,
        found: body.total,
        next_offset,
      }),
    };
  });
  return {
    kind: "answered",
    answer,
    dataset: { ...requested, bytes },
    metered,
  };
}

type Results = NearbyBodyValue["results"];
type Item = Results["stations"][number] | Results["vehicles"][number] | Results["places"][number];
type Ranked = {
  item: Item;
  distance: number;
  id: string;
  location: Location | undefined;
  brief: () => Brief;
};

/** Whether it is a station or a vehicle. */
function isThing({ item }: Ranked): boolean {
  return "source" in item || "availability" in item;
}

function toFooted({ item, walk }: OnFoot<Ranked>): Footed {
  return { id: item.id, distance_meters: item.distance, walk };
}

/** Decisions, Global nearby: one list by distance, then id. What is kept as its id alone is not shown. */
function rank({ results }: NearbyBodyValue, sourcesOf: SourcesOf): Ranked[] {
  const listed = [
    ...results.stations.map((item) => ({
      item,
      ...keyOf(item),
      brief: () => fromSources(toBriefStation(item), sourcesOf(itemObservers(item))),
    })),
    ...results.vehicles.map((item) => ({
      item,
      distance: item.source?.distance_meters,
      id: item.source_id,
      location: item.source?.location,
      brief: () => fromSources(toBriefVehicle(item), sourcesOf([item.source_id])),
    })),
    ...results.places.map((item) => ({
      item,
      ...keyOf(item),
      brief: () => fromSources(toBriefService(item), observersOfPlace(item)),
    })),
  ];
  const visible = listed.filter(
    (each): each is typeof each & Ranked => each.distance !== undefined,
  );
  return visible.sort(
    (a, b) => a.distance - b.distance || Buffer.compare(toBytes(a.id), toBytes(b.id)),
  );
}

/** Finds the sources of the records that an observation names. */
export function toSourcesOf({ provenance: [, ...provided] }: Observation): SourcesOf {
  return createSourcesOf(provided.map(({ source_id }) => source_id));
}

export function itemObservers({ provenance = [] }: Results["stations"][number]): string[] {
  return provenance.map(({ source_id }) => source_id);
}

function keyOf(item: { id: string; distance_meters?: number; location?: Location }) {
  return { id: item.id, distance: item.distance_meters, location: item.location };
}

function toBytes(id: string): Buffer {
  return Buffer.from(id);
}

function toHead(
  body: NearbyBodyValue,
  observation: Observation,
  on: {
    now_ms: number;
    surroundings: Pick<Answer, "available_actions"> & Around;
    local: LocalMembers;
    kept: number;
  },
): Omit<Answer, "total" | "shown" | "results" | "attribution" | "dataset"> {
  const { status, message, query_origin, radius, beyond } = body;
  const { received_at, freshness, query_parameters } = observation;
  const { notices = [] } = toOmitted(body.notices, message);
  const reported = on.kept < body.total ? [...notices, reportCut(on.kept, body.total)] : notices;
  return {
    status,
    message,
    ...(reported.length === 0 ? {} : { notices: reported }),
    query_origin,
    radius,
    distances: "straight_line",
    ...on.local,
    untrusted_text: true,
    ...(beyond === undefined ? {} : { beyond }),
    searched: query_parameters.include,
    ...on.surroundings,
    freshness: { answered_at: new Date(on.now_ms).toISOString(), received_at, ...freshness },
  };
}

function reportCut(stored: number, match: number): string {
  return `The dataset has ${stored} of the ${match} that were found; a smaller radius has all of its own.`;
}

function toActions({ available_actions }: NearbyBodyValue): Pick<Answer, "available_actions"> {
  const actions = available_actions.map(({ id }) => id);
  return actions.length === 0 ? {} : { available_actions: actions };
}

/** Finds the sources that a network of the observation is from. */
function networkSources({ provenance: [, ...provided] }: Observation): NetworkSources {
  return (network_id) =>
    provided.flatMap((each) => (each.network_ids.includes(network_id) ? each.source_id : []));
}

function toDataset(
  stored: Observation["provenance"][0],
  page: Pick<Answer["dataset"], "kept_until" | "kept_note" | "found" | "next_offset">,
): Answer["dataset"] {
  const { dataset_id: id, version, href, expires_at, entity_count } = stored;
  const uri = toDatasetUri({ id, version });
  return { id, version, href, uri, expires_at, entity_count, ...page };
}

export function toDatasetUri({ id, version }: DatasetAddress): string {
  return DATASET_RESOURCE.replace("{id}", id).replace("{version}", version);
}

type Code = Extract<ReadReply, { kind: "refused" }>["code"] | "quota_exhausted";

function refuseReply({ code, message, retry_after_s }: Refusal): Refused {
  const reported = message ?? errorRow(code).example;
  return {
    kind: "refused",
    charged: false,
    code,
    message: reported,
    retry_after_s: retry_after_s ?? null,
  };
}

type Refusal = { code: Code; message?: string; retry_after_s?: number };

/** §7 rule 5: the execution failed, and each source says how. */
function toFailure({ errors }: ErrorObservation): Refused {
  const { code, retry_after_s } = errors[0]!;
  const message = errors.map((error) => error.message).join("; ");
  return { kind: "refused", charged: true, code, message, retry_after_s, untrusted_text: true };
}
