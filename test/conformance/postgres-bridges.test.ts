/** Bridges of PostgreSQL: what the embedded ones hold, and what replicas report to one another. */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import fc from "fast-check";
import type { AdjustableClock } from "#process/clock.ts";
import { createManualClock } from "../support/manual-clock.ts";
import type { Before } from "#stations/identity/inherit.ts";
import type { Bridges } from "#ports.ts";
import { createPostgresBridges, type PostgresBridges } from "#storage/postgres/bridges.ts";
import { loadDriver } from "#storage/postgres/driver.ts";
import { StoreNotices } from "#storage/postgres/postgres-notices.ts";
import { stationCodec } from "#storage/station-ids-store.ts";
import type { Pool } from "#storage/postgres/pool.ts";
import { NO_POSTGRES, startPostgres } from "../support/engines.ts";
import { turn } from "../support/lookup.ts";
import { createMemoryBridges } from "../support/memory.ts";
import { openStore, type Store } from "../support/postgres-store.ts";
import { bridgesSuite } from "./bridges.ts";
import { sized } from "../support/size.ts";

const engine = (await startPostgres())!;
after(() => engine?.stop());
const skip = NO_POSTGRES;

bridgesSuite("postgres", { open: openPostgres, durable: true, skip });

type Opened = {
  bridges: PostgresBridges;
  store: Store;
  clock: AdjustableClock;
  /** Another replica; `fault`: what becomes of its statements. */
  openReplica(fault?: Fault): PostgresBridges;
  reopen(): Promise<Bridges>;
  /** Notifies all replicas. */
  notifyAll(): void;
};

async function openPostgres(t: TestContext, own = engine): Promise<Opened> {
  const store = await openStore(own);
  // Shared by all replicas: a property opens hundreds of them.
  const pool = store.openPool();
  const clock = createManualClock(NOW_MS);
  const opened: PostgresBridges[] = [];
  const listeners: (() => void)[] = [];
  const openReplica = (fault: Fault = { state: "here" }): PostgresBridges => {
    const notices: Pick<StoreNotices, "listen"> = {
      listen: (_, onNotice) => void listeners.push(() => onNotice("")),
    };
    const deps = { clock, time: clock, notices };
    const bridges = createPostgresBridges(failing(pool, fault), deps);
    opened.push(bridges);
    return bridges;
  };
  t.after(async () => {
    await Promise.all(opened.map((bridges) => bridges.close()));
    await store.closeAll();
  });
  return {
    bridges: openReplica(),
    store,
    clock,
    openReplica,
    notifyAll: () => listeners.forEach((notify) => notify()),
    async reopen() {
      assert.equal(await opened.at(-1)!.close(), true);
      return openReplica();
    },
  };
}

/** `lost`: the store executes the statement, and its answer does not arrive. */
type Fault = { state: "here" | "away" | "lost" };

function failing(pool: Pool, fault: Fault): Pick<Pool, "query" | "transact" | "noteDefect"> {
  async function fail<T>(task: () => Promise<T>): Promise<T> {
    if (fault.state === "here") return task();
    if (fault.state === "lost") await task();
    else for (let turns = 0; turns < 4; turns += 1) await turn();
    throw new Error(`the store is ${fault.state}`);
  }
  return {
    query: (text, values) => fail(() => pool.query(text, values)),
    transact: (task) => fail(() => pool.transact(task)),
    noteDefect: assert.ifError,
  };
}

const NOW_MS = Date.UTC(2026, 10, 21, 12);

function station(id: string, name: string): Before {
  return {
    id,
    name,
    lat: 48.85,
    lon: 2.35,
    modes: 1,
    capacity: 20,
    virtual: null,
    keys: {},
    gone_s: null,
  };
}

function change(ids: Record<string, string | null>, seen: Before[] | null = null) {
  return { ids: new Map(Object.entries(ids)), seen: seen && stationCodec.pack(seen) };
}

