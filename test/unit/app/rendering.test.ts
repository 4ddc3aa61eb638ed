/** Rendered answers: a copy never changes, and bytes in use are never written to by another answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRenderNearby } from "#app/nearby-body.ts";
import {
  type Answered,
  deploy,
  PLAN,
  readBody,
  toBytes,
  toInput,
  type Wish,
} from "../../support/answers.ts";
import { aShard, aStation, aVehicle } from "../../support/domain.ts";

const shards = [
  aShard({ id: "a", stations: [aStation("s", { name: "Gare de l’Est 🚲" })] }),
  aShard({ id: "b", vehicles: [aVehicle("v")] }),
];

/** As one server has it. */
const renderNearby = createRenderNearby();

function answer(wish: Wish = {}, from = shards): Answered {
  const deployment = deploy({ shards: from });
  const reply = deployment.nearby(toInput(deployment, wish));
  assert.ok(!(reply instanceof Promise) && reply.kind === "ok");
  return reply;
}

/** The bytes as the sender sees them: not a copy. */
function lookAt(wish: Wish, isDone: boolean): Buffer {
  let seen: Buffer = Buffer.alloc(0);
  renderNearby(answer(wish), (body) => {
    assert.ok(Buffer.isBuffer(body));
    seen = body;
    return isDone;
  });
  return seen;
}

const STATIONS: Wish = { include: ["stations"] };
const VEHICLES: Wish = { include: ["vehicles"], radius: 399 };

test("a copy of an answer stays as it is while others are rendered", () => {
  const copy = toBytes(answer(STATIONS));
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
    renderNearby(answer(STATIONS), (body) => {
      seen = body as Buffer;
      throw new Error("the socket is gone");
    });
  assert.throws(fail, /the socket is gone/);
  assert.ok(lookAt(VEHICLES, true).buffer !== seen.buffer);
});

test("results wait and are rendered as they were, in any order, whatever is asked or published meanwhile", () => {
  const deployment = deploy({ shards });
  const ask = (wish: Wish = {}): Answered => {
    const reply = deployment.nearby(toInput(deployment, wish));
    assert.ok(!(reply instanceof Promise) && reply.kind === "ok");
    return reply;
  };
  const wishes: Wish[] = [
    {},
    { limit: 1 },
    { limit: 1, offset: 1 },
    { format: "geojson" },
    { debug: true },
    { radius: 1 },
  ];
  const waiting = wishes.map(ask);
  const expected = wishes.map((wish) => toBytes(ask(wish)).toString());
  for (const isDone of [true, false]) renderNearby(ask(VEHICLES), () => isDone);
  const stations = [aStation("before"), aStation("s", { name: "Another name" })];
  deployment.world.put(aShard({ id: "a", stations }));
  deployment.world.put(aShard({ id: "b", vehicles: [] }));
  for (const order of [waiting.toReversed(), waiting])
    for (const result of order)
      assert.equal(toBytes(result).toString(), expected[waiting.indexOf(result)]);
  assert.equal(readBody(ask()).results.stations.length, 2, "the world has moved on");
});

test("a result is not changed by its renderings", () => {
  const one = answer({ debug: true });
  const before = JSON.stringify(one);
  const first = toBytes(one).toString();
  toBytes({
    ...one,
    input: { ...one.input, question: { ...one.input.question, format: "geojson" } },
  });
  assert.equal(toBytes(one).toString(), first);
  assert.equal(JSON.stringify(one), before);
});

test("a page larger than the buffer is whole", () => {
  const stations = Array.from({ length: 600 }, (_, i) =>
    aStation(`s${i}`, { name: `Übergröße ${i} ${"é".repeat(200)}` }),
  );
  const plan = { ...PLAN, nearby_limit_max: 1000 };
  const bytes = toBytes(answer({ plan, limit: 1000 }, [aShard({ stations })]));
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
  const bytes = toBytes(answer({ plan, limit: 1000 }, [aShard({ stations, statuses: null })]));
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
