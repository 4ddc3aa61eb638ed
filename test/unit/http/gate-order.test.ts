/** The order of the checks (decisions, Errors): of two wrong things the earlier one is reported. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeyedCaller } from "#app/access/request-caller.ts";
import type { OperationId } from "#api/operations.ts";
import { Quotas } from "#app/access/unit-quota.ts";
import type { GateDeps } from "#http/gate.ts";
import { ask, type Request, emptyRing, keyedCaller, ringOf, stubGate } from "../../support/gate.ts";

type Situation = {
  deps: Partial<GateDeps>;
  caller: Partial<KeyedCaller>;
  requested: Request;
  /** Instead of the query: one that is wrong. */
  faulty: string;
};
type Stage = (of: Situation) => void;

/** Made once: their tables of addresses are large. */
const UNSPENT = new Quotas({ unitsOf: () => 0 }, assert.ifError);
const SPENT = new Quotas({ unitsOf: () => 1_000 }, assert.ifError);

/** What goes wrong at each stage, in the order in which it is to be noticed. */
const STAGES = {
  drain: ({ requested }) => (requested.drain = "closed"),
  form: ({ requested }) => (requested.authorization = "Basic dXNlcg=="),
  shedding: ({ deps }) => (deps.shedder = { admits: () => false, hold: () => null }),
  unreached: ({ deps }) =>
    (deps.keyring = emptyRing(() => ({ ok: false, code: "store_unavailable" }))),
  unknown: ({ deps }) =>
    (deps.keyring ??= emptyRing(() => ({ ok: false, code: "invalid_api_key" }))),
  burst: ({ deps }) =>
    (deps.limiter = {
      charge: () => undefined,
      admit: () => ({ admitted: false, retry_after_s: 7, remaining: 0, reset_s: 7 }),
    }),
  parameters: ({ requested, faulty }) => (requested.query = faulty),
  scope: ({ caller }) => (caller.scopes = []),
  standing: ({ caller }) => (caller.standing = "suspended"),
  bounds: ({ requested }) => (requested.query += "&offset=10001"),
  quota: ({ deps }) => (deps.quotas = SPENT),
} as const satisfies Record<string, Stage>;

type StageName = keyof typeof STAGES;
const NAMES = Object.keys(STAGES) as StageName[];

/** By hand: what each operation says; a stage that it does not have is not listed. */
const CREDENTIAL = { form: "401 invalid_api_key", unknown: "401 invalid_api_key" } as const;
const WITH_503 = {
  ...CREDENTIAL,
  drain: "503 shutting_down",
  shedding: "503 overloaded",
  unreached: "503 store_unavailable",
  burst: "429 rate_limited",
} as const;
const BILLED = {
  parameters: "400 invalid_request",
  scope: "403 insufficient_scope",
  standing: "403 account_suspended",
} as const;

const SAYS: Partial<Record<OperationId, Partial<Record<StageName, string>>>> = {
  getNearby: {
    ...CREDENTIAL,
    ...BILLED,
    drain: "429 overloaded",
    shedding: "429 overloaded",
    unreached: "503 store_unavailable",
    burst: "429 rate_limited",
    bounds: "403 plan_not_allowed",
    quota: "402 quota_exhausted",
  },
  geocode: { ...WITH_503, ...BILLED, quota: "429 quota_exhausted" },
  searchPlaces: { ...WITH_503, ...BILLED, quota: "429 quota_exhausted" },
  reverseGeocode: { ...WITH_503, ...BILLED, quota: "429 quota_exhausted" },
  getServicesNearby: { ...WITH_503, ...BILLED, quota: "402 quota_exhausted" },
  getParkingNearby: { ...WITH_503, ...BILLED, quota: "402 quota_exhausted" },
  getChargingNearby: { ...WITH_503, ...BILLED, quota: "402 quota_exhausted" },
  getPlacesNearby: { ...WITH_503, ...BILLED, quota: "402 quota_exhausted" },
  getTransportNearby: { ...WITH_503, ...BILLED, quota: "402 quota_exhausted" },
  getLegacyWater: { ...WITH_503, ...BILLED, quota: "402 quota_exhausted" },
  listSources: { ...WITH_503, parameters: "400 invalid_request" },
  getMe: WITH_503,
};

const POINT = ["lat=48&lon=2", "lat=48&lon=2&radius=x"] as const;
const TEXT = ["q=Paris", "q="] as const;

/** A good query and one that is wrong. */
const QUERIES: Partial<Record<OperationId, readonly [good: string, faulty: string]>> = {
  geocode: TEXT,
  searchPlaces: TEXT,
  getMe: ["", ""],
  reverseGeocode: ["lat=48&lon=2", "lat=48&lon=2&language="],
  getLegacyWater: ["rows=5", "rows=0"],
  getServicesNearby: ["lat=48&lon=2&types=toilets", "lat=48&lon=2&types=castles"],
  getPlacesNearby: ["lat=48&lon=2&classes=atm", "lat=48&lon=2&classes=castles"],
};

/** Of the path. */
const PARAMS: Partial<Record<OperationId, Record<string, string>>> = {
  getLegacyWater: { coords: "48,2" },
};

async function refusalFor(id: OperationId, stages: readonly StageName[]): Promise<string> {
  const [query, faulty] = QUERIES[id] ?? POINT;
  const situation: Situation = {
    deps: {},
    caller: {},
    requested: { query, params: PARAMS[id] ?? null },
    faulty,
  };
  for (const stage of stages) STAGES[stage](situation);
  const { deps, caller, requested } = situation;
  const whole = keyedCaller(caller);
  const gate = stubGate({ quotas: UNSPENT, keyring: ringOf({ ok: true, caller: whole }), ...deps });
  const pending = ask(gate.deps, id, requested);
  await pending.done;
  const reply = pending.reply();
  return [reply?.status, reply?.code].filter(Boolean).join(" ");
}

test("each wrong thing is reported, and of two the earlier one", async (t) => {
  let pairs = 0;
  for (const [name, says] of Object.entries(SAYS)) {
    const id = name as OperationId;
    assert.equal(await refusalFor(id, []), "200", id);
    const stages = NAMES.filter((stage) => stage in says);
    for (const [at, earlier] of stages.entries()) {
      assert.equal(await refusalFor(id, [earlier]), says[earlier], `${id}: ${earlier}`);
      for (const later of stages.slice(at + 1)) {
        const refusal = await refusalFor(id, [earlier, later]);
        assert.equal(refusal, says[earlier], `${id}: ${earlier} before ${later}`);
        pairs += 1;
      }
    }
  }
  assert.equal(Object.keys(SAYS).length, 12, "an operation with a gate has no row");
  assert.ok(pairs >= 350, `${pairs}`);
  t.diagnostic(`${pairs} pairs of stages`);
});
