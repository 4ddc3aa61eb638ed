/**
 * What a fleet keeps in Valkey, over a client or a driver that a test plays: what is sent, what each reply
 * means, and what happens while there is none. The suite `long` has the real one.
 */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Bucket } from "#core/limits/address-block.ts";
import type { BucketAdmission } from "#core/limits/gcra.ts";
import type { SharedAddress } from "#storage/valkey/valkey-address.ts";
import { createSharedClaims } from "#storage/valkey/valkey-claims.ts";
import { createValkeyClient, type ValkeyReply } from "#storage/valkey/valkey-client.ts";
import { connect, type Driver } from "#storage/valkey/driver.ts";
import { createSharedLimiter } from "#storage/valkey/limiter.ts";
import { ReplicaFacts } from "#storage/valkey/replica-facts.ts";
import { openReplicas } from "#storage/valkey/replicas.ts";
import { createSharedSpend } from "#storage/valkey/spend.ts";

type Reply = ValkeyReply | "unreachable";
type Call = { keys: readonly string[]; args: readonly unknown[] };

/** A client whose replies are these, one after the other; the last one stays. */
function clientOf(...replies: Reply[]) {
  const requested: unknown[][] = [];
  const ran: Call[] = [];
  const next = async (): Promise<Reply> => (replies.length > 1 ? replies.shift()! : replies[0]!);
  const state = { isAway: false, isDoubtful: false, settled: 0 };
  const client = {
    ask: (name: string, args: readonly unknown[]) => (requested.push([name, ...args]), next()),
    run: (_: unknown, call: Call) => (ran.push(call), next()),
    isAway: () => state.isAway,
    isDoubtful: () => state.isDoubtful,
    settled: async () => void state.settled++,
  };
  return { client, requested, ran, state };
}

test("a claim is set, held by another, or of unknown fate: then it is ended", async () => {
  const key = Uint8Array.of(1, 2, 255);
  const won = clientOf("OK" as unknown as Reply, 1);
  const claim = await createSharedClaims({ client: won.client, prefix: "p:" }).claim(key, 999.2);
  assert.ok(typeof claim === "object");
  const [, name, holder, ...rest] = won.requested[0]!;
  assert.deepEqual([name, rest], ["p:work:{AQL_}", ["NX", "PX", 1_000]]);
  await claim.end();
  assert.deepEqual(won.ran, [{ keys: [name], args: [holder] }]);
  assert.equal(
    await createSharedClaims({ client: clientOf(null).client, prefix: "" }).claim(key, 1),
    "held",
  );
  const lost = clientOf("unreachable");
  assert.equal(
    await createSharedClaims({ client: lost.client, prefix: "" }).claim(key, 1),
    "unreachable",
  );
  assert.deepEqual([lost.ran.length, lost.state.settled], [1, 0]);
  lost.state.isDoubtful = true;
  await createSharedClaims({ client: lost.client, prefix: "" }).claim(key, 1);
  assert.equal(lost.state.settled, 1);
});

test("money that is spent is counted by the store, and alone while it does not answer", async () => {
  const alone: number[] = [];
  const insurance = {
    add: async (_: string, __: string, calls: number) => (alone.push(calls), 77),
  };
  const { client, ran, state } = clientOf(5, "unreachable");
  const spend = createSharedSpend({ client, prefix: "p:", insurance });
  assert.equal(await spend.add("google", "2026-11-27", 2), 5);
  assert.deepEqual(ran[0], { keys: ["p:spend:{google}:2026-11-27"], args: [2, 172_800] });
  assert.equal(await spend.add("google", "2026-11-27", 3), 77);
  state.isAway = true;
  assert.equal(await spend.add("google", "2026-11-27", 4), 77);
  assert.deepEqual([alone, ran.length], [[3, 4], 2]);
});

test("what the other replicas say, and not this one; without an answer nothing is known", async () => {
  const { client, requested } = clientOf(
    ["a", "mine", "b", "theirs", "c", ""] as unknown as ValkeyReply,
    "unreachable",
  );
  const facts = new ReplicaFacts(client, { key: "facts", id: "a" });
  assert.deepEqual(
    [...(await facts.report("mine"))!],
    [
      ["b", "theirs"],
      ["c", ""],
    ],
  );
  assert.equal(await facts.report("mine"), null);
  await facts.withdraw();
  assert.deepEqual(requested, [["hdel", "facts", "a"]]);
});

