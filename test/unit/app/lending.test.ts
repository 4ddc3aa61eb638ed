/** Answers in pooled buffers: no two that are held share bytes, and what is returned is used again. */
import assert from "node:assert/strict";
import { test } from "node:test";
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
const text = (reply: Answered) => new TextDecoder().decode(bytesOf(reply));

function bytesOf({ body }: Answered): Uint8Array {
  assert.ok(typeof body !== "string");
  return body;
}

test("two answers held at once keep their own bytes", () => {
  const one = answer({ include: ["stations"] });
  const told = text(one);
  const other = answer({ include: ["vehicles"], radius: 399 });
  assert.equal(text(one), told);
  assert.notEqual(text(other), told);
  assert.equal(readBody(one).results.stations.length, 1);
  assert.equal(readBody(other).results.vehicles.length, 1);
});

test("a buffer that was given back serves the next answer", () => {
  const one = answer();
  const { buffer } = bytesOf(one);
  one.release();
  const next = answer();
  assert.ok(bytesOf(next).buffer === buffer);
  next.release();
});

test("a buffer given back twice is still lent to one answer at a time", () => {
  const one = answer();
  one.release();
  one.release();
  const [left, right] = [answer(), answer()];
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
  assert.ok(large.body.length > 512 * 1024);
  const held = answer();
  const { results } = readBody(large);
  assert.deepEqual(
    new Set(results.stations.map(({ name }) => name)),
    new Set(stations.map(({ name }) => name)),
  );
  assert.equal(readBody(held).total, 2);
});

test("a page of stations without counts, larger than a pooled buffer, is whole too", () => {
  const stations = Array.from({ length: 900 }, (_, i) => aStation(`${"ü".repeat(60)}${i}`));
  const plan = { ...PLAN, nearby_limit_max: 1000 };
  const large = answer({ plan, limit: 1000 }, [aShard({ stations, statuses: null })]);
  assert.ok(large.body.length > 512 * 1024);
  assert.equal(readBody(large).results.stations.length, 900);
});

test("GeoJSON and debug answers hold no pooled buffer: releasing them lends nothing twice", () => {
  const geojson = answer({ format: "geojson" });
  const debug = answer({ debug: true });
  const plain = answer();
  geojson.release();
  debug.release();
  const next = answer();
  assert.ok(bytesOf(next).buffer !== bytesOf(plain).buffer);
  plain.release();
  next.release();
});
