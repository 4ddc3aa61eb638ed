/** Capabilities, datasets and agents' tools (contract 4.8; decisions, Capabilities; docs/agents.md). */
import { createHash } from "node:crypto";
import { readJson, type Reply } from "../wire.ts";
import type { Answered } from "./data.ts";
import type { Context } from "./context.ts";
import type { ApiRequest } from "../requests.ts";
import type { Expectation, Question } from "../verdict.ts";

type Json = Record<string, unknown>;
type Observation = {
  status?: string;
  errors?: readonly { code: string }[];
  query_parameters: Json;
  provenance: Json[];
  freshness: { fresh: number; stale: number; unknown: number; realtime_reliable: boolean };
};
type Request = {
  correlation: Json;
  freshness_policy: string | null;
  request: { capability: string; args: Json };
};

const MODES = ["bicycle", "scooter", "moped", "car"];
const FAMILIES = ["stations", "vehicles"];
const MOST_M = 400;
/** No source fails in the sandbox, but there may be none. */
const ABSENT = ["dataset_not_found", "dataset_gone", "no_sources_in_area"];
/** Of a place that is given by its name. */
const UNCERTAIN = ["ambiguous_place", "place_not_found"];
/** Of a result that is not where it is looked for. */
const MISSING = ["result_not_found", "result_unknown"];

export function findCapabilityProblem(
  context: Context,
  { request, expected, text, body }: Answered,
): string | null {
  const query = readJson(request.body!.toString()) as Request;
  const { contract_version, correlation, observation } = body as Json & {
    observation: Observation;
  };
  if (contract_version !== "1.0.0") return `contract_version is ${String(contract_version)}`;
  if (!same(correlation, query.correlation)) return `correlation is ${JSON.stringify(correlation)}`;
  // As it came, not as it would be written again.
  const observed = text.slice(text.indexOf(',"observation":') + ',"observation":'.length, -1);
  const key = expected.question?.caller.key ?? null;
  const { id, version } = query.request.args as { id: string; version: string };
  if (query.request.capability === "read_dataset") {
    const stored = context.kept.get(`${id}/${version}`);
    if (stored === undefined) return "a dataset that was never named is read";
    if (stored.key !== null && stored.key !== key) return "another account's dataset is read";
    stored.observation ??= observed;
    return stored.observation === observed
      ? null
      : "the observation is not what was answered before";
  }
  const { status, errors = [] } = observation;
  if (status === "error")
    return errors.every(({ code }) => ABSENT.includes(code)) ? null : observed.slice(0, 300);
  const understood = understand(query, expected.question!);
  for (const [name, value] of Object.entries(understood))
    if (!same(observation.query_parameters[name], value))
      return `query_parameters.${name} is ${JSON.stringify(observation.query_parameters[name])}, not ${JSON.stringify(value)}`;
  const [own, ...sources] = observation.provenance as [Json, ...Json[]];
  const { fresh, stale, unknown, realtime_reliable } = observation.freshness;
  if (fresh + stale + unknown !== own["entity_count"])
    return `${fresh} fresh, ${stale} stale, ${unknown} unknown of ${String(own["entity_count"])}`;
  const isReliable = stale + unknown === 0;
  if (realtime_reliable && !isReliable) return "called reliable with stale or unknown entities";
  if (sources.some((one) => one["kind"] !== "provider")) return "a source that is no provider";
  const dataset = { id: String(own["dataset_id"]), version: String(own["version"]) };
  const href = String(own["href"]);
  if (href !== `/v1/datasets/${dataset.id}/${dataset.version}`) return `href is ${href}`;
  const digest = String(own["content_digest"]);
  context.kept.set(`${dataset.id}/${dataset.version}`, {
    ...dataset,
    href,
    digest,
    key,
    observation: observed,
    body: null,
  });
  return null;
}

/** Arguments with defaults, lists without repeats, and what is applied. */
function understand({ request, freshness_policy }: Request, { caller }: Question): Json {
  const { lat, lon, radius, limit, modes, include, intent, language } = request.args;
  const list = (value: unknown, none: readonly string[]): string[] => {
    if (value === null || value === undefined) return [...none];
    const items = typeof value === "string" ? value.split(",").map((one) => one.trim()) : value;
    return [...new Set(items as string[])];
  };
  const [requested_radius, requested_limit] = [Number(radius ?? 400), Number(limit ?? 100)];
  return {
    lat: Number(lat) + 0,
    lon: Number(lon) + 0,
    requested_radius,
    requested_limit,
    radius: Math.min(requested_radius, MOST_M),
    limit: Math.min(requested_limit, caller.limit_max),
    modes: list(modes, MODES),
    include: list(include, FAMILIES),
    intent: intent ?? null,
    language: language ?? null,
    freshness_policy,
  };
}

