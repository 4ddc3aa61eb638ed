/** Executing capabilities without a listener: what the integration tests cannot bring about. */
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import type { AnonymousCaller, KeyedCaller } from "#app/access/request-caller.ts";
import { createExecute } from "#app/capabilities/execute.ts";
import type { SourceTerms } from "#app/capabilities/search-observation.ts";
import { createReadDataset } from "#app/capabilities/dataset-read.ts";
import { createSearch } from "#app/capabilities/stored-search.ts";
import { createRenderNearby } from "#app/nearby-body.ts";
import type { Nearby } from "#app/answer-types.ts";
import { readCapabilityRequest } from "#core/capabilities/capability-request.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Datasets } from "#ports.ts";
import type { Claims } from "#ports/claims.ts";
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
  /** Of an anonymous address with the longer life. */
  datasets_max?: number;
  enforced?: boolean;
  claims?: Claims;
};

function open(setup: Setup = {}) {
  const { nearby, datasets = createMemoryDatasets(), store = "all", shards } = setup;
  const { anonymous_bytes = 1_000_000, enforced = true } = setup;
  const deployment = deploy(shards ? { shards } : {});
  const { clock } = deployment;
  const faults: unknown[] = [];
  const terms = {
    retention_ms: { anonymous: 1000, read_again: 5000 },
    datasets_max: enforced ? (setup.datasets_max ?? 1) : null,
  };
  const search = createSearch({
    nearby: nearby ?? deployment.nearby,
    renderNearby: createRenderNearby(),
    datasets,
    clock,
    hash: sha256,
    termsOf: (source_id) => ({ provider: source_id, licence: null, attribution: null, store }),
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
    retention_ms: { anonymous: 1000, keyed: 2000 },
    anonymous: terms,
    anonymous_bytes,
    enforced,
    onFault: (error) => faults.push(error),
  });
  const read = createReadDataset(datasets, terms, (reason) => faults.push(reason));
  const start = () =>
    createExecute({ search, read, datasets, claims: setup.claims ?? null, clock, hash: sha256 });
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
    const capability_request = readCapabilityRequest(JSON.stringify(body));
    return capability_request.ok
      ? capability_request.value
      : assert.fail(capability_request.message);
  };
  const ask = (request: object, request_id = "r", from = caller) => {
    const capability_request = toAsked(request, request_id);
    const now_ms = clock.now();
    const who = { caller: from, remaining_units: null, now_ms, deadline_ms: now_ms + 5000 };
    // As a request does: the execution follows the question whether it is a repeat.
    const begun = parts.begin(capability_request, from, who.deadline_ms);
    const again = begun.then(({ free }) => free);
    return {
      again,
      reply: begun.then((own) => parts.execute(capability_request, who, own).finally(own.end)),
    };
  };
  const SEARCH = { capability: "search_mobility", args: { ...HERE } };
  const look = (request_id?: string) => ask(SEARCH, request_id);
  const isRepeat = async (request_id = "r") => {
    const { free, end } = await parts.begin(toAsked(SEARCH, request_id), caller, Infinity);
    end();
    return free;
  };
  return { ask, look, faults, datasets, clock, read, caller, restart, isRepeat };
}

type Body = {
  observation: {
    status?: string;
    dataset_id?: string;
    errors?: { code: string; message: string; retryable: boolean }[];
    provenance?: { version: string; expires_at: string }[];
  };
};
async function bodyOf(reply: ReturnType<ReturnType<typeof open>["look"]>["reply"]) {
  const result = await reply;
  if (result.kind !== "ok") return assert.fail(result.code);
  return { free: result.free, ...(JSON.parse(Buffer.from(result.body).toString()) as Body) };
}

const ONE = (): Shard[] => [aShard({ stations: [aStation("s1")] })];

