/** What every FeedExchange does (ports.ts; architecture, Scale). */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import type { FeedExchange, FeedLease, PublishedFeed } from "#ports.ts";
import { forAllAsync } from "../support/domain.ts";
import { within } from "../support/size.ts";

export type Replica = {
  exchange: FeedExchange;
  /** Dies without notice: its leases are no longer renewed and not released. */
  kill(): void | Promise<void>;
};

export type Opened = {
  /** One more replica at the same store. */
  join(): Replica | Promise<Replica>;
  /** The time passes after which the leases of the dead have ended. */
  outlive(): Promise<void>;
  /** The store is away until what is returned has resolved. */
  away(): Promise<() => Promise<void>>;
  /** The store loses all it had. */
  wipe(): Promise<void>;
};

type Notice = { source_id: string; version: number };
type Options = { open: (t: TestContext) => Opened | Promise<Opened>; runs: number };

const NONE: ReadonlySet<string> = new Set();
const NO_PACKS: ReadonlyMap<string, Uint8Array> = new Map();
const ALL = { after: 0, stored: NONE };
/** For notices, which arrive independently of the answers. */
const NOTICE_MS = within(2_000);

/** As sources are called: hash tags of clusters, patterns, other scripts, nothing. */
const ODD_NAMES = ["", "a{b}c", "}{", "{}", "a:b c\n", "*", "ключ", "__proto__", "\u0000", "🚲"];