test("replicas are counted each second, at least this one, and the last count holds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { client, ran, requested } = clientOf(3, 0, 4, "unreachable");
  const replicas = await openReplicas(client, { key: "live", id: "a", onFault: assert.ifError });
  const counts = [replicas.count()];
  for (let second = 0; second < 3; second++) {
    t.mock.timers.tick(999);
    assert.equal(ran.length, second + 1);
    t.mock.timers.tick(1);
    await nextTurn();
    counts.push(replicas.count());
  }
  assert.deepEqual(counts, [3, 1, 4, 4]);
  await replicas.close();
  t.mock.timers.tick(10_000);
  assert.equal(ran.length, 4);
  assert.deepEqual(requested, [["zrem", "live", "a"]]);
});

const AGAIN: BucketAdmission = { admitted: true, remaining: 9, reset_s: 1 };
const bucket = (key: string, block: string, burst = 10): Bucket => ({
  key,
  block,
  rate_per_s: 5,
  burst,
});

/** `shares`: what the insurance was asked to admit. */
function limiterOf(cluster: boolean, ...replies: Reply[]) {
  const played = clientOf(...replies);
  const shares: (readonly Bucket[])[] = [];
  const state = { replicas: 1 };
  const limiter = createSharedLimiter({
    ...{
      client: played.client,
      prefix: "p:",
      cluster,
      time: "given",
      replicas: () => state.replicas,
    },
    insurance: {
      admit: (buckets) => (shares.push(buckets), AGAIN),
      charge: (buckets) => shares.push(buckets),
    },
  });
  return { ...played, limiter, shares, fleet: state };
}

test("buckets are one call, in a cluster one for each block", async () => {
  const buckets = [bucket("ip 1", "net"), bucket("net", "net"), bucket("acc", "acc")];
  const one = limiterOf(false, [0, 0, 0]);
  assert.equal((await one.limiter.admit(buckets, 1)).admitted, true);
  assert.deepEqual(
    one.ran.map(({ keys }) => keys),
    [["p:limit:{net}:ip 1", "p:limit:{net}", "p:limit:{acc}"]],
  );
  assert.deepEqual(one.ran[0]!.args, [1_000, ...[0, 1, 2].flatMap(() => [200_000, 10, 0])]);
  const many = limiterOf(true, [0, 0], [0]);
  await many.limiter.admit(buckets, 1);
  assert.deepEqual(
    many.ran.map(({ keys }) => keys.length),
    [2, 1],
  );
  // One that says nothing leaves the decision to this replica.
  const half = limiterOf(true, [0, 0], "unreachable");
  assert.equal(await half.limiter.admit(buckets, 1), AGAIN);
  assert.equal(await half.limiter.admit([], 1), AGAIN);
  assert.equal(half.ran.length, 2);
});

test("alone a replica has its share, and charges the store for it afterwards", async () => {
  const { limiter, shares, fleet, ran, state } = limiterOf(false, [0]);
  const buckets = [bucket("acc", "acc")];
  fleet.replicas = 4;
  state.isAway = true;
  for (let n = 0; n < 3; n++) assert.equal(await limiter.admit(buckets, 1_000), AGAIN);
  limiter.charge(buckets, 2, 1_000);
  assert.equal(ran.length, 0);
  assert.deepEqual(shares[0], [{ key: "acc", rate_per_s: 1.25, burst: 2 }]);
  fleet.replicas = 20;
  await limiter.admit(buckets, 1_000);
  assert.equal(shares.at(-1)![0]!.burst, 1);
  state.isAway = false;
  await limiter.admit(buckets, 1_001);
  await limiter.admit(buckets, 1_001);
  assert.deepEqual(
    ran.map(({ args }) => args.at(-1)),
    [6, 0],
  );
  limiter.charge(buckets, 7, 1_001);
  assert.equal(ran.at(-1)!.args.at(-1), 7);
});

const ADDRESS = {
  ...{ nodes: [{ host: "a", port: 1 }], cluster: false, database: 2, tls: false },
  ...{ username: null, password: null },
} as unknown as SharedAddress;

class ReplyError extends Error {}

