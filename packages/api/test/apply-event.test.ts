/** What a reader of a stream knows after any events is what the server had. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEvent } from "../client/apply-event.ts";
import type { LiveEvent } from "../client/live-event.ts";
import type { LiveItemValue, LiveSourceValue } from "../live.ts";

const AT = "2026-11-28T09:30:31Z";

const toItem = (id: string, vehicles: number): LiveItemValue => ({
  ...{ id, kind: "station", location: { lat: 1, lon: 2 }, modes: ["bicycle"], network_id: "n" },
  ...{ state: "operational", pickup: "available_now", vehicles },
});
const toSource = (source_id: string, state: LiveSourceValue["state"]): LiveSourceValue => ({
  ...{ source_id, network: null, color: null, state, as_of: AT },
});

type World = ReadonlyMap<string, number>;

/** What the service sends for two moments. */
function toDelta(before: World, now: World): LiveEvent {
  const items = [...now].map(([id, vehicles]) => toItem(id, vehicles));
  const body = {
    at: AT,
    entered: items.filter(({ id }) => !before.has(id)),
    changed: items.filter(({ id }) => before.has(id) && before.get(id) !== now.get(id)),
    left: [...before.keys()]
      .filter((id) => !now.has(id))
      .map((id) => ({ id, reason: "gone" as const })),
  };
  return { kind: "delta", id: "i.s.1", body };
}

const toSnapshot = (now: World): LiveEvent => ({
  kind: "snapshot",
  id: "i.s.1",
  body: {
    at: AT,
    bbox: [0, 0, 1, 1],
    items: [...now].map(([id, n]) => toItem(id, n)),
    sources: [],
  },
});

test("after any snapshots and changes the items are those of the box", () => {
  const world = fc
    .array(fc.tuple(fc.constantFrom("a", "b", "c", "d", "__proto__"), fc.nat(2)), { maxLength: 5 })
    .map((rows) => new Map(rows));
  const steps = fc.array(fc.tuple(world, fc.boolean()), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(steps, (moments) => {
      const items = new Map<string, LiveItemValue>();
      let before: World | null = null;
      for (const [now, is_again] of moments) {
        applyEvent(items, before === null || is_again ? toSnapshot(now) : toDelta(before, now));
        const expected = new Map([...now].map(([id, n]) => [id, toItem(id, n)]));
        assert.deepEqual(items, expected);
        before = now;
      }
    }),
  );
});

test("sources follow every event that names them, and other events change nothing", () => {
  const items = new Map([["a", toItem("a", 1)]]);
  const sources = new Map([["gone", toSource("gone", "fresh")]]);
  const states = () => [...sources].map(([id, { state }]) => `${id} ${state}`).sort();
  const [a, b] = [toSource("a", "fresh"), toSource("b", "waiting")];
  const snapshot = { at: AT, bbox: [0, 0, 1, 1], items: [], sources: [a, b] };
  applyEvent(items, { kind: "snapshot", id: "", body: snapshot }, sources);
  assert.deepEqual(states(), ["a fresh", "b waiting"]);
  applyEvent(items, { kind: "status", body: { at: AT, sources: [toSource("b", "old")] } }, sources);
  assert.deepEqual(states(), ["a fresh", "b old"]);
  const delta = { at: AT, entered: [toItem("z", 1)], changed: [], left: [] };
  const lost = { ...delta, sources: [toSource("a", "lost")] };
  applyEvent(items, { kind: "delta", id: "", body: lost }, sources);
  applyEvent(items, { kind: "delta", id: "", body: delta }, sources);
  applyEvent(
    items,
    { kind: "bye", body: { reason: "time", message: "", retry_after_s: 0 } },
    sources,
  );
  applyEvent(items, { kind: "refused", status: 400, code: "x", message: "" }, sources);
  assert.deepEqual(states(), ["a lost", "b old"]);
  assert.deepEqual([...items.keys()], ["z"]);
});
