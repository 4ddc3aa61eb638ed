/** Answers in pooled buffers: no two that are held share bytes, and what is returned is used again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Written } from "#app/types.ts";
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

function write(wish: Wish = {}): Written {
  return answer(wish).write();
}

const text = (written: Written) => new TextDecoder().decode(bytesOf(written));

function bytesOf({ body }: Written): Uint8Array {
  assert.ok(typeof body !== "string");
  return body;
}

test("two answers written and lent at once keep their own bytes", () => {
  const one = write({ include: ["stations"] });
  const told = text(one);
  const other = write({ include: ["vehicles"], radius: 399 });
  assert.equal(text(one), told);
  assert.notEqual(text(other), told);
  one.release();
  other.release();
});

test("an answer that is held is written as it was, whatever is asked or published meanwhile", () => {
  const deployment = deploy({ shards });
  const ask = (wish: Wish = {}): Answered => {
    const reply = deployment.nearby(toInput(deployment, wish));
    assert.ok(!(reply instanceof Promise) && reply.kind === "ok");
    return reply;
  };
  const told = readBody(ask());
  const wishes: Wish[] = [{}, { limit: 1 }, { limit: 1, offset: 1 }];
  const held = wishes.map((wish) => {
    const reply = ask(wish);
    reply.hold();
    return reply;
  });
  const others = held.map(() => ask({ include: ["vehicles"], radius: 399 }).write());
  const stations = [aStation("before"), aStation("s", { name: "Another name" })];
  deployment.world.put(aShard({ id: "a", stations }));
  const [all, first, second] = held.map((reply) => readBody(reply).results);
  assert.deepEqual(all, told.results);
  const items = [first!, second!].map((each) => [...each.stations, ...each.vehicles]);
  assert.deepEqual(
    items.map(({ length }) => length),
    [1, 1],
  );
  assert.deepEqual(
    new Set(items.flat()),
    new Set([...told.results.stations, ...told.results.vehicles]),
  );
  assert.equal(readBody(ask()).results.stations.length, 2, "the world has moved on");
  for (const each of others) each.release();
});

test("an answer that was neither written nor held is lost with the next question, never mixed up", () => {
  const one = answer();
  answer();
  assert.throws(() => one.write(), /after its turn/);
  assert.throws(() => one.hold(), /after its turn/);
});

test("a buffer that was given back serves the next answer", () => {
  const one = write();
  const { buffer } = bytesOf(one);
  one.release();
  const next = write();
  assert.ok(bytesOf(next).buffer === buffer);
  next.release();
});

test("a buffer given back twice is still lent to one answer at a time", () => {
  const one = write();
  one.release();
  one.release();
  const [left, right] = [write(), write()];
  assert.ok(bytesOf(left).buffer !== bytesOf(right).buffer);
  left.release();
  right.release();
});

test("a page larger than a pooled buffer is whole", () => {
  const stations = Array.from({ length: 600 }, (_, i) =>
    aStation(`s${i}`, { name: `Übergröße ${i} ${"é".repeat(200)}` }),
  );
  const plan = { ...PLAN, nearby_limit_max: 1000 };
  const large = answer({ plan, limit: 1000 }, [aShard({ stations })]);
  const written = large.write();
  assert.ok(written.body.length > 512 * 1024);
  const other = write();
  const { results } = JSON.parse(text(written)) as ReturnType<typeof readBody>;
  assert.deepEqual(
    new Set(results.stations.map(({ name }) => name)),
    new Set(stations.map(({ name }) => name)),
  );
  assert.equal((JSON.parse(text(other)) as { total: number }).total, 2);
  written.release();
  other.release();
});

test("a page of stations without counts, larger than a pooled buffer, is whole too", () => {
  const stations = Array.from({ length: 900 }, (_, i) => aStation(`${"ü".repeat(60)}${i}`));
  const plan = { ...PLAN, nearby_limit_max: 1000 };
  const large = answer({ plan, limit: 1000 }, [aShard({ stations, statuses: null })]);
  const written = large.write();
  assert.ok(written.body.length > 512 * 1024);
  const { results } = JSON.parse(text(written)) as ReturnType<typeof readBody>;
  assert.equal(results.stations.length, 900);
  written.release();
});

test("GeoJSON and debug answers hold no pooled buffer: releasing them lends nothing twice", () => {
  const geojson = write({ format: "geojson" });
  const debug = write({ debug: true });
  const plain = write();
  geojson.release();
  debug.release();
  const next = write();
  assert.ok(bytesOf(next).buffer !== bytesOf(plain).buffer);
  plain.release();
  next.release();
});
