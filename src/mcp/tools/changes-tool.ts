/** changes_since: what entered, left and changed between two stored answers of one search. */
import { BoundedCache } from "#app/kept.ts";
import type { Observation } from "#app/capabilities/search-observation.ts";
import type { DatasetAddress } from "#app/capabilities/dataset-read.ts";
import { SHOWN } from "#api/agent-results.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { compare, type ChangedMembers, type Placed } from "#core/changes/compare-datasets.ts";
import { listDifferent } from "#core/changes/change-question.ts";
import { type ComparedItem, toSide } from "#core/changes/side.ts";
import { present } from "#kit/present.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import { fit, toBriefLocation, toBriefName } from "../brief.ts";
import { type Comparison, sayChanges } from "../changes-words.ts";
import { localAt, sourcesOfThings } from "../local.ts";
import { fromSources, observersOfPlace, toCredits } from "../answer-sources.ts";
import type { AnswerOf, ToolCall, Refused, RunTool, ToolDeps } from "../tool.ts";
import {
  keepSearch,
  itemObservers,
  readBody,
  readObservation,
  toDatasetAddress,
  toSourcesOf,
} from "./nearby-tool.ts";

type Answer = AnswerOf<"changes_since">;
type Change = Answer["results"][number];
type State = NonNullable<Change["before"]>;
/** A stored search as it was read. */
type Stored = { observation: Observation; body: NearbyBodyValue; bytes: number };
/** What came of comparing two stored searches: the same for every caller, since neither ever changes. */
type Outcome = Refused | { kind: "compared"; summary: Summary };

/** Of the datasets of comparisons that are kept: some hundred of the largest, or thousands. */
const KEPT_BYTES = 32 * 1024 * 1024;

export function createChangesSince(deps: ToolDeps): RunTool<"changes_since"> {
  const compared = new BoundedCache<Outcome>(KEPT_BYTES);
  return async ({ id, version, to_id, to_version, offset }, query) => {
    if ((to_id === undefined) !== (to_version === undefined)) return refuse(BOTH);
    const from = { id, version };
    // Whatever is kept: the caller must be one who may read both.
    const earlier = await readObservation(deps, from, query);
    if ("kind" in earlier) return earlier;
    const later =
      to_id === undefined || to_version === undefined
        ? await searchAgain(deps, earlier, query)
        : { address: { id: to_id, version: to_version }, free: false };
    if ("kind" in later) return later;
    const to = later.address;
    const now = isSameDataset(from, to) ? earlier : await readObservation(deps, to, query);
    if ("kind" in now) return now;
    const key = JSON.stringify([from.id, from.version, to.id, to.version]);
    let outcome = compared.find(key);
    if (!outcome) {
      const made = await compareDatasets(deps, { from, earlier, to, now }, query);
      if (made.kind !== "made") return made;
      outcome = made.outcome;
      compared.keep(key, outcome, made.bytes);
    }
    if (outcome.kind === "refused") return outcome;
    const answer = await toAnswer(deps, outcome.summary, offset);
    return {
      kind: "answered",
      answer,
      dataset: { ...to, bytes: outcome.summary.bytes },
      metered: { ...ONE_ANSWER, void: later.free },
    };
  };
}

type Pair = {
  from: DatasetAddress;
  earlier: Observation;
  to: DatasetAddress;
  now: Observation;
};

/** Reads each dataset once; one that is compared with itself is not read twice. */
async function compareDatasets(
  deps: ToolDeps,
  { from, earlier, to, now }: Pair,
  query: ToolCall,
): Promise<Refused | { kind: "made"; outcome: Outcome; bytes: number }> {
  const different = listDifferent(earlier.query_parameters, now.query_parameters);
  if (different.length > 0)
    return {
      kind: "made",
      outcome: refuse(`${SAME}; these differ in ${different.join(", ")}`),
      bytes: 1,
    };
  const before = await readBody(deps, from, query);
  if ("kind" in before) return before;
  const after = isSameDataset(from, to) ? before : await readBody(deps, to, query);
  if ("kind" in after) return after;
  const summary = summarise({ observation: earlier, ...before }, { observation: now, ...after });
  return {
    kind: "made",
    outcome: { kind: "compared", summary },
    bytes: before.bytes + after.bytes,
  };
}

