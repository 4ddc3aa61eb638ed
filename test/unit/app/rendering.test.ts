/** Rendered answers: a copy never changes, and bytes in use are never written to by another answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { copyOf } from "#world/render.ts";
import {
  type Answered,
  deploy,
  PLAN,
  readBody,
  toInput,
  type Wish,
} from "../../support/answers.ts";
import { aShard, aStation, aVehicle } from "../../support/domain.ts";

const shards = [
  aShard({ id: "a", stations: [aStation("s", { name: "Gare de l’Est 🚲" })] }),
  aShard({ id: "b", vehicles: [aVehicle("v")] }),
];

function answer(wish: Wish = {}, from = shards): Answered {
  const deployment = deploy({ shards: from });
  const reply = deployment.nearby(toInput(deployment, wish));
  assert.ok(!(reply instanceof Promise) && reply.kind === "ok");
  return reply;
}

/** The bytes as the sender sees them: not a copy. */
function lookAt(wish: Wish, isDone: boolean): Buffer {
  let seen: Buffer = Buffer.alloc(0);
  answer(wish).render((body) => {
    assert.ok(Buffer.isBuffer(body));
    seen = body;
    return isDone;
  });
  return seen;
}

const STATIONS: Wish = { include: ["stations"] };
const VEHICLES: Wish = { include: ["vehicles"], radius: 399 };

test("a copy of an answer stays as it is while others are rendered", () => {
  const copy = copyOf(answer(STATIONS).render);
  const before = copy.toString();
  lookAt(VEHICLES, true);
  lookAt(VEHICLES, true);
  assert.equal(copy.toString(), before);
  assert.match(before, /Gare de l’Est/);
});

test("bytes that the sender is done with are written over by the next answer", () => {
  const seen = lookAt(STATIONS, true);
  assert.ok(lookAt(VEHICLES, true).buffer === seen.buffer);
});

test("bytes that are still being sent are never written to again", () => {
  const seen = lookAt(STATIONS, false);
  const before = seen.toString();
  for (const isDone of [true, false, true]) {
    assert.ok(lookAt(VEHICLES, isDone).buffer !== seen.buffer);
  }
  assert.equal(seen.toString(), before);
});

test("an answer whose sender fails leaves its bytes alone", () => {
  let seen: Buffer = Buffer.alloc(0);
  const fail = () =>
    answer(STATIONS).render((body) => {
      seen = body as Buffer;
      throw new Error("the socket is gone");
    });
  assert.throws(fail, /the socket is gone/);
  assert.ok(lookAt(VEHICLES, true).buffer !== seen.buffer);
});

test("an answer that is held is rendered as it was, whatever is asked or published meanwhile", () => {
  const deployment = deploy({ shards });
  const ask = (wish: Wish = {}): Answered => {
    const reply = deployment.nearby(toInput(deployment, wish));
    assert.ok(!(reply instanceof Promise) && reply.kind === "ok");
    return reply;
  };
  const expected = readBody(ask());
  const wishes: Wish[] = [{}, { limit: 1 }, { limit: 1, offset: 1 }];
  const held = wishes.map((wish) => {
    const reply = ask(wish);
    reply.hold();
    return reply;
  });
  for (const isDone of [true, false]) ask(VEHICLES).render(() => isDone);
  const stations = [aStation("before"), aStation("s", { name: "Another name" })];
  deployment.world.put(aShard({ id: "a", stations }));
  const [all, first, second] = held.map((reply) => readBody(reply).results);
  assert.deepEqual(all, expected.results);
  const items = [first!, second!].map((each) => [...each.stations, ...each.vehicles]);
  assert.deepEqual(
    items.map(({ length }) => length),
    [1, 1],
  );
  assert.deepEqual(
    new Set(items.flat()),
    new Set([...expected.results.stations, ...expected.results.vehicles]),
  );
  assert.equal(readBody(ask()).results.stations.length, 2, "the world has moved on");
});

test("an answer that was neither rendered nor held is lost with the next question, never mixed up", () => {
  const one = answer();
  answer();
  assert.throws(() => copyOf(one.render), /after its turn/);
  assert.throws(() => one.hold(), /after its turn/);
});

test("an answer that was held is rendered once", () => {
  const one = answer();
  one.hold();
  answer();
  copyOf(one.render);
  assert.throws(() => copyOf(one.render), /after its turn/);
});

test("a page larger than the buffer is whole", () => {
  const stations = Array.from({ length: 600 }, (_, i) =>
    aStation(`s${i}`, { name: `Übergröße ${i} ${"é".repeat(200)}` }),
  );
  const plan = { ...PLAN, nearby_limit_max: 1000 };
  const bytes = copyOf(answer({ plan, limit: 1000 }, [aShard({ stations })]).render);
  assert.ok(bytes.length > 512 * 1024);
  assert.equal(readBody(answer()).total, 2);
  const { results } = JSON.parse(bytes.toString()) as ReturnType<typeof readBody>;
  assert.deepEqual(
    new Set(results.stations.map(({ name }) => name)),
    new Set(stations.map(({ name }) => name)),
  );
});

test("a page of stations without counts, larger than the buffer, is whole too", () => {
  const stations = Array.from({ length: 900 }, (_, i) => aStation(`${"ü".repeat(60)}${i}`));
  const plan = { ...PLAN, nearby_limit_max: 1000 };
  const bytes = copyOf(
    answer({ plan, limit: 1000 }, [aShard({ stations, statuses: null })]).render,
  );
  assert.ok(bytes.length > 512 * 1024);
  const { results } = JSON.parse(bytes.toString()) as ReturnType<typeof readBody>;
  assert.equal(results.stations.length, 900);
});

test("GeoJSON and debug answers lie in memory of their own", () => {
  const plain = lookAt(STATIONS, true);
  for (const wish of [{ format: "geojson" }, { debug: true }] as const) {
    const seen = lookAt(wish, true);
    assert.ok(seen.buffer !== plain.buffer);
    const before = seen.toString();
    lookAt(VEHICLES, true);
    assert.equal(seen.toString(), before);
  }
});
