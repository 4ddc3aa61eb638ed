/** Small plans, enforced while no time passes: what is refused for its rate, its units and its plan. */
import { aliasOf } from "../aliases.ts";
import type { Step } from "../recording.ts";
import { admin } from "./admin.ts";
import { type HttpStep, named, request, withLabels } from "./step.ts";

const PARIS = "lat=48.8566&lon=2.3522";

/** By order of the shipped plans: free, developer, business, unlimited (src/config/plan-settings.ts). */
export const SMALL_PLANS = {
  free: { rate_per_s: 1, burst: 24, units: 8, datasets: 1 },
  developer: { rate_per_s: 1, burst: 30, units: 12, nearby_limit_max: 50, datasets: 1 },
  business: { rate_per_s: 1, burst: 12, units: 3 },
};

const TARGETS: readonly string[] = [
  ...[`/v1/nearby?${PARIS}&include=stations`, `/v1/services/nearby?${PARIS}&types=toilets`],
  ...[`/v1/nearby?${PARIS}&limit=60`, `/v1/nearby?${PARIS}&limit=1000&offset=9999999`],
  ...[`/v1/reverse-geocode?${PARIS}`, "/v1/geocode?q=Paris", `/v1/transport/nearby?${PARIS}`],
  ...[`/v1/departures/nearby?${PARIS}`, `/v1/parking/nearby?${PARIS}`, "/v1/me", "/v1/sources"],
  ...[`/v1/charging/nearby?${PARIS}`, "/photon/api?q=Paris", "/health", "/openapi.json", "/none"],
  ...["/realtime/48.8566,2.3522/weather/en", "/api/realtime/48.8566,2.3522/freefloat/scooter"],
];

function messages(headers: Readonly<Record<string, string>>): Step[] {
  const call = (method: string, params: object): Step =>
    request(`limited ${method}`, "/mcp", {
      body: { jsonrpc: "2.0", id: 1, method, params },
      headers: { accept: "application/json, text/event-stream", ...headers },
    });
  const capability = {
    contract_version: "1.0.0",
    correlation: {
      ...{ conversation_id: "c", interaction_id: "i", request_id: "r" },
      ...{ parent_request_id: null, turn_id: 1 },
    },
    freshness_policy: "accept_valid_cache",
    request: { capability: "search_mobility", args: { lat: 48.8566, lon: 2.3522 } },
  };
  return [
    call("tools/list", {}),
    call("tools/call", { name: "geocode", arguments: { q: "Paris" } }),
    call("tools/call", {
      name: "search_mobility_nearby",
      arguments: { lat: 48.8566, lon: 2.3522 },
    }),
    call("resources/read", { uri: "vicinity:///v1/datasets/x/y" }),
    request("executeCapability", "/v1/capabilities", { body: capability, headers }),
  ];
}

export function limitSteps(keys: readonly string[]): Step[] {
  // The last plan has no limits: its key is what settles the sources before.
  const callers = [null, ...keys.slice(0, -1)];
  return withLabels([
    ...standingSteps(),
    ...callers.flatMap((key) => {
      const headers: Readonly<Record<string, string>> =
        key === null ? {} : { authorization: `Bearer ${key}` };
      const all = [...TARGETS.map((target) => toStep(target, headers)), ...messages(headers)];
      return [...all, ...all];
    }),
  ]);
}

const KEY = "a key whose account changes";

/** An account that has not paid, one that is suspended, a key that is narrow, and one that is revoked. */
function standingSteps(): Step[] {
  const headers = { authorization: `Bearer ${aliasOf("key", KEY)}` };
  const ask = (): Step[] =>
    TARGETS.slice(0, 2)
      .concat("/v1/me")
      .map((target) => toStep(target, headers));
  // A key that is known is answered from memory for some seconds, and time stands still.
  const later = request("simulator", "/__sandbox/clock", {
    ...{ to: "simulator", body: { advance_s: 10 } },
  });
  const account = `/accounts/${aliasOf("account", KEY)}`;
  return [
    named(KEY, admin("POST", "/keys", { plan: "developer", scopes: ["data:read"] })),
    ...ask(),
    toStep("/v1/geocode?q=Paris", headers),
    ...["past_due", "suspended", "active"].flatMap((standing) => [
      admin("PATCH", account, { standing }),
      later,
      ...ask(),
    ]),
    admin("POST", `/keys/${aliasOf("key_id", KEY)}/revoke`, {}),
    later,
    ...ask(),
  ];
}

function toStep(target: string, headers: Readonly<Record<string, string>>): HttpStep {
  return request(`limited ${target.replace(/\?.*/, "")}`, target, { headers });
}