function isSameDataset(from: DatasetAddress, to: DatasetAddress): boolean {
  return from.id === to.id && from.version === to.version;
}

const BOTH = "arguments.to_id and arguments.to_version must be given together, or neither";
const SAME =
  "the two datasets must be of one search: the same point, radius, modes, include, filters";

function refuse(message: string): Refused {
  return { kind: "refused", charged: false, code: "invalid_request", message };
}

/** The search as it was applied, with data within their time to live unless it asked for more. */
async function searchAgain(
  deps: ToolDeps,
  { query_parameters: requested_query_parameters }: Observation,
  query: ToolCall,
): Promise<{ address: DatasetAddress; free: boolean } | Refused> {
  const { lat, lon, radius, modes, include, limit, min_vehicles, min_docks, strict } =
    requested_query_parameters;
  const args = {
    ...{ lat, lon, radius, modes, include, limit, min_vehicles, min_docks, strict },
    intent: requested_query_parameters.intent ?? undefined,
    propulsion: requested_query_parameters.propulsion ?? undefined,
    form_factors: requested_query_parameters.form_factors ?? undefined,
    operators: requested_query_parameters.operators ?? undefined,
    language: requested_query_parameters.language ?? undefined,
  };
  const policy = requested_query_parameters.freshness_policy ?? "accept_valid_cache";
  const searched = await keepSearch(deps, { args, policy }, query);
  if ("kind" in searched) return searched;
  return { address: toDatasetAddress(searched.observation), free: searched.free };
}

/** What an answer says of two datasets, but for the time at which it is asked. */
type Summary = {
  reported: ReturnType<typeof sayChanges>;
  query_origin: NearbyBodyValue["query_origin"];
  radius: number;
  more: Pick<
    Answer,
    "untrusted_text" | "compared_within_m" | "searched" | "from" | "to" | "elapsed_s" | "totals"
  >;
  received_at: string | null;
  rows: readonly Change[];
  /** Of the later dataset. */
  bytes: number;
};

function summarise(from: Stored, to: Stored): Summary {
  const comparison = compareStored(from, to);
  const { changes, elapsed_s } = comparison;
  const { entered, left, changed, unchanged, unknown, reach } = changes;
  const { query_origin } = to.body;
  const more: Summary["more"] = {
    untrusted_text: true,
    compared_within_m: reach.radius_m,
    searched: to.observation.query_parameters.include,
    from: toComparedDataset(from),
    to: toComparedDataset(to),
    elapsed_s,
    totals: {
      entered: entered.length,
      left: left.length,
      changed: changed.length,
      unchanged,
      unknown: unknown.length,
    },
  };
  return {
    reported: sayChanges(comparison),
    query_origin,
    radius: to.body.radius,
    more,
    received_at: to.observation.received_at,
    rows: listRows(comparison, from.observation, to.observation),
    bytes: to.bytes,
  };
}

async function toAnswer(deps: ToolDeps, summary: Summary, offset: number): Promise<Answer> {
  const { reported, query_origin, radius, more, rows, received_at } = summary;
  const now_ms = deps.clock.now();
  const head = {
    ...reported,
    query_origin,
    radius,
    distances: "straight_line" as const,
    ...(await localAt(deps, query_origin, { at_ms: now_ms, sources: sourcesOfThings(rows) })),
    ...more,
    freshness: { answered_at: new Date(now_ms).toISOString(), received_at },
  };
  return fit(rows.slice(offset), SHOWN.items_max, (listed) => {
    const end = offset + listed.length;
    return {
      ...head,
      total: rows.length,
      shown: listed.length,
      next_offset: listed.length > 0 && end < rows.length ? end : null,
      results: listed,
      attribution: toCredits(listed, deps.termsOf),
    };
  });
}

