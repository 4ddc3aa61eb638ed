/** Executing capabilities without a listener: what the integration tests cannot bring about. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import type { AnonymousCaller } from "#app/access/caller.ts";
import { createExecute } from "#app/capabilities/execute.ts";
import type { SourceTerms } from "#app/capabilities/observation.ts";
import { createReadDataset } from "#app/capabilities/read.ts";
import { createSearch } from "#app/capabilities/search.ts";
import { createRenderNearby } from "#app/nearby-body.ts";
import type { Nearby } from "#app/types.ts";
import { readCapabilityRequest } from "#core/capabilities/request.ts";
import type { Shard } from "#core/shard/shard.ts";
import type { Datasets } from "#ports.ts";
import { deploy, PLAN } from "../../../support/answers.ts";
import { aShard, aStation, HERE } from "../../../support/domain.ts";
import { createMemoryDatasets } from "../../../support/memory-datasets.ts";

const sha256 = (bytes: Uint8Array): Uint8Array => hash("sha256", bytes, "buffer");
const ADDRESS = { narrow: "192.0.2.1/32", wide: "192.0.2.0/24" };

type Setup = {
  nearby?: Nearby;
  datasets?: Datasets;
  store?: SourceTerms["store"];
  shards?: Shard[];
  anonymous_bytes?: number;
};

function open(setup: Setup = {}) {
  const { nearby, datasets = createMemoryDatasets(), store = "all", shards } = setup;
  const { anonymous_bytes = 1_000_000 } = setup;
  const deployment = deploy(shards ? { shards } : {});
  const { clock } = deployment;
  const faults: unknown[] = [];
  const search = createSearch({
    nearby: nearby ?? deployment.nearby,
    renderNearby: createRenderNearby(),
    datasets,
    clock,
    hash: sha256,
    termsOf: (source_id) => ({ provider: source_id, licence: null, attribution: null, store }),
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
    retention_ms: { anonymous: 1000, keyed: 2000 },
    anonymous_bytes,
    onFault: (error) => faults.push(error),
  });
  const read = createReadDataset(datasets, (reason) => faults.push(reason));
  const start = () => createExecute({ search, read, datasets, hash: sha256 });
  let parts = start();
  /** Another process over the same store. */
  const restart = (): void => void (parts = start());
  const caller: AnonymousCaller = { kind: "anonymous", plan: PLAN, address: ADDRESS };
  const toAsked = (request: object, request_id: string) => {
    const correlation = {
      conversation_id: "c",
      interaction_id: "i",
      request_id,
      parent_request_id: null,
      turn_id: null,
    };
    const body = { contract_version: "1.0.0", correlation, request, freshness_policy: null };
    const asked = readCapabilityRequest(JSON.stringify(body));
    return asked.ok ? asked.value : assert.fail(asked.message);
  };
  const ask = (request: object, request_id = "r", from = caller) => {
    const asked = toAsked(request, request_id);
    const now_ms = clock.now();
    const who = { caller: from, remaining_units: null, now_ms, deadline_ms: now_ms + 5000 };
    // As a request does: the execution follows the question whether it is a repeat.
    const again = parts.isRepeat(asked, from, now_ms);
    return { again, reply: again.then(() => parts.execute(asked, who)) };
  };
  const SEARCH = { capability: "search_mobility", args: { ...HERE } };
  const look = (request_id?: string) => ask(SEARCH, request_id);
  const isRepeat = (request_id = "r") =>
    parts.isRepeat(toAsked(SEARCH, request_id), caller, clock.now());
  return { ask, look, faults, datasets, clock, read, caller, restart, isRepeat };
}

type Body = {
  observation: {
    status?: string;
    dataset_id?: string;
    errors?: { code: string; message: string; retryable: boolean }[];
    provenance?: { version: string }[];
  };
};
async function bodyOf(reply: ReturnType<ReturnType<typeof open>["look"]>["reply"]) {
  const result = await reply;
  if (result.kind !== "ok") return assert.fail(result.code);
  return { free: result.free, ...(JSON.parse(Buffer.from(result.body).toString()) as Body) };
}

const ONE = (): Shard[] => [aShard({ stations: [aStation("s1")] })];

for (const [how, nearby] of [
  [
    "throws",
    () => {
      throw new Error("secret detail");
    },
  ],
  ["rejects", () => Promise.reject(new Error("secret detail"))],
] as const)
  test(`a defect that ${how} is an error observation without details, free, not kept`, async () => {
    const { look, faults } = open({ nearby });
    const { observation, free } = await bodyOf(look().reply);
    assert.equal(observation.status, "error");
    assert.deepEqual(
      observation.errors!.map(({ code, retryable }) => [code, retryable]),
      [["internal", true]],
    );
    assert.doesNotMatch(JSON.stringify(observation), /secret/);
    assert.equal(free, true);
    assert.equal(faults.length, 1);
  });

const UNREACHED = {
  kind: "refused",
  code: "store_unavailable",
  message: "the store of datasets cannot be reached; try again",
};

test("a store that fails refuses, and the refusal is not remembered", async () => {
  const datasets = createMemoryDatasets();
  let isFailing = true;
  const put: Datasets["put"] = (each) =>
    isFailing ? Promise.resolve("unavailable") : datasets.put(each);
  const { look } = open({ datasets: { ...datasets, put }, shards: ONE() });
  const first = await look().reply;
  assert.deepEqual(first, UNREACHED);
  assert.equal(await look("other").again, false);
  isFailing = false;
  const { again, reply } = look();
  assert.equal(await again, false);
  assert.ok((await bodyOf(reply)).observation.dataset_id);
  assert.equal(await look().again, true);
});

