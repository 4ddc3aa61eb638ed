/** Which bases a question is asked of, and that no answer of one holds what was of another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askBases } from "#app/places/base-geocoding.ts";
import type { GeocodingBase } from "#ports/geocoding-base.ts";
import { readQuestion } from "#osm/geocoder/fold-words.ts";
import { createGeocodingBudget } from "#osm/geocoder/forward.ts";
import type { Geocoder } from "#osm/geocoder/geocoder.ts";
import { makeQuery } from "#osm/geocoder/geocode-query.ts";
import { bestMeanings, createScratch, retrieve, statisticsOf } from "#osm/geocoder/retrieve.ts";
import { weighWords } from "#osm/geocoder/word-statistics.ts";
import type { Candidate } from "#osm/geocoder/candidate.ts";
import type { LookupReply } from "#upstream/lookup/ask-source.ts";
import { oneGeocoder } from "../../support/geocoding-bases.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { aHouse, askFor, COUNTRY, geocoderOf, shown, viewOf } from "../../support/geocoder.ts";

const HERE = { lat: 47.15, lon: 9.05 };
const CALL = { signal: new AbortController().signal, keyed: false, freshness: null } as const;
const NEVER: Geocoder = {
  geocode: () => assert.fail("asked"),
  search: () => assert.fail("asked"),
  reverse: () => assert.fail("asked"),
  around: () => assert.fail("asked"),
};

function aBase(id: string, geocoder: Geocoder, covered = true): GeocodingBase {
  const statement = { id, data_at: null, licence: "ODbL-1.0", attribution: "©" };
  return { statement, ...oneGeocoder(geocoder), covers: () => covered };
}

function desk(bases: GeocodingBase[], gazetteer: GeocodingBase | null = null, pending = false) {
  const clock = createManualClock(0);
  const input = { list: () => bases, gazetteer: () => gazetteer, isPending: () => pending, clock };
  return askBases(input);
}

const forward = (q: string) => ({ q, language: null, country: null, near: null });
const labels = (reply: LookupReply<Candidate[]>): string[] =>
  reply.status === "ok" ? reply.stored.value.map(({ label }) => label) : [reply.reason];

test("without a base and a gazetteer nothing is configured; a point outside is not covered", async () => {
  assert.deepEqual(labels(await desk([]).geocode(forward("Oberwil"), CALL)), ["not_configured"]);
  const outside = desk([aBase("a", NEVER, false)]);
  const reply = await outside.reverse({ ...HERE, language: null }, CALL);
  assert.deepEqual(labels(reply), ["no_coverage"]);
});

test("nothing found is no empty list while the gazetteer is still being made", async () => {
  const base = aBase("a", geocoderOf(COUNTRY));
  const waiting = desk([base], null, true);
  assert.deepEqual(labels(await waiting.geocode(forward("Xyzzy"), CALL)), ["not_loaded"]);
  assert.deepEqual(labels(await desk([], null, true).geocode(forward("Lyon"), CALL)), [
    "not_loaded",
  ]);
  // What a base has is shown, and that a town elsewhere may be meant.
  const early = await waiting.geocode(forward("Oberwil"), CALL);
  assert.ok(labels(early)[0]?.startsWith("Oberwil"));
  assert.ok(early.status === "ok" && early.stored.partial === true);
  assert.match(early.stored.notices?.[0] ?? "", /still being read/);
  assert.deepEqual(labels(await desk([base]).geocode(forward("Xyzzy"), CALL)), []);
});

test("where a base covers the point the gazetteer is not asked", async () => {
  const base = aBase("a", geocoderOf(COUNTRY));
  const reply = await desk([base], aBase("world", NEVER)).reverse(
    { ...HERE, language: null },
    CALL,
  );
  assert.equal(reply.status === "ok" && reply.stored.value[0]?.base?.id, "a");
});

test("of two bases that cover a point, the one with the nearest address answers", async () => {
  const far = aBase("far", geocoderOf([aHouse(1, [47.1504, 9.05], "Weg", "1")]));
  const near = aBase("near", geocoderOf([aHouse(2, [47.1501, 9.05], "Weg", "2")]));
  for (const bases of [
    [far, near],
    [near, far],
  ]) {
    const reply = await desk(bases).reverse({ ...HERE, language: null }, CALL);
    const value = reply.status === "ok" ? reply.stored.value : [];
    assert.deepEqual([...new Set(value.map(({ base }) => base?.id))], ["near"]);
  }
});

const QUESTIONS = [
  ...["Bahnhofstrasse 3, Unterwil", "Bahnhofstrasse 6, 1001 Oberwil", "Oberwil", "215-12 91st Ave"],
  ...["Göttinger Straße 7a", "Bahnhof", "nothing of the kind", "Rue St Jean", "1001"],
];

test("questions at once, and one after another, are answered as by a geocoder of their own", async () => {
  const alone = QUESTIONS.map((q) => shown(geocoderOf(COUNTRY).geocode(askFor(q))));
  const shared = geocoderOf(COUNTRY);
  const ask = desk([aBase("a", shared)]);
  const many = Array.from({ length: 40 }, (_, n) => (n * 7) % QUESTIONS.length);
  const replies = await Promise.all(many.map((n) => ask.geocode(forward(QUESTIONS[n]!), CALL)));
  for (const [i, n] of many.entries())
    assert.deepEqual(
      labels(replies[i]!),
      alone[n]!.map((text) => text.replace(/ \[\w+\]$/, "")),
      QUESTIONS[n]!,
    );
});

test("a question that fails half way leaves nothing for the next one", () => {
  const view = viewOf(COUNTRY);
  const scratch = createScratch(view);
  const budget = createGeocodingBudget();
  const words = readQuestion("Bahnhofstrasse Unterwil", 16);
  const query = makeQuery(words, view.terms, { prefix: false, budget });
  const best = bestMeanings(view, query, statisticsOf(view));
  const weights = weighWords(words, best, view.docs.count);
  const keep = (): boolean => {
    assert.ok(scratch.masks.some((mask) => mask !== 0));
    throw new Error("planted");
  };
  assert.throws(
    () => retrieve(view, query, scratch, { near: null, weights, budget, keep }),
    /planted/,
  );
  for (const column of Object.values(scratch)) assert.ok(column.every((each) => each === 0));
});

test("a question whose time is up is an outcome, and no defect", async () => {
  const late = { ...CALL, signal: AbortSignal.abort(new Error("DEADLINE")) };
  const { geocode, reverse } = desk([aBase("a", NEVER)]);
  assert.deepEqual(labels(await geocode(forward("Oberwil"), late)), ["deadline"]);
  assert.deepEqual(labels(await reverse({ ...HERE, language: null }, late)), ["deadline"]);
});
