/** The owner of the history: what it counts, looks at, writes and takes up again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openSourceHistory, type SourceHistory } from "#app/source-history.ts";
import type { SourceItem } from "#app/answer-types.ts";
import type { KeptDocuments } from "#core/kept-documents.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createMemoryDocuments } from "../../support/memory-documents.ts";

const NOON_MS = Date.UTC(2026, 10, 14, 12);
const OK = { status: "ok", reason: null } as const;
const SLOW = { status: "timeout", reason: "deadline" } as const;

function item(id: string, more: Partial<SourceItem> = {}): SourceItem {
  return {
    id,
    name: id,
    kind: "feed",
    operations: [],
    state: "ok",
    licence: null,
    licence_url: null,
    attribution: null,
    attribution_url: null,
    terms: { map: "any" },
    entity_count: null,
    bbox: null,
    areas: null,
    problem: null,
    last_success_at: null,
    age_s: 7,
    error_rate_5m: null,
    ...more,
  };
}

async function open(kept = new Map<string, KeptDocuments>(), start_ms = NOON_MS) {
  const clock = createManualClock(start_ms);
  const unkept: number[] = [];
  const documents = createMemoryDocuments(kept);
  const history = await openSourceHistory({
    clock,
    documents,
    onUnkept: () => unkept.push(clock.now()),
  });
  return { clock, history, kept, unkept, documents };
}

function slotsOf(history: SourceHistory, id: string, most = 10) {
  return history.addTo([item(id)], most)[0]!.history ?? null;
}

test("attempts are counted when they end; those that we called off are not", async () => {
  const { history } = await open();
  for (const ended of [OK, SLOW, OK, { status: "timeout", reason: "aborted" } as const])
    history.note("a", ended);
  const { step_s, from, slots } = slotsOf(history, "a")!;
  assert.deepEqual([step_s, from, slots.length], [900, "2026-11-13T12:15:00Z", 96]);
  assert.deepEqual(slots.at(-1), { attempts: 3, failures: 1, state: "timeout", age_s: null });
  assert.ok(slots.slice(0, -1).every((slot) => slot === null));
});

test("states and ages are looked at every five minutes; an idle source has no age, and none before its first attempt", async () => {
  const { clock, history } = await open();
  const unread = { word: "unreachable", reason: "not_loaded", message: "…" } as const;
  let age_s = 40;
  history.follow(() => [
    item("live", { age_s }),
    item("asleep", { state: "idle", age_s: 9_000 }),
    item("unread", { state: "unavailable", problem: unread, age_s: null }),
  ]);
  age_s = 70;
  await clock.advance(300_000);
  age_s = 20;
  await clock.advance(300_000);
  const seen = { attempts: 0, failures: 0, state: "ok", age_s: 70 };
  assert.deepEqual(slotsOf(history, "live")!.slots.at(-1), seen);
  // Nothing but idle: it was not asked.
  assert.equal(slotsOf(history, "asleep"), null);
  assert.equal(slotsOf(history, "unread"), null);
  history.note("asleep", OK);
  assert.deepEqual(slotsOf(history, "asleep")!.slots.at(-1), {
    attempts: 1,
    failures: 0,
    state: "ok",
    age_s: null,
  });
});

test("a restart keeps what was written every five minutes, and all of it where it was closed", async () => {
  const { clock, history, kept } = await open();
  history.follow(() => [item("a")]);
  history.note("a", SLOW);
  await clock.advance(300_000);
  history.note("a", OK);
  const crashed = await open(kept, NOON_MS + 1_200_000);
  const after = slotsOf(crashed.history, "a")!.slots;
  assert.deepEqual(after.slice(-2), [
    { attempts: 1, failures: 1, state: "timeout", age_s: 7 },
    null,
  ]);
  await history.close();
  const { history: again } = await open(kept, NOON_MS + 1_200_000);
  assert.equal(slotsOf(again, "a")!.slots.at(-2)?.attempts, 2);
  const late = await open(kept, NOON_MS + 26 * 3_600_000);
  assert.equal(slotsOf(late.history, "a"), null);
});

test("what is kept in another form is left, and a store that cannot be written is reported", async () => {
  const { history, kept } = await open();
  history.note("a", OK);
  await history.close();
  const document = kept.get("source_history")!;
  kept.set("source_history", { ...document, origin: "another" });
  assert.equal(slotsOf((await open(kept)).history, "a"), null);
  kept.set("source_history", { ...document, bodies: document.bodies.slice(1) });
  assert.equal(slotsOf((await open(kept)).history, "a"), null);
  const full = await open();
  full.documents.write = () => Promise.resolve(false);
  await full.history.close();
  assert.deepEqual(full.unkept, [NOON_MS]);
});

test("of more sources than one answer may have with their history, those asked most have it", async () => {
  const { history } = await open();
  for (const [id, times] of Object.entries({ a: 1, b: 3, c: 2 }))
    for (let i = 0; i < times; i++) history.note(id, OK);
  const items = ["a", "b", "c", "d"].map((id) => item(id));
  const withHistory = history.addTo(items, 2).filter((each) => each.history !== null);
  assert.deepEqual(
    withHistory.map(({ id }) => id),
    ["b", "c"],
  );
  assert.ok(items.every((each) => each.history === undefined));
});
