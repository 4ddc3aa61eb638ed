/** search_mobility_nearby and read_dataset: what a stored answer of /v1/nearby holds, in brief. */
import { ONE_ANSWER } from "#core/metering/units.ts";
import type { DatasetAddress, ReadReply } from "#app/capabilities/read.ts";
import { SHOWN } from "#contract/agent-results.ts";
import { type AGENT_TOOLS, DATASET_RESOURCE } from "#contract/agent-tools.ts";
import { errorRow } from "#contract/errors.ts";
import type { NearbyBodyValue } from "#contract/nearby.ts";
import type { Decoded } from "#contract/primitives.ts";
import { parseJsonBytes } from "#core/json.ts";
import {
  fit,
  toBriefName,
  toBriefService,
  toBriefStation,
  toBriefVehicle,
  toUnsaid,
} from "../brief.ts";
import type { Credit } from "../sources.ts";
import { type Asking, type ToolOutcome, type RunTool, type ToolDeps } from "../tool.ts";

type SearchArguments = Decoded<(typeof AGENT_TOOLS)["search_mobility_nearby"]["parameters"]>;
type ReadArguments = Decoded<(typeof AGENT_TOOLS)["read_dataset"]["parameters"]>;

/** Members of an observation that are repeated (contract/capabilities). */
type Observation = {
  received_at: string | null;
  freshness: { fresh: number; stale: number; unknown: number; realtime_reliable: boolean };
  provenance: [Stored, ...Provided[]];
};
type Stored = {
  dataset_id: string;
  version: string;
  expires_at: string;
  entity_count: number;
  href: string;
};
type Provided = {
  source_id: string;
  provider: string;
  attribution: string | null;
  license: string | null;
};
type Failed = {
  errors: {
    code: string;
    message: string;
    source_id: string | null;
    retry_after_s: number | null;
  }[];
};

export function createSearchNearby(deps: ToolDeps): RunTool<SearchArguments> {
  return async (args, asking) => {
    const reply = await deps.search({ args, policy: null }, asking);
    if (reply.kind === "refused") return refuseReply(reply);
    const observation = parseJsonBytes(reply.observation) as Observation | Failed;
    if ("errors" in observation) return toFailure(observation);
    const { dataset_id, version } = observation.provenance[0];
    const asked = { id: dataset_id, version };
    const metered = { ...ONE_ANSWER, void: reply.free };
    const page = { offset: 0, limit: SHOWN.items_max };
    return toOutcome(deps, asking, { asked, observation, page, metered });
  };
}

export function createReadDatasetTool(deps: ToolDeps): RunTool<ReadArguments> {
  return async ({ id, version, offset, limit }, asking) => {
    const asked = { id, version };
    const reply = await deps.read(asked, "observation", asking);
    if (reply.kind === "refused") return refuseReply(reply);
    const observation = parseJsonBytes(reply.bytes) as Observation;
    return toOutcome(deps, asking, {
      asked,
      observation,
      page: { offset, limit },
      metered: ONE_ANSWER,
    });
  };
}

type Listing = {
  asked: DatasetAddress;
  observation: Observation;
  page: { offset: number; limit: number };
  metered: typeof ONE_ANSWER;
};

/** Always from the dataset: what is shown is what can be read again. */
async function toOutcome(
  deps: ToolDeps,
  asking: Asking,
  { asked, observation, page, metered }: Listing,
): Promise<ToolOutcome> {
  const reply: ReadReply = await deps.read(asked, "body", asking);
  if (reply.kind === "refused") return refuseReply(reply);
  const body = parseJsonBytes(reply.bytes) as NearbyBodyValue;
  const ranked = rank(body);
  const head = toHead(body, observation, { now_ms: deps.clock.now(), is_first: page.offset === 0 });
  const answer = fit(ranked.slice(page.offset), page.limit, (shown) => {
    const end = page.offset + shown.length;
    const next_offset = shown.length > 0 && end < ranked.length ? end : null;
    const dataset = toDataset(observation.provenance[0], next_offset);
    return { ...head, shown: shown.length, results: shown, dataset };
  });
  return {
    kind: "answered",
    answer,
    dataset: { ...asked, bytes: reply.bytes.byteLength },
    metered,
  };
}