function listSorted(bridges: Bridges, source_id: string): [string, string][] {
  return [...bridges.listIds(source_id)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function stateOf(bridges: Bridges, source_ids: readonly string[]): unknown {
  return source_ids.map((id) => {
    const recalled = bridges.recall(id);
    return [id, listSorted(bridges, id), recalled && stationCodec.unpack(recalled)];
  });
}

test(
  "replicas that prepare the same sources at once agree when they were met",
  { skip },
  async (t) => {
    const { openReplica } = await openPostgres(t);
    const replicas = Array.from({ length: 5 }, () => openReplica());
    const ids = Array.from({ length: 250 }, (_, i) => `source ${(i * 7919) % 250}`);
    await Promise.all(
      replicas.map((each, i) => each.prepare(i % 2 === 0 ? ids : ids.toReversed(), NOW_MS + i)),
    );
    const met = replicas.map((each) => each.meet(ids, NOW_MS + 1_000));
    assert.equal(met[0]!.size, 250);
    for (const each of met) assert.deepEqual([...each], [...met[0]!]);
    assert.ok([...met[0]!.values()].every((ms) => ms < NOW_MS + 5));
  },
);

test(
  "a replica's writes reach the others: soon with notices, late without",
  { skip },
  async (t) => {
    const { bridges, openReplica, clock, notifyAll } = await openPostgres(t);
    const other = openReplica();
    for (const each of [bridges, other]) await each.prepare(["a", "b"], NOW_MS);
    bridges.save("a", change({ 1: "x", 2: "y" }, [station("1", "Gare")]));
    await clock.advance(10);
    assert.equal(other.recall("a"), null);
    notifyAll();
    await clock.advance(10);
    assert.deepEqual(stateOf(other, ["a", "b"]), stateOf(bridges, ["a", "b"]));
    assert.equal(stationCodec.unpack(other.recall("a")!)[0]!.name, "Gare");
    other.save("a", change({ 1: null, 3: "z" }));
    await clock.advance(10);
    await clock.advance(5_000);
    assert.deepEqual(listSorted(bridges, "a"), [
      ["2", "y"],
      ["3", "z"],
    ]);
  },
);

test("another replica learns of a write by a notice of the server", { skip }, async (t) => {
  const { bridges, store, clock } = await openPostgres(t);
  const driver = await loadDriver();
  assert.ok(!("problem" in driver));
  const address = { url: store.url, mode: "live" as const };
  const notices = new StoreNotices(driver, address, { time: clock, onFault: () => assert.fail() });
  t.after(() => notices.close());
  const connected = Promise.withResolvers<void>();
  const notified = Promise.withResolvers<void>();
  notices.listen("bridges", (payload) => (payload === null ? connected : notified).resolve());
  const other = createPostgresBridges(store.openPool(), { clock, time: clock, notices });
  await other.prepare(["a"], NOW_MS);
  notices.start();
  await connected.promise;
  bridges.save("a", change({ 1: "x" }));
  await clock.advance(10);
  await notified.promise;
  await clock.advance(10);
  assert.deepEqual([...other.listIds("a")], [["1", "x"]]);
});

test(
  "sources first seen while the store was away are the fleet's afterwards",
  { skip },
  async (t) => {
    const { bridges, openReplica, clock } = await openPostgres(t);
    await bridges.prepare(["a"], NOW_MS);
    bridges.save("a", change({ 1: "x", 2: "y" }, [station("1", "Gare")]));
    await clock.advance(10);
    const fault: Fault = { state: "away" };
    const late = openReplica(fault);
    await late.prepare(["a", "b"], NOW_MS + 5_000);
    assert.equal(late.meet(["a"], NOW_MS + 6_000).get("a"), NOW_MS + 5_000);
    assert.equal(late.recall("a"), null);
    late.save("a", change({ 2: "own", 3: "z" }));
    await clock.advance(3_000);
    fault.state = "here";
    await clock.advance(5_000);
    assert.equal(late.meet(["a"], NOW_MS + 6_000).get("a"), NOW_MS);
    assert.deepEqual(listSorted(late, "a"), [
      ["1", "x"],
      ["2", "own"],
      ["3", "z"],
    ]);
    assert.equal(stationCodec.unpack(late.recall("a")!)[0]!.name, "Gare");
    await clock.advance(5_000);
    assert.deepEqual(stateOf(bridges, ["a"]), stateOf(late, ["a"]));
  },
);

test("closing reports that something could not be written", { skip }, async (t) => {
  const { openReplica } = await openPostgres(t);
  const fault: Fault = { state: "away" };
  const bridges = openReplica(fault);
  bridges.save("a", change({ 1: "x" }));
  assert.equal(await bridges.close(), false);
});

const SOURCES = ["a", "b", "c"];

test(
  "memory and store hold what was saved last, whatever the store does meanwhile",
  { skip },
  async (t) => {
    const seen = { saves: 0, away: 0, lost: 0 };
    const { openReplica, clock, store } = await openPostgres(t);
    await fc.assert(
      fc.asyncProperty(histories(), async (steps) => {
        await store.exec("TRUNCATE identity_source, bridge");
        const fault: Fault = { state: "here" };
        const bridges = openReplica(fault);
        const model = createMemoryBridges();
        model.meet(SOURCES, NOW_MS);
        await bridges.prepare(SOURCES, NOW_MS);
        for (const step of steps) {
          fault.state = step.state;
          if (step.state !== "here") seen[step.state] += 1;
          const save = ({ source, ids, name }: Saved): void => {
            const saved = change(ids, name === null ? null : [station("1", name)]);
            for (const each of [bridges, model]) each.save(SOURCES[source]!, saved);
            seen.saves += 1;
          };
          step.saves.slice(1).forEach(save);
          assert.deepEqual(stateOf(bridges, SOURCES), stateOf(model, SOURCES));
          const passing = clock.advance(step.pass_ms);
          await turn();
          // While those before are being written.
          step.saves.slice(0, 1).forEach(save);
          await passing;
          assert.deepEqual(stateOf(bridges, SOURCES), stateOf(model, SOURCES));
        }
        fault.state = "here";
        assert.equal(await bridges.close(), true);
        const fresh = openReplica();
        await fresh.prepare(SOURCES, NOW_MS);
        assert.deepEqual(stateOf(fresh, SOURCES), stateOf(model, SOURCES));
        await fresh.close();
      }),
      { numRuns: sized(30, 100) },
    );
    t.diagnostic(JSON.stringify(seen));
    for (const tried of Object.values(seen)) assert.ok(tried > sized(12, 50));
  },
);

test("replicas that write the same sources converge", { skip }, async (t) => {
  const { openReplica, clock, store, notifyAll } = await openPostgres(t);
  const replicas = [openReplica(), openReplica(), openReplica()];
  await Promise.all(replicas.map((each) => each.prepare(SOURCES, NOW_MS)));
  await fc.assert(
    fc.asyncProperty(histories(), async (steps) => {
      for (const [nth, step] of steps.entries()) {
        for (const [index, { source, ids, name }] of step.saves.entries()) {
          const saved = change(ids, name === null ? null : [station("1", name)]);
          replicas[(nth + index) % 3]!.save(SOURCES[source]!, saved);
        }
        if (step.state === "here") notifyAll();
        await clock.advance(step.pass_ms);
      }
      // Written; then read by the replicas that wrote before.
      await clock.advance(5_000);
      await clock.advance(5_000);
      const fresh = openReplica();
      await fresh.prepare(SOURCES, NOW_MS);
      for (const each of replicas)
        assert.deepEqual(stateOf(each, SOURCES), stateOf(fresh, SOURCES));
      await fresh.close();
    }),
    { numRuns: sized(20, 60) },
  );
  const rows = await store.list("SELECT source_id FROM bridge");
  assert.ok(rows.length > 0);
});

test(
  "a killed server loses nothing that was saved, and receives it in order",
  { skip },
  async (t) => {
    const durable = (await startPostgres({ durable: true }))!;
    t.after(() => durable.stop());
    const { bridges, clock, openReplica, store } = await openPostgres(t, durable);
    await bridges.prepare(SOURCES, NOW_MS);
    await store.exec(`CREATE TABLE written (place bigint GENERATED ALWAYS AS IDENTITY, source_id text, svc_id text);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
      INSERT INTO vicinity_live.written (source_id, svc_id) VALUES (new.source_id, new.svc_id);
      RETURN NULL;
    END $body$;
    CREATE TRIGGER noted AFTER INSERT OR UPDATE ON bridge FOR EACH ROW
      WHEN (new.station_id = 'last') EXECUTE FUNCTION note()`);
    const write = (nth: number): void => {
      const id = String(nth).padStart(6, "0");
      bridges.save(SOURCES[nth % 3]!, change({ last: id, [`own ${nth}`]: id }));
    };
    let writes = 0;
    const during = async (more: number): Promise<void> => {
      for (const end = writes + more; writes < end; writes += 1) {
        write(writes);
        await clock.advance(300);
      }
    };
    await during(30);
    const killed = durable.kill();
    await during(30);
    await killed;
    await during(30);
    await durable.restart();
    await during(30);
    assert.equal(await bridges.close(), true);
    const fresh = openReplica();
    await fresh.prepare(SOURCES, NOW_MS);
    assert.deepEqual(stateOf(fresh, SOURCES), stateOf(bridges, SOURCES));
    assert.equal(
      SOURCES.reduce((sum, id) => sum + fresh.listIds(id).size, 0),
      writes + 3,
    );
    for (const id of SOURCES) {
      const rows = await store.list(
        `SELECT svc_id FROM written WHERE source_id = '${id}' ORDER BY place`,
      );
      const written = rows.map(({ svc_id }) => svc_id as string);
      assert.ok(written.length > 15);
      assert.deepEqual(written, written.toSorted(), "never an older one after a newer one");
    }
  },
);

type Saved = { source: number; ids: Record<string, string | null>; name: string | null };
type Step = { saves: Saved[]; state: Fault["state"]; pass_ms: number };

function histories(): fc.Arbitrary<Step[]> {
  const id = fc.option(fc.constantFrom("x", "y", "z"));
  const save = fc.record({
    source: fc.nat(SOURCES.length - 1),
    ids: fc.dictionary(fc.constantFrom("1", "2", "3"), id, { maxKeys: 3, noNullPrototype: true }),
    name: fc.option(fc.constantFrom("Gare", "Port")),
  });
  const step = fc.record({
    saves: fc.array(save, { maxLength: 4 }),
    state: fc.constantFrom("here" as const, "here" as const, "away" as const, "lost" as const),
    pass_ms: fc.constantFrom(0, 10, 1_000, 6_000),
  });
  return fc.array(step, { minLength: 1, maxLength: 6 });
}