export function feedExchangeSuite(name: string, { open, runs }: Options): void {
  const example = (what: string, body: (opened: Opened, a: Replica, b: Replica) => Promise<void>) =>
    test(`${name}: ${what}`, async (t) => {
      const opened = await open(t);
      await body(opened, await opened.join(), await opened.join());
    });

  example("empty at first", async (_opened, { exchange }) => {
    assert.deepEqual(await exchange.list(), []);
    assert.equal(await exchange.read("s", ALL), null);
    const lease = await taken(exchange, "s");
    assert.equal(lease.version, 0);
    await lease.release();
    assert.deepEqual(await exchange.list(), [], "a lease publishes nothing");
  });

  example("the others read what one replica publishes, to the byte", async (_opened, a, b) => {
    const packs = new Map<string, Uint8Array>([
      ["empty", new Uint8Array()],
      ["all", Uint8Array.from({ length: 256 }, (_, i) => i)],
      ["crlf", Buffer.from("\r\n$-1\r\n\u0000")],
      ["shared", new Uint8Array(new SharedArrayBuffer(9)).fill(7)],
      ["view", Uint8Array.from([1, 2, 3, 4, 5]).subarray(1, 3)],
    ]);
    const state = `{"a":"\u0000\r\n ünï 🚲 \\u0000"}`;
    const version = await publish(a, "s", state, packs);
    assert.ok(version !== null && version > 0);
    assertRead(await b.exchange.read("s", ALL), { source_id: "s", version, state, packs });
    assert.deepEqual(await b.exchange.list(), [{ source_id: "s", version }]);
    assert.equal((await taken(b.exchange, "s")).version, version);
  });

  example("a pack of eight megabytes arrives whole", async (_opened, a, b) => {
    const pack = Buffer.alloc(8 * 1024 * 1024);
    for (let i = 0; i < pack.length; i += 4) pack.writeUInt32LE((i * 2_654_435_761) >>> 0, i);
    const packs = new Map([["big", pack]]);
    const version = (await publish(a, "s", "{}", packs))!;
    assertRead(await b.exchange.read("s", ALL), { source_id: "s", version, state: "{}", packs });
  });

  example("keeps values, not the caller's memory", async (_opened, a, b) => {
    const pack = Uint8Array.from([1, 2, 3]);
    await publish(a, "s", "{}", new Map([["p", pack]]));
    pack.fill(0);
    const read = await b.exchange.read("s", ALL);
    assert.ok(read && read !== "unreachable");
    assert.deepEqual([...read.packs.get("p")!], [1, 2, 3]);
  });

  example(
    "a read returns only later versions and only the packs the reader lacks",
    async (_opened, a, b) => {
      const [one, two, three] = [1, 2, 3].map((byte) => Uint8Array.of(byte));
      const first = (await publish(
        a,
        "s",
        "1",
        new Map([
          ["one", one!],
          ["two", two!],
        ]),
      ))!;
      assert.equal(await b.exchange.read("s", { after: first, stored: NONE }), null);
      assert.equal(await b.exchange.read("s", { after: first + 9, stored: NONE }), null);
      const stored = new Set(["one", "unheard of"]);
      const read = await b.exchange.read("s", { after: first - 1, stored });
      assertRead(read, {
        source_id: "s",
        version: first,
        state: "1",
        packs: new Map([["two", two!]]),
      });
      const packs = new Map([
        ["two", two!],
        ["three", three!],
      ]);
      const second = (await publish(b, "s", "2", packs))!;
      assert.ok(second > first);
      assertRead(await a.exchange.read("s", { after: first, stored: new Set(["one", "two"]) }), {
        source_id: "s",
        version: second,
        state: "2",
        packs: new Map([["three", three!]]),
      });
      const whole = { source_id: "s", version: second, state: "2", packs };
      assertRead(await a.exchange.read("s", ALL), whole, "what is spoken of no more is gone");
    },
  );

  example(
    "one replica holds the lease and the others do not, until it ends",
    async (_opened, a, b) => {
      const lease = await taken(a.exchange, "s");
      assert.equal(await b.exchange.lease("s"), "held");
      assert.equal(await a.exchange.lease("s"), "held", "nor the holder a second time");
      await taken(b.exchange, "other");
      const version = await lease.publish("1", NO_PACKS);
      const next = await taken(b.exchange, "s");
      assert.equal(next.version, version);
      await next.release();
      assert.equal((await taken(a.exchange, "s")).version, version, "released, nothing is new");
    },
  );

  example("of many simultaneous requests exactly one is granted", async (opened, a, b) => {
    const many = [
      a,
      b,
      ...(await Promise.all(Array.from({ length: 6 }, async () => opened.join()))),
    ];
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(many.map(({ exchange }) => exchange.lease("s")));
      const granted = answers.filter((answer) => typeof answer === "object");
      assert.equal(granted.length, 1);
      assert.equal(answers.filter((answer) => answer === "held").length, many.length - 1);
      await granted[0]!.publish(`${round}`, NO_PACKS);
    }
  });

  example("a lease that is over publishes nothing, and ends no other", async (_opened, a, b) => {
    const over = await taken(a.exchange, "s");
    await over.release();
    const lease = await taken(b.exchange, "s");
    assert.equal(await over.publish("late", NO_PACKS), null);
    await over.release();
    assert.equal(await a.exchange.lease("s"), "held");
    const version = (await lease.publish("1", NO_PACKS))!;
    assert.equal(await lease.publish("2", NO_PACKS), null, "once");
    assertRead(await a.exchange.read("s", ALL), {
      source_id: "s",
      version,
      state: "1",
      packs: NO_PACKS,
    });
  });

  example(
    "a dead holder is replaced, and what it publishes afterwards is ignored",
    async (opened, a, b) => {
      const version = await publish(a, "s", "1", NO_PACKS);
      const lease = await taken(a.exchange, "s");
      await a.kill();
      assert.equal(await b.exchange.lease("s"), "held", "not yet known to be dead");
      await opened.outlive();
      const next = await taken(b.exchange, "s");
      assert.equal(next.version, version);
      assert.equal(await lease.publish("late", NO_PACKS), null);
      await lease.release();
      const third = await opened.join();
      assert.equal(await third.exchange.lease("s"), "held");
      assert.ok((await next.publish("2", NO_PACKS))! > version!);
    },
  );

  example(
    "a living holder keeps its lease for longer than a dead one's lasts",
    async (opened, a, b) => {
      const lease = await taken(a.exchange, "s");
      await opened.outlive();
      await opened.outlive();
      assert.equal(await b.exchange.lease("s"), "held");
      assert.ok((await lease.publish("1", NO_PACKS))! > 0);
    },
  );

  example(
    "every replica is notified of publications and releases until it stops listening",
    async (_opened, a, b) => {
      const listeners = [a, b].map((replica) => listen(replica));
      const version = (await publish(a, "s", "1", NO_PACKS))!;
      for (const { next } of listeners) assert.deepEqual(await next(), { source_id: "s", version });
      await (await taken(b.exchange, "s")).release();
      for (const { next } of listeners) assert.deepEqual(await next(), { source_id: "s", version });
      listeners[0]!.end();
      const later = (await publish(b, "s", "2", NO_PACKS))!;
      assert.deepEqual(await listeners[1]!.next(), { source_id: "s", version: later });
      assert.deepEqual(listeners[0]!.left(), []);
      listeners[1]!.end();
    },
  );

  example(
    "a replica that is notified of a version reads it or a later one",
    async (_opened, a, b) => {
      const { next, end } = listen(b);
      for (let round = 0; round < 20; round++) {
        await publish(a, "s", `${round}`, new Map([[`p${round}`, Uint8Array.of(round)]]));
        const { version } = await next();
        const read = await b.exchange.read("s", { after: version - 1, stored: NONE });
        assert.ok(read && read !== "unreachable" && read.version >= version);
        assert.deepEqual([...read.packs.keys()], [`p${read.state}`]);
      }
      end();
    },
  );

  example("names may be any text and are kept apart", async (_opened, a, b) => {
    const { next, end } = listen(b);
    const versions = new Map<string, number>();
    for (const source_id of ODD_NAMES) {
      const packs = new Map([["p", Buffer.from(source_id)]]);
      const version = (await publish(a, source_id, source_id, packs))!;
      versions.set(source_id, version);
      assert.deepEqual(await next(), { source_id, version });
    }
    end();
    for (const [source_id, version] of versions)
      assertRead(await b.exchange.read(source_id, ALL), {
        source_id,
        version,
        state: source_id,
        packs: new Map([["p", Buffer.from(source_id)]]),
      });
    const listed = await b.exchange.list();
    assert.ok(listed !== "unreachable");
    assert.deepEqual(new Map(listed.map((each) => [each.source_id, each.version])), versions);
  });

  example(
    "while the store is away each call reports it, and afterwards all work again",
    async (opened, a, b) => {
      const version = (await publish(a, "s", "1", NO_PACKS))!;
      const lease = await taken(a.exchange, "s");
      const back = await opened.away();
      assert.equal(await b.exchange.lease("t"), "unreachable");
      assert.equal(await b.exchange.read("s", ALL), "unreachable");
      assert.equal(await b.exchange.list(), "unreachable");
      assert.equal(await lease.publish("2", NO_PACKS), null);
      await lease.release();
      await back();
      await opened.outlive();
      const next = await taken(b.exchange, "s");
      assert.equal(next.version, version);
      const { next: nextNotice, end } = listen(a);
      const later = (await next.publish("3", NO_PACKS))!;
      assert.deepEqual(await nextNotice(), { source_id: "s", version: later });
      end();
    },
  );

  example("a store that has lost all its data assigns no version twice", async (opened, a, b) => {
    const version = (await publish(a, "s", "1", NO_PACKS))!;
    const lost = await taken(a.exchange, "s");
    await opened.wipe();
    assert.equal(await b.exchange.read("s", ALL), null);
    assert.deepEqual(await b.exchange.list(), []);
    assert.equal(await lost.publish("2", NO_PACKS), null, "the lease is lost with the rest");
    const lease = await taken(b.exchange, "s");
    assert.equal(lease.version, 0);
    assert.ok((await lease.publish("3", NO_PACKS))! > version);
  });

  test(`${name}: any order of calls, against a model`, async (t) => {
    const opened = await open(t);
    const replicas = [await opened.join(), await opened.join(), await opened.join()];
    let run = 0;
    await forAllAsync(
      fc.asyncProperty(fc.array(aStep, { maxLength: 40 }), async (steps) => {
        const model = createModel(`run ${run++}`, replicas);
        for (const step of steps) await model.take(step);
      }),
      runs,
    );
  });
}

