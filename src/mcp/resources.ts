/**
 * Resources: datasets, which a resource link of a search points to; docking stations, boxes and answers of
 * ask_here, which can be watched (docs/agents.md).
 */
import type { LiveSnapshotValue } from "#api/live.ts";
import { SCOPE_ITEMS_MAX } from "#app/live/live-types.ts";
import type { Passage } from "#app/access/request-caller.ts";
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import type { ReadDataset } from "#app/capabilities/dataset-read.ts";
import type { LiveStreams } from "#app/live/live-types.ts";
import type { WatchedBox } from "#app/stations/box-notes.ts";
import type { ReadStation } from "#app/stations/station-read.ts";
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import { errorRow } from "#api/errors.ts";
import { findOperation } from "#api/operations.ts";
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import { isAnswerUri } from "./kept-answers.ts";
import type { Clocks } from "./local.ts";
import { type AnswerDeps, toAnswerText } from "./watched-answers.ts";
import { boxProblem, findBox, toBoxText } from "./watched-boxes.ts";
import { findStationId, toStationText } from "./watched-stations.ts";
import { type ToolFailure, type ToolTimes, toToolCall } from "./tool.ts";

type ResourceReply =
  | {
      kind: "answered";
      text: string;
      expires_at_ms: number;
      scope: "public" | "private";
      now_ms: number;
    }
  | { kind: "unknown" }
  /** The address breaks a rule, which the message names. */
  | { kind: "invalid"; message: string }
  | ({ kind: "refused" } & ToolFailure);

export type ReadResource = (uri: string, passage: Passage) => Promise<ResourceReply>;

export type ResourceDeps = ToolTimes &
  Clocks & {
    read: ReadDataset;
    readStation: ReadStation;
    /** Absent: this deployment has no live layer. */
    live?: Pick<LiveStreams, "read">;
    termsOf: TermsOf;
  } & AnswerDeps;

/** By its resource, or by the address of GET /v1/datasets on whatever host. */
const DATASET = /^(?:vicinity:\/\/|https?:\/\/[^/?#]+)\/v1\/datasets\/([^/?#]+)\/([^/?#]+)$/;

const DATASET_OPERATION = findOperation("readDataset");
/** What a station is read by: it costs as much as one object of its answers. */
export const STATION_OPERATION = findOperation("getNearby");
/** What a box is read by, at the price of its snapshot. */
export const BOX_OPERATION = findOperation("streamNearby");
/** What an answer of ask_here may be read by, which costs nothing: asking did. */
export const ANSWER_OPERATION = findOperation(AGENT_TOOLS.ask_here.operation);

export function createReadResource(deps: ResourceDeps): ReadResource {
  return async (uri, passage) => {
    const station = findStationId(uri);
    if (station !== null) return readStation(deps, station, passage);
    if (isAnswerUri(uri)) return readAnswer(deps, uri, passage);
    const box = findBox(uri);
    if (box !== null) return readBox(deps, box, passage);
    const problem = boxProblem(uri);
    if (problem !== null) return { kind: "invalid", message: problem };
    const [, id, version] = DATASET.exec(uri) ?? [];
    if (id === undefined || version === undefined) return { kind: "unknown" };
    return readDataset(deps, { id, version }, passage);
  };
}

async function readDataset(
  { read, clock }: ResourceDeps,
  request: { id: string; version: string },
  passage: Passage,
): Promise<ResourceReply> {
  const refusal = await passage.permit(DATASET_OPERATION, true);
  if (refusal) return { kind: "refused", ...refusal };
  const now_ms = clock.now();
  const reply = await read(request, "body", { caller: passage.caller, now_ms });
  if (reply.kind === "ok") {
    const { expires_at_ms } = reply.row;
    const text = Buffer.from(reply.bytes).toString();
    return { kind: "answered", text, expires_at_ms, scope: scopeOf(passage), now_ms };
  }
  const { code } = reply;
  if (code === "dataset_not_found") return { kind: "unknown" };
  return { kind: "refused", code, message: errorRow(code).example };
}

async function readStation(
  deps: ResourceDeps,
  id: string,
  passage: Passage,
): Promise<ResourceReply> {
  const refusal = await passage.permit(STATION_OPERATION, false);
  if (refusal) return { kind: "refused", ...refusal };
  const reading = await deps.readStation(id, toToolCall(STATION_OPERATION, passage, deps));
  if (!reading) return { kind: "unknown" };
  const unrecorded = await passage.charge(STATION_OPERATION, { ...ONE_ANSWER, objects: 1 });
  if (unrecorded) return { kind: "refused", ...unrecorded };
  const { now_ms, max_age_s } = reading;
  return {
    kind: "answered",
    text: await toStationText(reading, deps),
    expires_at_ms: now_ms + (max_age_s ?? 0) * 1000,
    scope: scopeOf(passage),
    now_ms,
  };
}

async function readBox(
  deps: ResourceDeps,
  box: WatchedBox,
  passage: Passage,
): Promise<ResourceReply> {
  if (deps.live === undefined) return { kind: "unknown" };
  const refusal = await passage.permit(BOX_OPERATION, false);
  if (refusal) return { kind: "refused", ...refusal };
  const { deadline_ms } = toToolCall(BOX_OPERATION, passage, deps);
  const snapshot = await deps.live.read(box.scope, deadline_ms);
  if (snapshot === "large") return { kind: "refused", code: "invalid_request", message: TOO_MUCH };
  const now_ms = deps.clock.now();
  const value = JSON.parse(snapshot.json) as LiveSnapshotValue;
  const text = await toBoxText(value, box, { ...deps, now_ms });
  const unrecorded = await passage.charge(BOX_OPERATION, ONE_ANSWER);
  if (unrecorded) return { kind: "refused", ...unrecorded };
  return { kind: "answered", text, expires_at_ms: now_ms, scope: scopeOf(passage), now_ms };
}

/** From memory alone: no source is asked. */
async function readAnswer(
  deps: ResourceDeps,
  uri: string,
  passage: Passage,
): Promise<ResourceReply> {
  const refusal = await passage.permit(ANSWER_OPERATION, true);
  if (refusal) return { kind: "refused", ...refusal };
  const now_ms = deps.clock.now();
  const kept = deps.answers.find(uri, passage.caller, now_ms);
  if (kept === null) return { kind: "unknown" };
  const text = await toAnswerText(kept, { ...deps, now_ms });
  // Its own caller alone may be shown it, also where several share an address.
  return { kind: "answered", text, expires_at_ms: now_ms, scope: "private", now_ms };
}

const TOO_MUCH = `the box must hold at most ${SCOPE_ITEMS_MAX} stations and vehicles; make it smaller`;

function scopeOf({ caller }: Passage): "public" | "private" {
  return caller.kind === "anonymous" ? "public" : "private";
}
