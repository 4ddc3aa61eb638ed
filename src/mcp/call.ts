/**
 * A tool call, in the order of checks of the decisions (Errors): arguments, scope and plan, quota,
 * execution, and the units written down before the answer leaves. A refusal is an answer that the
 * model reads: code, message, and when to come again.
 */
import { ONE_ANSWER } from "#core/metering/metered-units.ts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Passage, Refusal } from "#app/access/request-caller.ts";
import { AGENT_TOOLS, type AgentTool, type AgentToolName } from "#api/agent-tools.ts";
import type { Operation } from "#api/operation.ts";
import { findOperation, type OperationId } from "#api/operations.ts";
import { createMemberReader } from "#core/members/parameters.ts";
import { type EachPlace, findEachPlace, readEachPlace } from "./each-place.ts";
import { withPlaceTimes } from "./local.ts";
import { createFindNear, type LookUp, permitNear, readPlace, stateNear } from "./near-argument.ts";
import { listReductions, stateReductions } from "./reductions.ts";
import {
  type ToolFailure,
  type RunTool,
  type ToolTimes,
  toToolCall,
  type ToolOutcome,
} from "./tool.ts";
import { toDatasetUri } from "./tools/nearby-tool.ts";

export type CallTool = (name: string, args: unknown, passage: Passage) => Promise<Called | null>;

/** `failure`: why there is no answer, which the result says to the model; null: there is one. */
type Called = { result: CallToolResult; failure: ToolFailure | null };

export type Tools = { readonly [N in AgentToolName]: RunTool<N, never> };

export type CallDeps = {
  tools: Tools;
  lookUp: LookUp;
} & ToolTimes;

/** Null: there is no such tool. */
export function createCallTool({ tools, lookUp, ...times }: CallDeps): CallTool {
  const findNear = createFindNear(lookUp);
  const cache = new Map(
    Object.entries(AGENT_TOOLS).map(([name, tool]: [string, AgentTool]) => {
      const read = createMemberReader(tool.parameters, "arguments");
      return [
        name,
        { tool, read, run: tools[name as AgentToolName] as RunTool<AgentToolName, unknown> },
      ];
    }),
  );
  return async (name, args, passage) => {
    const match = cache.get(name);
    if (!match) return null;
    const request = match.read(args);
    if (!request.ok) return toError(request);
    const { each, point } = match.tool;
    const place = each ? readEachPlace(request.value, each) : readPlace(request.value, point);
    if (!place.ok) return toError(place);
    const operation = findOperation(operationOf(match.tool, place.args));
    const isFree = operation.id === "readDataset";
    const { others = [] } = match.tool;
    const { types } = place.args as { types?: unknown };
    const refusal =
      (await permitNear(place, passage)) ??
      (await permitAll([operation.id, ...others], passage, { isFree, types }));
    if (refusal) return toError(refusal);
    const placed = isEach(place)
      ? await findEachPlace(place, lookUp, passage)
      : await findNear(place, passage);
    if (!placed.ok) return toError(placed);
    const outcome = await match.run(placed.args, toToolCall(operation, passage, times));
    const unrecorded = isFree ? null : await recordCharge(outcome, operation, passage);
    if (unrecorded) return toError(unrecorded);
    const warnings = listReductions(match.tool, request.value);
    return toResult(stateReductions(stateNear(outcome, placed.near), warnings));
  };
}

/** Scope, standing and quota of every operation that the call may ask. */
async function permitAll(
  [id, ...others]: readonly OperationId[],
  passage: Passage,
  how: { isFree: boolean; types: unknown },
): Promise<Refusal | null> {
  if (id === undefined) return null;
  const refusal = await passage.permit(findOperation(id), how.isFree, how.types);
  return refusal ?? permitAll(others, passage, how);
}

/** Most tools ask one operation; one that compares two stored searches reads alone. */
function operationOf(
  { operation, reads_with }: AgentTool,
  args: Readonly<Record<string, unknown>>,
): OperationId {
  const isRead = reads_with !== undefined && args[reads_with] !== undefined;
  return isRead ? "readDataset" : operation;
}

function isEach(place: object): place is EachPlace {
  return "each" in place;
}

/** Before the answer leaves. What failed while it was executed is recorded as well, at no units. */
async function recordCharge(
  outcome: ToolOutcome,
  operation: Operation,
  passage: Passage,
): Promise<Refusal | null> {
  if ("requested" in outcome) {
    const refusals = await Promise.all(
      outcome.requested.map(({ operation: id, metered }) =>
        passage.charge(findOperation(id), metered),
      ),
    );
    return refusals.find((refusal) => refusal !== null) ?? null;
  }
  if (outcome.kind === "answered") return await passage.charge(operation, outcome.metered);
  return outcome.charged ? await passage.charge(operation, { ...ONE_ANSWER, void: true }) : null;
}

function toResult(outcome: ToolOutcome): Called {
  if (outcome.kind === "refused") return toError(outcome);
  const { dataset } = outcome;
  const answer = withPlaceTimes(outcome.answer);
  // Hosts that know no structured content read the same as text.
  const text = { type: "text" as const, text: JSON.stringify(answer) };
  const content = dataset ? [text, toLink(dataset)] : [text];
  return { result: { content, structuredContent: answer }, failure: null };
}

function toLink({
  id,
  version,
  bytes,
}: NonNullable<Extract<ToolOutcome, { kind: "answered" }>["dataset"]>) {
  return {
    type: "resource_link" as const,
    uri: toDatasetUri({ id, version }),
    name: id,
    title: "Everything that was found",
    description: "The whole answer of GET /v1/nearby as it was stored; it never changes.",
    mimeType: "application/json",
    size: bytes,
    // Far more than a model should read: for a person, or for a program of theirs.
    annotations: { audience: ["user" as const] },
  };
}

/** What the model reads; no structured content, since the schema is that of answers. */
function toError(failure: ToolFailure): Called {
  const { near, others } = failure;
  const isOfSources = failure.untrusted_text === true || near !== undefined || others !== undefined;
  const more = others === undefined ? {} : { others: others.map(toErrorBody) };
  const mark = isOfSources || failure.candidates !== undefined ? { untrusted_text: true } : {};
  const error = { ...toErrorBody(failure), ...(near && { near }), ...more, ...mark };
  const content = [{ type: "text" as const, text: JSON.stringify({ error }) }];
  return { result: { isError: true, content }, failure };
}

/** The members of one failure that a model decides by. */
function toErrorBody({ argument, code, message, retry_after_s, candidates }: ToolFailure) {
  return {
    ...(argument === undefined ? {} : { argument }),
    code,
    message,
    ...(retry_after_s == null ? {} : { retry_after_s }),
    ...(candidates && { candidates }),
  };
}