type Step = { kind: "lease" | "publish" | "release" | "read"; replica: number; packs: number[] };

const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("lease", "publish", "release", "read"),
  replica: fc.nat({ max: 2 }),
  packs: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 4 }),
});

/** One source, three replicas: which one holds it, and what was published last. */
function createModel(
  source_id: string,
  replicas: readonly Replica[],
): { take(step: Step): Promise<void> } {
  let published = { version: 0, state: "", names: [] as number[] };
  let holder: { replica: number; lease: FeedLease } | null = null;
  let count = 0;
  const packsOf = (names: readonly number[]): Map<string, Uint8Array> =>
    new Map(names.map((pack) => [`pack ${pack}`, new Uint8Array(pack).fill(pack)]));
  const takes: Record<Step["kind"], (step: Step) => Promise<void>> = {
    async lease({ replica }) {
      const answer = await replicas[replica]!.exchange.lease(source_id);
      if (holder) return assert.equal(answer, "held");
      assert.ok(typeof answer === "object");
      assert.equal(answer.version, published.version);
      holder = { replica, lease: answer };
    },
    async publish({ packs }) {
      if (!holder) return;
      const state = `state ${count++}`;
      const version = await holder.lease.publish(state, packsOf(packs));
      assert.ok(version !== null && version > published.version);
      published = { version, state, names: packs };
      holder = null;
    },
    async release() {
      await holder?.lease.release();
      holder = null;
    },
    async read({ replica, packs }) {
      const stored = new Set(packsOf(packs).keys());
      const read = await replicas[replica]!.exchange.read(source_id, { after: 0, stored });
      if (published.version === 0) return assert.equal(read, null);
      const sent = packsOf(published.names.filter((pack) => !packs.includes(pack)));
      const { version, state } = published;
      assertRead(read, { source_id, version, state, packs: sent });
    },
  };
  return { take: (step) => takes[step.kind](step) };
}