test("no id is issued before the secret of the fleet is known", async () => {
  let isKnown = false;
  let stored = 0;
  const memory = createMemoryDatasets();
  const put: Datasets["put"] = (dataset) => {
    stored++;
    return memory.put(dataset);
  };
  const away: Datasets = { ...memory, knowsSecret: () => isKnown, put };
  const { look } = open({ datasets: away, shards: ONE() });
  const early = await look("early").reply;
  assert.ok(early.kind === "refused");
  assert.deepEqual([early.code, stored], ["store_unavailable", 0]);
  isKnown = true;
  assert.equal((await look("late").reply).kind, "ok");
  assert.equal(stored, 1);
});

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
  assert.deepEqual(first, { ...UNREACHED, retry_after_s: 1 });
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
    const stored = await read({ id: observation.dataset_id!, version }, "body", who);
    if (stored.kind !== "ok") return assert.fail(stored.code);
    const body = JSON.parse(Buffer.from(stored.bytes).toString()) as {
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

/** The search's dataset, its stated end, and how it is read later. */
async function searchAndRead(parts: ReturnType<typeof open>, n: number, from: AnonymousCaller) {
  const { observation } = await bodyOf(parts.ask(SEARCH, `${n}`, from).reply);
  const { version, expires_at } = observation.provenance![0]!;
  const capability_request = { id: observation.dataset_id!, version };
  const read = async (): Promise<number | string> => {
    const who = { caller: from, now_ms: parts.clock.now() };
    const reply = await parts.read(capability_request, "body", who);
    return reply.kind === "ok" ? reply.row.expires_at_ms : reply.code;
  };
  return { read, made_ms: parts.clock.now(), stated_ms: Date.parse(expires_at) };
}

const networks = (caller: AnonymousCaller, n: number): AnonymousCaller => ({
  ...caller,
  plan: { ...PLAN, datasets: 1 },
  address: { narrow: `2001:db8:1:${n}::/64`, wide: "2001:db8:1::/48" },
});

test("searches of one address and block are never refused for their number; some are kept longer", async () => {
  const parts = open({ shards: ONE() });
  const { caller, clock } = parts;
  const own = await Promise.all(
    Array.from({ length: 40 }, (_, n) => searchAndRead(parts, n, networks(caller, n % 20))),
  );
  for (const { read, made_ms, stated_ms } of own) {
    assert.equal(stated_ms, made_ms + 1000);
    assert.ok([stated_ms, made_ms + 5000].includes(Number(await read())));
  }
  await clock.advance(10);
  const ends = await Promise.all(own.map(({ read }) => read()));
  const longer = own.filter(({ made_ms }, n) => ends[n] === made_ms + 5000);
  assert.equal(longer.length, 8, "one an address, eight a block");
  assert.deepEqual(new Set(ends), new Set([own[0]!.made_ms + 1000, own[0]!.made_ms + 5000]));
  await clock.advance(990);
  for (const [n, { read, made_ms }] of own.entries())
    assert.equal(await read(), ends[n] === made_ms + 5000 ? ends[n] : "dataset_gone");
  await clock.advance(4000);
  for (const { read } of own) assert.equal(await read(), "dataset_gone");
});

test("a hundred of an address are kept for longer at a time, and beyond them what is read again", async () => {
  const parts = open({ shards: ONE(), datasets_max: 102, anonymous_bytes: 100_000_000 });
  const at = networks(parts.caller, 0);
  const own = [];
  for (let n = 0; n < 104; n++) own.push(await searchAndRead(parts, n, at));
  const atOnce = await Promise.all(own.map(({ read }) => read()));
  const made_ms = own[0]!.made_ms;
  assert.deepEqual(
    atOnce.map((end) => Number(end) - made_ms),
    [...Array.from({ length: 100 }, () => 5000), 1000, 1000, 1000, 1000],
  );
  await parts.clock.advance(10);
  const again = await Promise.all(own.slice(100).map(({ read }) => read()));
  const longer = again.filter((end) => end === made_ms + 5000);
  assert.equal(longer.length, 2, "as many as the plan has");
  // What a search states is less than what is kept, and nothing is shortened by later ones.
  await parts.clock.advance(2000);
  assert.equal(await own[0]!.read(), made_ms + 5000);
  await searchAndRead(parts, 200, at);
  assert.equal(await own[0]!.read(), made_ms + 5000);
});

test("where plans are not enforced, all that is read again lives longer", async () => {
  const parts = open({ shards: ONE(), enforced: false });
  const own = [];
  for (let n = 0; n < 20; n++) own.push(await searchAndRead(parts, n, networks(parts.caller, 0)));
  await parts.clock.advance(10);
  for (const { read, made_ms } of own) assert.equal(await read(), made_ms + 5000);
});

test("an account's datasets are bounded in number and bytes, where plans are enforced", async () => {
  const keyed = (datasets: number): KeyedCaller => ({
    kind: "keyed",
    plan: { ...PLAN, datasets },
    key_id: "key_1",
    account_id: "acc_1",
    scopes: [],
    standing: "active",
  });
  const { ask } = open({ shards: ONE() });
  const by = (caller: KeyedCaller, n: number) => ask(SEARCH, `${n}`, caller as never).reply;
  assert.equal(await refusalOf(by(keyed(2), 1)), "ok");
  assert.equal(await refusalOf(by(keyed(2), 2)), "ok");
  assert.deepEqual(await refusalOf(by(keyed(2), 3)), {
    kind: "refused",
    code: "quota_exhausted",
    message: `the plan ${PLAN.name} keeps at most 2 datasets at once; the oldest must expire first`,
    retry_after_s: 3600,
  });
  const free = open({ shards: ONE(), enforced: false });
  for (let n = 0; n < 5; n++)
    assert.equal(await refusalOf(free.ask(SEARCH, `${n}`, keyed(2) as never).reply), "ok");
  const put: unknown[] = [];
  const full = open({
    shards: ONE(),
    datasets: {
      ...createMemoryDatasets(),
      put: async ({ owner_bytes_max }) => {
        put.push(owner_bytes_max);
        return "owner_full";
      },
    },
  });
  const refusal = await refusalOf(full.ask(SEARCH, "r", keyed(64) as never).reply);
  assert.deepEqual(put, [2 * 1024 * 1024]);
  assert.deepEqual(refusal, {
    kind: "refused",
    code: "quota_exhausted",
    message: `the datasets of an account on the plan ${PLAN.name} take at most 2 MB; the oldest must expire first`,
    retry_after_s: 3600,
  });
});

test("the datasets of all callers without a key are bounded in bytes, and the refusal says so", async () => {
  const { ask, read, caller, clock } = open({ anonymous_bytes: 16_384, shards: ONE() });
  const ids: string[] = [];
  for (let n = 0; ; n++) {
    const reply = await ask(SEARCH, `${n}`).reply;
    if (reply.kind === "refused") {
      assert.equal(reply.code, "quota_exhausted");
      assert.equal("retry_after_s" in reply && reply.retry_after_s, 60);
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
    const code = "store_unavailable";
    assert.deepEqual(refusal, { kind: "refused", code, message, retry_after_s: 1 });
  }
});
