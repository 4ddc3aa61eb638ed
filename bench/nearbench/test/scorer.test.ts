/** The scorer: each verdict by answers that are planted, and the questions as data. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Truth } from "../../../trials/agent-tasks/judge.ts";
import { KINDS, LANGUAGES, type FinalAnswer, type Moment, type Question } from "../question.ts";
import { score } from "../scorer.ts";
import { medianOf, toTable } from "../table.ts";
import { readQuestions, readTranscripts, toAnswer } from "../transcript.ts";
import { endOfDay } from "../truth.ts";

const NOW_MS = Date.parse("2026-11-24T21:40:00Z");
const METRE = 1 / 111_195;
const PLACE = { lat: 48.8566, lon: 2.3522, time_zone: "Europe/Paris" };
const north = (metres: number) => ({ lat: PLACE.lat + metres * METRE, lon: PLACE.lon });

const toilet = (metres: number, opening_hours: string | null): Truth => ({
  ...{ kind: "service", service_type: "toilets", name: "", opening_hours },
  ...{ location: north(metres), distance_m: metres },
});
const charger = (metres: number, free: number): Truth => ({
  ...{ kind: "service", service_type: "charging", name: "", opening_hours: "24/7" },
  ...{ location: north(metres), distance_m: metres },
  charging: {
    connectors: [{ standard: "IEC_62196_T2", power_kw: 22 }],
    available_by_standard: { IEC_62196_T2: free },
  },
});
const scooter = (metres: number): Truth => ({
  ...{ kind: "vehicle", mode: "scooter", name: "", available: 1, docked_at: null },
  ...{ form_factor: "scooter_standing", location: north(metres), distance_m: metres },
  price: { currency: "EUR", unlock: 1, per_minute: 0.2 },
});
const tram = (expected_at: string) => ({
  station: { location: north(50) },
  line: { short_name: "T1", long_name: "", mode: "tram" },
  ...{ planned_at: expected_at, expected_at, status: "scheduled" },
});

const momentOf = (parts: Partial<Moment>): Moment => ({
  ...{ now_ms: NOW_MS, things: [], departures: [], ways: new Map() },
  ...parts,
});
const ask = (wishes: Question["wishes"], more: Partial<Question> = {}): Question => ({
  ...{ id: "en-00", language: "en", kind: "hours", text: "", place: PLACE, wishes, wrong: "" },
  ...{ instant: "2026-11-24T21:40:00Z", ...more },
});
const says = (metres: number, more: object = {}): FinalAnswer => ({
  claims: [{ wish: 0, says: "this", sure: true, location: north(metres), ...more }],
});
const open_toilet = ask([{ thing: "service", type: "toilets", radius_m: 1000, open: true }]);
const nearest = ask([{ thing: "service", type: "toilets", radius_m: 1000, nearest: true }]);

describe("verdicts on one wish", () => {
  const moment = momentOf({
    things: [toilet(100, "Mo-Su 08:00-20:00"), toilet(300, null), toilet(500, "24/7")],
  });
  const without = { says: "none" } as const;

  test("what is so is solved, what is false and certain is confidently wrong", () => {
    assert.equal(score(open_toilet, says(500), moment), "solved");
    assert.equal(score(open_toilet, says(100), moment), "confidently_wrong");
    assert.equal(score(open_toilet, says(800), moment), "confidently_wrong");
    assert.equal(score(open_toilet, { claims: [] }, moment), "not_solved");
  });

  test("a reservation saves from that, and does not solve", () => {
    assert.equal(score(open_toilet, says(100, { sure: false }), moment), "not_solved");
    assert.equal(score(open_toilet, says(300, { sure: false }), moment), "honest_unknown");
    assert.equal(score(open_toilet, says(500, { sure: false }), moment), "solved");
  });

  test("hours that no source states are not open for certain", () => {
    assert.equal(score(open_toilet, says(300), moment), "confidently_wrong");
  });

  test("nothing is right where nothing is, and wrong where something is", () => {
    assert.equal(score(open_toilet, says(0, without), momentOf({})), "solved");
    assert.equal(score(open_toilet, says(0, without), moment), "confidently_wrong");
    assert.equal(score(open_toilet, says(0, { ...without, sure: false }), moment), "not_solved");
  });

  test("not to know is honest, and right where no source knows", () => {
    const unknown: FinalAnswer = { claims: [{ wish: 0, says: "unknown", sure: false }] };
    assert.equal(score(open_toilet, unknown, moment), "honest_unknown");
    const alone = momentOf({ things: [toilet(100, "Mo-Su 08:00-20:00"), toilet(300, null)] });
    assert.equal(score(open_toilet, unknown, alone), "solved");
    // One that may fit may be named, and one that does not may not.
    assert.equal(score(open_toilet, says(300, { sure: false }), alone), "solved");
    assert.equal(score(open_toilet, says(100, { sure: false }), alone), "not_solved");
    assert.equal(score(open_toilet, says(300), alone), "confidently_wrong");
  });

  test("the nearest is that by the line or on foot; a farther one is part of an answer", () => {
    assert.equal(score(nearest, says(100), moment), "solved");
    assert.equal(score(nearest, says(500), moment), "partly");
    const ways = new Map([
      [0, 1900],
      [2, 600],
    ]);
    assert.equal(score(nearest, says(500), { ...moment, ways }), "solved");
  });

  test("to ask back where nothing is unclear solves nothing", () => {
    assert.equal(score(nearest, { claims: [], asks: true }, moment), "not_solved");
  });
});

test("a way with steps is no way for who cannot take them", () => {
  const question = ask([{ ...nearest.wishes[0]!, step_free: true }]);
  const moment = momentOf({
    things: [toilet(100, null), toilet(400, null)],
    ways: new Map<number, number | null>([
      [0, null],
      [1, 500],
    ]),
  });
  assert.equal(score(question, says(100), moment), "confidently_wrong");
  assert.equal(score(question, says(400), moment), "solved");
});

test("a price is part of the answer where it is asked, and one that is false is wrong", () => {
  const question = ask([
    { thing: "vehicle", mode: "scooter", radius_m: 400, ride: { minutes: 10, at_most: 3.5 } },
  ]);
  const moment = momentOf({ things: [scooter(50)] });
  assert.equal(score(question, says(50, { price: 3 }), moment), "solved");
  assert.equal(score(question, says(50), moment), "partly");
  assert.equal(score(question, says(50, { price: 2 }), moment), "confidently_wrong");
  const dear = ask([{ ...question.wishes[0]!, ride: { minutes: 60, at_most: 3.5 } }]);
  assert.equal(score(dear, says(50, { price: 13 }), moment), "confidently_wrong");
});

test("wishes that belong together are solved together", () => {
  const question = ask([
    { thing: "service", type: "charging", radius_m: 3000, free: true, connector: "IEC_62196_T2" },
    { ...open_toilet.wishes[0]!, next_to: { wish: 0, within_m: 300 } },
  ]);
  const things = [charger(100, 0), toilet(150, "24/7"), charger(900, 2), toilet(1000, "24/7")];
  const both = (first: number, second: number): FinalAnswer => ({
    claims: [first, second].map((metres, wish) => ({
      ...{ wish, says: "this", sure: true, location: north(metres) },
    })),
  });
  assert.equal(score(question, both(900, 1000), momentOf({ things })), "solved");
  assert.equal(score(question, both(900, 150), momentOf({ things })), "confidently_wrong");
  assert.equal(score(question, both(100, 150), momentOf({ things })), "confidently_wrong");
  assert.equal(score(question, says(900), momentOf({ things })), "partly");
});

describe("departures", () => {
  const departs = (which: "next" | "last") =>
    ask([{ thing: "departure", mode: "tram", radius_m: 500, departs: which }]);
  const at = (time: string) => says(50, { line: "T1", at: time });
  const moment = momentOf({
    departures: ["2026-11-24T21:44:00Z", "2026-11-24T22:44:00Z", "2026-11-25T00:04:00Z"].map(tram),
  });

  test("the next and the last one", () => {
    assert.equal(score(departs("next"), at("2026-11-24T22:44:00+01:00"), moment), "solved");
    assert.equal(score(departs("last"), at("2026-11-25T01:04:00+01:00"), moment), "solved");
    assert.equal(score(departs("next"), at("2026-11-24T22:44:00Z"), moment), "partly");
    assert.equal(score(departs("last"), at("2026-11-24T22:44:00Z"), moment), "confidently_wrong");
    // An hour off: the clock of another place.
    assert.equal(
      score(departs("next"), at("2026-11-24T22:44:00+02:00"), moment),
      "confidently_wrong",
    );
    assert.equal(score(departs("next"), says(0, { says: "none" }), moment), "confidently_wrong");
    assert.equal(score(departs("next"), says(0, { says: "none" }), momentOf({})), "solved");
  });

  test("a cancelled one does not leave", () => {
    const cancelled = { ...tram("2026-11-24T21:42:00Z"), status: "cancelled" };
    const departures = [cancelled, ...moment.departures];
    assert.equal(
      score(departs("next"), at("2026-11-24T21:42:00Z"), { ...moment, departures }),
      "confidently_wrong",
    );
  });

  test("a day of service ends at the next hour at which nothing runs, by the place's clock", () => {
    assert.equal(endOfDay(NOW_MS, "Europe/Paris"), Date.parse("2026-11-25T03:00:00Z"));
    assert.equal(endOfDay(NOW_MS, "Asia/Tokyo"), Date.parse("2026-11-25T19:00:00Z"));
  });
});

test("a name of several things is asked about, never guessed", () => {
  const question = ask([{ thing: "station", mode: "bicycle", radius_m: 400 }], { several: true });
  const moment = momentOf({});
  assert.equal(score(question, { claims: [], asks: true }, moment), "solved");
  assert.equal(score(question, says(50), moment), "confidently_wrong");
  assert.equal(score(question, says(50, { sure: false }), moment), "partly");
  const unknown: FinalAnswer = { claims: [{ wish: 0, says: "unknown", sure: false }] };
  assert.equal(score(question, unknown, moment), "honest_unknown");
  assert.equal(score(question, { claims: [] }, moment), "not_solved");
});

describe("the questions", () => {
  const questions = readQuestions();

  test("there are 200, each once, twenty in each of ten languages", () => {
    assert.equal(questions.length, 200);
    assert.equal(new Set(questions.map(({ id }) => id)).size, 200);
    for (const code of LANGUAGES)
      assert.equal(questions.filter(({ language }) => language === code).length, 20, code);
    for (const kind of KINDS)
      assert.ok(
        questions.some((question) => question.kind === kind),
        kind,
      );
  });

  test("each is whole: a text, a place, an instant, wishes in order and what would be wrong", () => {
    const texts = new Set(questions.map(({ language, text }) => `${language} ${text}`));
    assert.equal(texts.size, 200);
    for (const { id, place, instant, wishes, wrong } of questions) {
      assert.ok(Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180, id);
      assert.ok(!Number.isNaN(Date.parse(instant)) && instant.endsWith("Z"), id);
      assert.ok(wishes.length > 0 && wrong !== "", id);
      for (const [index, { next_to }] of wishes.entries())
        assert.ok(next_to === undefined || next_to.wish < index, id);
    }
  });
});

test("transcripts are read back, and members that are none of an answer are left out", () => {
  const line = { id: "en-01", at: "2026-11-24T10:00:00Z", calls: [{ tool: "a", input: {} }] };
  const answer = { claims: [{ wish: 0, says: "this", location: { lat: 1, lon: 2 }, line: 7 }, 3] };
  const [one] = readTranscripts(`${JSON.stringify({ ...line, tokens: 9, answer })}\n\n`);
  assert.deepEqual(one, {
    ...{ ...line, tokens: 9 },
    answer: { claims: [{ wish: 0, says: "this", sure: true, location: { lat: 1, lon: 2 } }] },
  });
  assert.throws(() => readTranscripts('{"id":"en-01"}'), /line 1: a transcript has id/);
  assert.deepEqual(toAnswer(null), { claims: [] });
});

test("the table counts verdicts, calls and tokens", () => {
  const [question] = readQuestions();
  const rows = [1, 3, 2].map((calls) => ({
    ...{ question: question!, verdict: "solved" as const, calls, tokens: null },
  }));
  const table = toTable(rows);
  assert.match(table, /^\| all \| 3 \| 3 \| 0 \| 0 \| 0 \| 0 \| 2 \| – \|$/m);
  assert.equal(medianOf([]), null);
});