test("a retry after a restart repeats the answer byte for byte and costs nothing, for two minutes", async () => {
  const nearby = ONE();
  const { look, isRepeat, restart, clock } = open({ shards: nearby });
  const bytesOf = async (reply: ReturnType<typeof look>["reply"]) => {
    const result = await reply;
    return result.kind === "ok"
      ? { free: result.free, text: Buffer.from(result.body).toString() }
      : null;
  };
  const first = (await bytesOf(look().reply))!;
  assert.equal(first.free, false);
  await clock.advance(100_000);
  restart();
  const { again, reply } = look();
  assert.equal(await again, true);
  assert.deepEqual(await bytesOf(reply), { ...first, free: true });
  assert.deepEqual(await bytesOf(look().reply), { ...first, free: true }, "from memory");
  assert.equal(await isRepeat("other"), false, "another question");
  // From the first answer on, however often it was repeated.
  await clock.advance(20_000);
  assert.equal(await isRepeat(), false);
  restart();
  assert.equal(await isRepeat(), false);
});

test("an unreadable dataset is store_unavailable, and is logged", async () => {
  const datasets = createMemoryDatasets();
  const { look, ask, faults } = open({
    datasets: { ...datasets, read: async () => ({ status: "unavailable", reason: "unreadable" }) },
    shards: ONE(),
  });
  const { observation } = await bodyOf(look().reply);
  const { version } = observation.provenance![0]!;
  const args = { id: observation.dataset_id!, version };
  const reply = await ask({ capability: "read_dataset", args }).reply;
  assert.deepEqual(reply, UNREACHED);
  assert.deepEqual(faults, ["unreadable"]);
});

test("of a source that allows only ids, only ids are kept; of one that allows nothing, nothing", async () => {
  for (const [store, stations] of [
    ["ids", [["id"]]],
    ["none", []],
  ] as const) {
    const { look, read, caller, clock } = open({ store, shards: ONE() });
    const { observation } = await bodyOf(look().reply);
    const { version } = observation.provenance![0]!;
    const who = { caller, now_ms: clock.now() };
    const kept = await read({ id: observation.dataset_id!, version }, "body", who);
    if (kept.kind !== "ok") return assert.fail(kept.code);
    const body = JSON.parse(Buffer.from(kept.bytes).toString()) as {
      results: { stations: object[]; vehicles: object[] };
    };
    assert.deepEqual(body.results.stations.map(Object.keys), stations);
  }
});

const SEARCH = { capability: "search_mobility", args: { ...HERE } };

async function refusalOf(reply: ReturnType<ReturnType<typeof open>["ask"]>["reply"]) {
  const result = await reply;
  return result.kind === "refused" ? { ...result } : result.kind;
}

test("a block of addresses keeps eight times the datasets of one, and the refusal names that bound", async () => {
  const { ask, caller } = open({ shards: ONE() });
  const plan = { ...PLAN, datasets: 1 };
  const from = (n: number): AnonymousCaller => ({
    ...caller,
    plan,
    address: { narrow: `2001:db8:1:${n}::/64`, wide: "2001:db8:1::/48" },
  });
  for (let n = 0; n < 8; n++)
    assert.equal(await refusalOf(ask(SEARCH, `${n}`, from(n)).reply), "ok");
  assert.deepEqual(await refusalOf(ask(SEARCH, "own", from(0)).reply), {
    kind: "refused",
    code: "quota_exhausted",
    message: `the plan ${plan.name} keeps at most 1 datasets at once; the oldest must expire first`,
  });
  assert.deepEqual(await refusalOf(ask(SEARCH, "block", from(8)).reply), {
    kind: "refused",
    code: "quota_exhausted",
    message: `a block of addresses (IPv4 /24, IPv6 /48) has at most 8 datasets at once on the plan ${plan.name}; the oldest must expire first`,
  });
  assert.equal(await refusalOf(ask(SEARCH, "elsewhere", { ...caller, plan }).reply), "ok");
});

test("the datasets of all callers without a key are bounded in bytes, and the refusal says so", async () => {
  const { ask, read, caller, clock } = open({ anonymous_bytes: 16_384, shards: ONE() });
  const ids: string[] = [];
  for (let n = 0; ; n++) {
    const reply = await ask(SEARCH, `${n}`).reply;
    if (reply.kind === "refused") {
      assert.equal(reply.code, "quota_exhausted");
      assert.match(
        "message" in reply ? reply.message : "",
        /^the datasets of all callers without a key take at most 0\.015625 MB together;/,
      );
      break;
    }
    const { observation } = JSON.parse(Buffer.from(reply.body).toString()) as {
      observation: { provenance: [{ dataset_id: string; version: string }] };
    };
    const [{ dataset_id: id, version }] = observation.provenance;
    ids.push(id);
    const who = { caller, now_ms: clock.now() };
    assert.equal((await read({ id, version }, "body", who)).kind, "ok");
  }
  assert.ok(ids.length >= 1, "some were taken");
});

test("a search that the store does not take names the cause, and no other store", async () => {
  const causes = [
    ["disk_full", "the disk has no room for another dataset; try again later"],
    ["unavailable", "the store of datasets cannot be reached; try again"],
  ] as const;
  for (const [fate, message] of causes) {
    const datasets = { ...createMemoryDatasets(), put: () => Promise.resolve(fate) };
    const refusal = await refusalOf(open({ datasets, shards: ONE() }).ask(SEARCH).reply);
    assert.deepEqual(refusal, { kind: "refused", code: "store_unavailable", message });
  }
});
