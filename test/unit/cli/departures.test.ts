/** `vicinity departures`: the board. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DEPARTURE_OPERATIONS, type DeparturesBodyValue } from "#api/departures.ts";
import { answering, run } from "./support.ts";

type Departure = DeparturesBodyValue["results"]["departures"][number];
const { examples } = DEPARTURE_OPERATIONS[0].success.content["application/json"];
const EXAMPLE = examples.success as unknown as DeparturesBodyValue;
const [KNOWN] = EXAMPLE.results.departures as [Departure];

/** The lines of the board, without its head. */
async function print(...departures: Partial<Departure>[]): Promise<string[]> {
  const results = { departures: departures.map((one) => ({ ...KNOWN, ...one })), alerts: [] };
  const body = { ...EXAMPLE, total: departures.length, results };
  const { out } = await run(["departures", "48.8566,2.3522"], { fetch: answering([body]) });
  return out.trimEnd().split("\n").slice(-departures.length);
}

test("what is not known is a dash or a time alone, never on time", async () => {
  const [late, punctual, unplanned, silent] = await print(
    {},
    { delay_seconds: 10 },
    { delay_seconds: null },
    { delay_seconds: null, expected_at: null, realtime: "unknown", headsign: null },
  );
  assert.match(late!, /^10:34 +10:36 \(\+3\) +4 +Belvédère/);
  assert.match(punctual!, /^10:34 +on time +4/);
  assert.match(unplanned!, /^10:34 +10:36 +4/);
  assert.match(silent!, /^10:34 +– +4 +– /);
});

test("a vehicle that goes on as another line says so", async () => {
  const line = { ...KNOWN.line, short_name: "12" };
  const [match, plain] = await print(
    { continues_as: { line, headsign: "Docks" } },
    { continues_as: { line, headsign: null } },
  );
  assert.match(match!, / Belvédère, then 12 Docks {2}/);
  assert.match(plain!, / Belvédère, then 12 {2}/);
});