/** A driver whose commands end as `answer` says. */
function driverOf(answer: (name: string) => unknown = () => "OK") {
  const made: { options: Record<string, never>; nodes?: unknown }[] = [];
  const sent: string[] = [];
  class Connection extends EventEmitter {
    status = "ready";
    constructor(first: never, second?: never) {
      super();
      made.push(second === undefined ? { options: first } : { nodes: first, options: second });
    }
    async sendCommand() {}
    disconnect() {}
  }
  class Command {
    promise: Promise<unknown>;
    constructor(name: string) {
      sent.push(name);
      this.promise = Promise.try(() => answer(name));
      this.promise.catch(() => undefined);
    }
  }
  const driver = {
    Redis: Connection,
    Cluster: Connection,
    Command,
    ReplyError,
  } as unknown as Driver;
  return { driver, made, sent };
}

test("connections wait a little longer each time, and one that leads to a copy is made again", (t) => {
  let now_ms = 100_000;
  t.mock.method(performance, "now", () => now_ms);
  const { driver, made } = driverOf();
  connect(driver, ADDRESS);
  connect(driver, { ...ADDRESS, tls: true, username: "u", password: "p" }, { queues: true });
  connect(driver, { ...ADDRESS, cluster: true }, { queues: true });
  const [plain, secret, cluster] = made.map(({ options }) => options as Record<string, unknown>);
  const wait = plain!["retryStrategy"] as (times: number) => number;
  assert.deepEqual([1, 2, 9, 10, 11, 1e6].map(wait), [50, 100, 450, 500, 500, 500]);
  assert.deepEqual(
    [plain!["db"], plain!["enableOfflineQueue"], plain!["maxRetriesPerRequest"]],
    [2, false, 0],
  );
  for (const name of ["tls", "username", "password"])
    assert.ok(!(name in plain!) && name in secret!, name);
  assert.deepEqual([secret!["enableOfflineQueue"], cluster!["enableOfflineQueue"]], [true, true]);
  const isMadeAgain = plain!["reconnectOnError"] as (error: Error) => boolean;
  const copy = new Error("READONLY You can't write");
  const seen = [new Error("OOM"), copy, copy].map(isMadeAgain);
  now_ms += 4_999;
  seen.push(isMadeAgain(copy));
  now_ms += 1;
  seen.push(isMadeAgain(copy));
  assert.deepEqual(seen, [false, true, false, false, true]);
});

/** A client that has been probed, so that its circuit is closed. */
async function openClient(answer: (name: string) => unknown) {
  const events: string[] = [];
  const played = driverOf(answer);
  const client = createValkeyClient(played.driver, ADDRESS, {
    onEvent: (event) =>
      events.push("reason" in event ? `${event.state}: ${event.reason}` : event.state),
    onFault: assert.ifError,
    timeout_ms: 60_000,
    health: {
      part: "commands",
      reports: { fail: (_, { reason }) => events.push(reason), succeed: () => events.push("well") },
    },
  });
  return { ...played, client, events };
}

/** Until its first probe has come back. */
const settle = async (client: { isAway(): boolean; settled(ms: number): Promise<void> }) => {
  await client.settled(60_000);
  await nextTurn();
};

test("a script that the store does not know is sent whole", async (t) => {
  const { client, sent, events } = await openClient((name) => {
    if (name === "evalsha") throw new ReplyError("NOSCRIPT No matching script");
    return name === "eval" ? 7 : "OK";
  });
  t.after(() => client.close());
  assert.equal(await client.ask("get", ["a"]), "unreachable");
  await settle(client);
  assert.deepEqual([client.isAway(), events], [false, ["well", "back"]]);
  assert.equal(await client.run({ lua: "x", sha: "y" }, { keys: [], args: [] }), 7);
  assert.deepEqual(sent, ["set", "evalsha", "eval"]);
});

test("an error of one command is reported once in ten seconds; a store that is full is away", async (t) => {
  let refusal = "WRONGTYPE Operation against a key";
  const { client, events } = await openClient((name) => {
    if (name === "get") throw new ReplyError(refusal);
    return "OK";
  });
  t.after(() => client.close());
  await settle(client);
  events.length = 0;
  for (let n = 0; n < 3; n++) assert.equal(await client.ask("get", ["a"]), "unreachable");
  assert.deepEqual([events, client.isAway()], [[`refused: ${refusal}`], false]);
  refusal = "OOM command not allowed when used memory > 'maxmemory'";
  await client.ask("get", ["a"]);
  assert.deepEqual([client.isAway(), client.isDoubtful()], [true, true]);
  assert.deepEqual(events.slice(1), ["full", `away: ${refusal}`]);
});