export function findDatasetProblem({ kept }: Context, { expected, text }: Answered): string | null {
  const { values, caller } = expected.question!;
  const dataset = kept.get(`${String(values["id"])}/${String(values["version"])}`);
  if (dataset === undefined) return "a dataset that was never named is read";
  if (dataset.key !== null && dataset.key !== caller.key)
    return "another account's dataset is read";
  if (dataset.digest !== null && digestOf(text) !== dataset.digest) return "not the stated digest";
  dataset.body ??= text;
  return dataset.body === text ? null : "not the bytes that were read before";
}

/** A dataset that was named to the caller, or to any, is not found. */
export function findLostProblem(
  { kept }: Context,
  { body }: ApiRequest,
  { status }: Reply,
  { question, operation }: Expectation,
): string | null {
  if ((status !== 404 && status !== 410) || question === null) return null;
  const names =
    operation?.id === "executeCapability"
      ? (readJson(body!.toString()) as Request).request.args
      : question.values;
  const dataset = kept.get(`${String(names["id"])}/${String(names["version"])}`);
  if (dataset === undefined) return null;
  const isOwn = dataset.key === null || dataset.key === question.caller.key;
  return isOwn ? `${dataset.href}, which was named before, is ${status}` : null;
}

/** JSON-RPC of /mcp: the answer of a call, or a refusal that names the argument. */
export function findCallProblem(
  context: Context,
  { request, expected, body }: Answered,
): string | null {
  const { id, result, error } = body as { id: unknown; result?: Json; error?: Json };
  const query = readJson(request.body!.toString()) as { id: number };
  if (id !== query.id) return `JSON-RPC id ${String(id)}, not ${query.id}`;
  if (!request.operation.startsWith("tool ")) return error ? JSON.stringify(error) : null;
  if (result === undefined) return `no result: ${JSON.stringify(error)}`;
  const [content] = result["content"] as [{ text: string }];
  const { refused } = request;
  const isError = result["isError"] === true;
  if (refused !== null || isError) {
    const problem = (readJson(content.text) as { error?: { code: string; message: string } }).error;
    if (!isError || problem === undefined) return `accepted: ${content.text.slice(0, 200)}`;
    if (refused === null) {
      const { params } = readJson(request.body!.toString()) as {
        params: { arguments?: Readonly<Record<string, unknown>> };
      };
      const input = params.arguments ?? {};
      const expected_codes = [
        ...ABSENT,
        ...(["near", "from", "places"].some((name) => name in input) ? UNCERTAIN : []),
        ...("id" in input && !("version" in input) ? MISSING : []),
      ];
      return expected_codes.includes(problem.code) ? null : `refused: ${content.text}`;
    }
    const isNamed = refused.names.some((name) => problem.message.includes(name));
    return isNamed && problem.code === refused.code
      ? null
      : `${content.text}, expected ${refused.code} naming ${refused.names.join()}`;
  }
  const answer = result["structuredContent"] as Json & { total: number; shown: number };
  if (!same(readJson(content.text), answer)) return "the text says something else";
  const broken = context.schemas.toolProblem(request.operation.slice("tool ".length), answer);
  if (broken !== null) return broken;
  if (answer.total !== undefined && answer.shown > answer.total)
    return `${answer.shown} shown of ${answer.total}`;
  const { dataset } = answer as { dataset?: { id: string; version: string } | null };
  if (dataset) {
    const href = `/v1/datasets/${dataset.id}/${dataset.version}`;
    const key = expected.question?.caller.key ?? keyOf(request.headers["authorization"]);
    const entry = context.kept.get(`${dataset.id}/${dataset.version}`);
    if (entry === undefined)
      context.kept.set(`${dataset.id}/${dataset.version}`, {
        id: dataset.id,
        version: dataset.version,
        href,
        digest: null,
        key,
        observation: null,
        body: null,
      });
  }
  return null;
}

const keyOf = (header: string | undefined): string | null => header?.split(" ").at(-1) ?? null;

function same(a: unknown, b: unknown): boolean {
  return sorted(a) === sorted(b);
}

/** JSON with members in order of name. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    one !== null && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

function digestOf(text: string): string {
  return `sha-256:${createHash("sha256").update(text).digest("hex")}`;
}