async function taken(exchange: FeedExchange, source_id: string): Promise<FeedLease> {
  const lease = await exchange.lease(source_id);
  assert.ok(typeof lease === "object", `no lease of ${JSON.stringify(source_id)}`);
  return lease;
}

async function publish(
  { exchange }: Replica,
  source_id: string,
  state: string,
  packs: ReadonlyMap<string, Uint8Array>,
): Promise<number | null> {
  return (await taken(exchange, source_id)).publish(state, packs);
}

function assertRead(
  read: PublishedFeed | null | "unreachable",
  expected: PublishedFeed,
  message = "as it was published",
): void {
  assert.ok(read !== null && read !== "unreachable", message);
  const plain = ({ packs, ...rest }: PublishedFeed): unknown => ({
    ...rest,
    packs: new Map([...packs].map(([hash, bytes]) => [hash, toHex(bytes)] as const)),
  });
  assert.deepEqual(plain(read), plain(expected), message);
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

type Listening = { next(): Promise<Notice>; left(): Notice[]; end(): void };

/** Notices in the order they come; `next` fails when none does. */
function listen({ exchange }: Replica): Listening {
  const notices: Notice[] = [];
  let waiting: ((notice: Notice) => void) | null = null;
  const end = exchange.watch((notice) => {
    const wake = waiting;
    waiting = null;
    if (wake) wake(notice);
    else notices.push(notice);
  });
  const next = (): Promise<Notice> =>
    new Promise((resolve, reject) => {
      const notice = notices.shift();
      if (notice) return resolve(notice);
      const timer = setTimeout(() => reject(new Error("no notice came")), NOTICE_MS);
      waiting = (come) => {
        clearTimeout(timer);
        resolve(come);
      };
    });
  return { next, left: () => notices, end };
}