function compareStored(from: Stored, to: Stored): Comparison {
  const [before, after] = [from, to].map(({ body, observation }) => {
    const [, ...provided] = observation.provenance;
    return toSide({ body, provided, received_at: observation.received_at });
  });
  return {
    changes: compare(before!, after!),
    ...{ before: before!, after: after!, from: from.body, to: to.body },
    requested: to.observation.query_parameters,
    elapsed_s: toElapsed(from.observation.received_at, to.observation.received_at),
  };
}

function toElapsed(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null;
  return Math.round((Date.parse(to) - Date.parse(from)) / 1000);
}

function toComparedDataset({ observation, body }: Stored): Answer["from"] {
  const { received_at, freshness, provenance } = observation;
  const { dataset_id: id, version, expires_at, entity_count } = provenance[0];
  const { fresh, stale, unknown } = freshness;
  const { total: found } = body;
  return { id, version, received_at, expires_at, entity_count, found, fresh, stale, unknown };
}

type Sides = Pick<Change, "before" | "after">;

/** By distance, then id; each as the later dataset has it, or as the last that had it. */
function listRows({ changes }: Comparison, from: Observation, to: Observation): Change[] {
  const row = (
    change: Change["change"],
    object: Placed<ComparedItem>,
    by: Observation,
    sides: Sides,
  ) => ({
    object,
    shown: toVisible(change, object, by, sides),
  });
  const rows = [
    ...changes.entered.map((each) => row("entered", each, to, { after: present(each.members) })),
    ...changes.left.map((each) => row("left", each, from, { before: present(each.members) })),
    ...changes.changed.map(({ after, members }) => {
      const differences = Object.entries(members);
      const sideOf = (side: "before" | "after"): State =>
        Object.fromEntries(differences.map(([name, values]) => [name, toValue(values[side])]));
      return row("changed", after, to, { before: sideOf("before"), after: sideOf("after") });
    }),
  ];
  rows.sort(
    ({ object: a }, { object: b }) => a.distance_m - b.distance_m || (a.id < b.id ? -1 : 1),
  );
  return rows.map(({ shown }) => shown);
}

function toValue(value: ChangedMembers[string] | { lat: number; lon: number }): unknown {
  return typeof value === "object" && value !== null ? toBriefLocation(value) : value;
}

function toVisible(
  change: Change["change"],
  { id, location, distance_m, of }: Placed<ComparedItem>,
  observation: Observation,
  sides: Sides,
): Change {
  const brief = {
    ...{ change, kind: of.kind, id },
    ...toNames(of),
    location: toBriefLocation(location),
    distance_meters: distance_m,
    ...sides,
  };
  return fromSources(brief, sourcesOf(of, observation));
}

function toNames({
  kind,
  item,
}: ComparedItem): Pick<Change, "name" | "network" | "mode" | "service_type"> {
  switch (kind) {
    case "station": {
      const { name, network, mode = null } = item;
      return { name: toBriefName(name), network: toBriefName(network.name), mode };
    }
    case "vehicle": {
      const { name, mode } = item.source;
      const match = name === undefined ? {} : { name: toBriefName(name) };
      return { ...match, network: item.network_id, mode };
    }
    case "service":
      return { name: toBriefName(item.name), service_type: item.service_type };
  }
}

function sourcesOf({ kind, item }: ComparedItem, observation: Observation): readonly string[] {
  switch (kind) {
    case "station":
      return toSourcesOf(observation)(itemObservers(item));
    case "vehicle":
      return toSourcesOf(observation)([item.source_id]);
    case "service":
      return observersOfPlace(item);
  }
}
