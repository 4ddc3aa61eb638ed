/** An answer of ask_here is short whatever the names of things are, and says what it leaves out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ASK_BYTES } from "#api/agent-ask.ts";
import { readWish, type Wish } from "#core/wishes/read-wish.ts";
import { sizeAtPlace } from "#mcp/brief.ts";
import type { Candidate, Found } from "#mcp/tools/ask-found.ts";
import type { Chosen } from "#mcp/tools/ask-pairs.ts";
import { shrink, toAnswers, toAttribution } from "#mcp/tools/ask-shown.ts";

const NOW_MS = Date.parse("2026-11-28T09:00:00Z");
const AT = "2026-11-28T09:30:00Z";

function wishOf(text: string): Wish {
  const read = readWish(text);
  return read.ok ? read.wish : assert.fail(read.message);
}

function candidate(
  name: string,
  lacks: readonly string[],
  { source, departs }: { source: string; departs: boolean },
): Candidate {
  return {
    ...{ id: "svc_transport_station_gigt6kmpjizqdrrpr3tg", name, lacks },
    ...{ location: { lat: 48.8566123, lon: 2.3522123 }, distance_m: 123.4, walk: null },
    facts: departs
      ? { line: name, toward: name, departs_at: AT, leave: "in 3 min" }
      : { count: 12 },
    ...{ price: name, true_until: AT, observed_at: AT, sources: [source] },
  };
}

function chosenOf(name: string, index: number): Chosen {
  const departs = index === 0;
  const candidates = [
    candidate(name, ["hours"], { source: `may_${index}`, departs }),
    candidate(name, [], { source: `known_${index}`, departs }),
  ];
  const found = { within_m: 5_000, candidates, failed: false, message: name } as unknown as Found;
  return { found, pick: null, pair: { wish: 0, meters: 400, walk_minutes: 5.1 } };
}

const TEXTS = ["tram>Gare:last", "toilet:open~400m", "charger:Type2:free", "bike", "aed", "water"];

function answerOf(name: string, texts = TEXTS) {
  const rows = toAnswers(
    texts.map(wishOf),
    texts.map((_, index) => chosenOf(name, index)),
    NOW_MS,
  );
  const termsOf = (id: string) => ({ provider: id, attribution: `${id} ${name}`, licence: null });
  return shrink(rows, (left) => ({
    ...{ status: "success", query_origin: { lat: 48.856612, lon: 2.352212 } },
    ...{ local_time: AT, weekday: "Saturday", time_zone: "Europe/Paris", untrusted_text: true },
    answers: left.map(({ shown }) => shown),
    units: 12,
    freshness: { answered_at: AT, valid_for_s: null },
    attribution: toAttribution(left, termsOf as never),
  }));
}

test("an answer is within its bound whatever the names are", () => {
  for (const name of [
    "Gare",
    "Rue ".repeat(40),
    "東京駅前".repeat(60),
    '"\\"'.repeat(80),
    "🚲".repeat(200),
  ]) {
    const answer = answerOf(name);
    assert.ok(
      sizeAtPlace(answer) <= ASK_BYTES,
      `${sizeAtPlace(answer)} bytes of ${name.slice(0, 8)}`,
    );
    assert.equal(answer.answers.length, TEXTS.length);
    assert.ok(answer.answers[0]!.known, name);
    for (const { known, message } of answer.answers)
      assert.ok(known ?? message?.includes("ask for it alone"));
  }
});

test("what may fit goes before what is known, and is then not credited", () => {
  const { answers, attribution } = answerOf("Gare", TEXTS.slice(0, 4));
  assert.ok(answers.every(({ known }) => known !== undefined));
  assert.ok(answers.some(({ unknown }) => unknown) && !answers[3]!.unknown);
  const shown = answers.flatMap(({ unknown }, index) => (unknown ? [`may_${index} Gare`] : []));
  const known = answers.map((_, index) => `known_${index} Gare`);
  assert.deepEqual([...attribution].toSorted(), [...known, ...shown].toSorted());
});