/** Decisions, Global nearby: one list by distance, then id. What is kept as its id alone is not shown. */
function rank({ results }: NearbyBodyValue): object[] {
  const listed = [
    ...results.stations.map((item) => ({
      item,
      ...keyOf(item),
      brief: () => toBriefStation(item),
    })),
    ...results.vehicles.map((item) => ({
      item,
      distance: item.source?.distance_meters,
      id: item.source_id,
      brief: () => toBriefVehicle(item),
    })),
    ...results.places.map((item) => ({ item, ...keyOf(item), brief: () => toBriefService(item) })),
  ].filter(({ distance }) => distance !== undefined);
  listed.sort((a, b) => a.distance! - b.distance! || Buffer.compare(toBytes(a.id), toBytes(b.id)));
  return listed.map(({ brief }) => brief());
}

function keyOf(item: { id: string; distance_meters?: number }) {
  return { id: item.id, distance: item.distance_meters };
}

function toBytes(id: string): Buffer {
  return Buffer.from(id);
}

/** Sources of one answer that are listed; a circle of 400 m rarely has more. */
const SOURCES_MAX = 12;

function toHead(
  body: NearbyBodyValue,
  observation: Observation,
  { now_ms, is_first }: { now_ms: number; is_first: boolean },
): object {
  const { status, message, notices, query_origin, radius, total, warnings = [] } = body;
  const [, ...provided] = observation.provenance;
  const more = provided.length - SOURCES_MAX;
  const { received_at, freshness } = observation;
  return {
    status,
    message,
    ...toUnsaid(notices, message),
    query_origin,
    radius,
    total,
    warnings,
    // Of the circle: shown once, and not again on every page.
    ...(is_first ? toSurroundings(body) : {}),
    freshness: { answered_at: new Date(now_ms).toISOString(), received_at, ...freshness },
    attribution: provided.slice(0, SOURCES_MAX).map(toCredit),
    ...(more > 0 ? { more_sources: more } : {}),
  };
}

function toSurroundings({ results, available_actions }: NearbyBodyValue): object {
  const { lines, alerts } = results;
  return {
    available_actions: available_actions.map(({ id }) => id),
    ...(lines.length === 0 ? {} : { lines: lines.slice(0, SHOWN.lines_max).map(toBriefLine) }),
    ...(alerts.length === 0 ? {} : { alerts: alerts.slice(0, SHOWN.alerts_max).map(toBriefAlert) }),
  };
}

function toCredit({ source_id, provider, attribution, license }: Provided): Credit {
  return { source_id, provider, attribution, licence: license };
}

function toBriefLine({ id, short_name, long_name, mode }: Line): object {
  const cut = (name: string | null): string | null => name && toBriefName(name);
  return { id, short_name: cut(short_name), long_name: cut(long_name), mode };
}

function toBriefAlert({ id, network_id, summary, starts_at, ends_at }: Alert): object {
  return { id, network_id, summary, starts_at, ends_at };
}

type Line = NearbyBodyValue["results"]["lines"][number];
type Alert = NearbyBodyValue["results"]["alerts"][number];

function toDataset(stored: Stored, next_offset: number | null): object {
  const { dataset_id: id, version, href, expires_at, entity_count } = stored;
  const uri = toDatasetUri({ id, version });
  return { id, version, href, uri, expires_at, entity_count, next_offset };
}

export function toDatasetUri({ id, version }: DatasetAddress): string {
  return DATASET_RESOURCE.replace("{id}", id).replace("{version}", version);
}

type Code = Extract<ReadReply, { kind: "refused" }>["code"] | "quota_exhausted";

function refuseReply({ code, message }: { code: Code; message?: string }): ToolOutcome {
  return { kind: "refused", charged: false, code, message: message ?? errorRow(code).example };
}

/** §7 rule 5: the execution failed, and each source says how. */
function toFailure({ errors }: Failed): ToolOutcome {
  const { code, retry_after_s } = errors[0]!;
  const message = errors.map((error) => error.message).join("; ");
  return { kind: "refused", charged: true, code, message, retry_after_s };
}
