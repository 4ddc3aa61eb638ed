/** Asking POST /v1/capabilities of a running service; every result is held to its schema (§4.8). */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { CapabilityResult } from "#api/capabilities.ts";
import type { Client, Reply } from "./support.ts";

const ajv = new Ajv2020({ strict: true, allErrors: true, keywords: ["x-stability"] });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
const isResult = ajv.compile(CapabilityResult);

export type Policy = "accept_valid_cache" | "revalidate" | null;
export const POLICIES: readonly Policy[] = ["accept_valid_cache", "revalidate", null];

export type Stored = {
  kind: "svc_internal";
  dataset_id: string;
  version: string;
  content_digest: string;
  created_at: string;
  expires_at: string;
  entity_count: number;
  href: string;
};
type Provided = {
  kind: "provider";
  source_id: string;
  provider: string;
  network_ids: string[];
  fetched_at: string | null;
  ttl_s: number | null;
  status: string;
  entity_count: number;
  license: string | null;
};
export type Observation = {
  dataset_id: string;
  query_parameters: Record<string, unknown>;
  received_at: string | null;
  provenance: [Stored, ...Provided[]];
  freshness: { fresh: number; stale: number; unknown: number; realtime_reliable: boolean };
};
export type Failure = {
  status: "error";
  query: Record<string, unknown> | null;
  errors: { code: string; source_id: string | null; retryable: boolean }[];
};

type Of = { url: string };
export type Who = { key?: string };

let request_count = 0;
export function toBody(request: object, policy: Policy = null, correlation: object = {}): object {
  return {
    contract_version: "1.0.0",
    correlation: {
      conversation_id: "c",
      interaction_id: "i",
      request_id: `r-${++request_count}`,
      parent_request_id: null,
      turn_id: null,
      ...correlation,
    },
    request,
    freshness_policy: policy,
  };
}

export const toSearch = (args: object, policy: Policy = null, correlation: object = {}): object =>
  toBody({ capability: "search_mobility", args }, policy, correlation);
export const toRead = (args: object, policy: Policy = null): object =>
  toBody({ capability: "read_dataset", args }, policy);

export function post(client: Client, of: Of, body: object, { key }: Who = {}): Promise<Reply> {
  const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const headers = { "content-type": "application/json", ...bearer };
  return client.call(`${of.url}/v1/capabilities`, { method: "POST", headers, body });
}

export function get(client: Client, of: Of, path: string, headers = {}, { key }: Who = {}) {
  const bearer = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return client.call(of.url + path, { headers: { ...headers, ...bearer } });
}

/** The whole of a 200. */
export async function execute(
  client: Client,
  of: Of,
  body: object,
  who: Who = {},
): Promise<Observation | Failure> {
  const reply = await post(client, of, body, who);
  assert.equal(reply.status, 200, reply.text);
  const result = JSON.parse(reply.text) as { observation: Observation | Failure };
  assert.ok(isResult(result), JSON.stringify(isResult.errors));
  return result.observation;
}

/** An execution that must not fail. */
export async function observe(client: Client, of: Of, body: object, who: Who = {}) {
  const observation = await execute(client, of, body, who);
  if (!("status" in observation)) return observation;
  return assert.fail(JSON.stringify(observation));
}

export async function fail(client: Client, of: Of, body: object, who: Who = {}): Promise<Failure> {
  const observation = await execute(client, of, body, who);
  if ("status" in observation) return observation;
  return assert.fail(JSON.stringify(observation));
}

export const refusalOf = ({ status, text }: Reply): string =>
  `${status} ${(JSON.parse(text) as { error: { code: string } }).error.code}`;

export const sha256 = (bytes: string | Buffer): string =>
  createHash("sha256").update(bytes).digest("hex");

/** Units of the present period, of the caller. */
export async function unitsOf(client: Client, of: Of, who: Who = {}): Promise<number> {
  const { text } = await get(client, of, "/v1/me", {}, who);
  return (JSON.parse(text) as { usage: { used: number } }).usage.used;
}
