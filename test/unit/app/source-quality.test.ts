/** The quality of a source: 30 days with a restart in between, and what is unknown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { QUALITY_EXAMPLE } from "#api/quality-example.ts";
import { SourceQualityBody } from "#api/quality.ts";
import type { SourceItem } from "#app/answer-types.ts";
import { createReadQuality } from "#app/quality-reply.ts";
import { openSourceHistory } from "#app/source-history.ts";
import { openSourceQuality } from "#app/source-quality.ts";
import type { KeptDocuments } from "#core/kept-documents.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createMemoryDocuments } from "../../support/memory-documents.ts";

const START_MS = Date.UTC(2026, 9, 15, 12);
const DAY_MS = 86_400_000;
const OK = { status: "ok", reason: null } as const;
const SLOW = { status: "timeout", reason: "deadline" } as const;
const ITEM: SourceItem = { ...QUALITY_EXAMPLE.source, id: "a" };

const ajv = new Ajv2020({ strict: true, keywords: ["x-stability"] });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
const isBody = ajv.compile(SourceQualityBody);

async function open(kept = new Map<string, KeptDocuments>(), start_ms = START_MS) {
  const clock = createManualClock(start_ms);
  const unkept: number[] = [];
  const documents = createMemoryDocuments(kept);
  const deps = { clock, documents, onUnkept: () => unkept.push(clock.now()) };
  const [history, quality] = [await openSourceHistory(deps), await openSourceQuality(deps)];
  const findSource = (id: string): SourceItem | null => (id === "a" ? ITEM : null);
  const read = createReadQuality({ findSource, history, quality, now: clock.now });
  const close = async (): Promise<void> =>
    void (await Promise.all([history.close(), quality.close()]));
  const reply = () => {
    const body = read("a");
    assert.ok(isBody(body), JSON.stringify(isBody.errors));
    return body;
  };
  return { clock, history, quality, read, reply, close, kept, unkept, documents };
}

test("of a source that was never asked nothing is known, and it says so; of another id there is nothing", async () => {
  const { reply, read } = await open();
  const { requested, last_24_hours: day, last_30_days: month, ...rest } = reply();
  assert.deepEqual(
    [requested, rest.dropped, rest.repaired, rest.contradictions],
    [false, null, null, null],
  );
  assert.deepEqual(
    [rest.last_reading_at, day.availability, month.availability],
    [null, null, null],
  );
  assert.deepEqual(
    [day.age, month.age, day.slots.length, month.slots.length],
    [null, null, 96, 30],
  );
  assert.ok([...day.slots, ...month.slots].every((slot) => slot === null));
  assert.deepEqual(
    [day.from, month.from],
    ["2026-10-14T12:15:00.000Z", "2026-09-16T00:00:00.000Z"],
  );
  assert.equal(read("b"), null);
});

test("availability and ages of 24 hours and 30 days are kept over restarts, and end with their time", async () => {
  let site = await open();
  for (let day = 0; day < 33; day++) {
    for (const ended of [OK, OK, SLOW, OK]) site.history.note("a", ended);
    site.history.note("a", { status: "timeout", reason: "aborted" });
    const dropped = day < 2 ? [{ reason: "id_missing", count: 2, examples: ["#1"] }] : [];
    site.quality.note("a", { part: "station_status", dropped });
    await site.close();
    site = await open(site.kept, START_MS + (day + 1) * DAY_MS);
  }
  const { requested, last_24_hours: day, last_30_days: month, dropped } = site.reply();
  assert.ok(requested);
  // The last readings were a day ago: the slot of that time has just gone.
  assert.deepEqual([day.attempts, day.availability], [0, null]);
  assert.deepEqual([month.attempts, month.failures, month.availability], [29 * 4, 29, 0.75]);
  assert.deepEqual(month.slots.filter((slot) => slot === null).length, 1);
  assert.deepEqual(
    dropped!.map(({ reason, current, readings }) => [reason, current, readings]),
    [],
  );
  assert.equal(site.reply().last_reading_at, new Date(START_MS + 32 * DAY_MS).toISOString());
});

test("looks at the age count every quarter of an hour among those of the day", async () => {
  const { clock, history, reply } = await open();
  let age_s = 20;
  history.follow(() => [{ ...ITEM, age_s }]);
  for (let n = 0; n < 3; n++) await clock.advance(300_000);
  age_s = 3_000;
  for (let n = 0; n < 3; n++) await clock.advance(300_000);
  const { last_24_hours: day, last_30_days: month } = reply();
  assert.deepEqual(day.age, { p50_s: 3_000, p99_s: 3_000, max_s: 3_000 });
  assert.deepEqual(month.age, { p50_s: 30, p99_s: 3_000, max_s: 3_000 });
});

test("what is kept in another form is left, and a store that cannot be written is reported", async () => {
  const site = await open();
  site.quality.note("a", {
    part: null,
    dropped: [{ reason: "x_missing", count: 1, examples: ["é"] }],
  });
  await site.close();
  const document = site.kept.get("source_quality")!;
  assert.equal((await open(site.kept)).reply().dropped!.length, 1);
  const encode = (value: unknown): Uint8Array[] => [
    new TextEncoder().encode(JSON.stringify(value)),
  ];
  for (const change of [
    { origin: "source quality 0" },
    { bodies: [] },
    { bodies: encode([["a", { last_ms: 1, findings: [{ reason: 3 }] }]]) },
    { bodies: encode({}) },
  ]) {
    site.kept.set("source_quality", { ...document, ...change });
    assert.equal((await open(site.kept)).reply().dropped, null);
  }
  const full = await open();
  full.documents.write = () => Promise.resolve(false);
  await full.close();
  assert.equal(full.unkept.length, 2);
});
