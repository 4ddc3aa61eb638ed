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

test("what is gone, of another day, or goes where one wants says so", async () => {
  const { local_time } = EXAMPLE;
  assert.ok(local_time!.startsWith(KNOWN.planned_at!.slice(0, 10)));
  const [gone, later, going] = await print(
    { departed: true },
    { planned_at: `2031-01-02${KNOWN.planned_at!.slice(10)}` },
    { toward: { name: "Docks", planned_at: KNOWN.planned_at } },
  );
  assert.match(gone!, /^ *10:34 +gone /);
  assert.match(later!, /^2031-01-02 10:34 /);
  assert.match(going!, / Belvédère, Docks at 10:34 /);
});

test("a station is asked for by its id, without the options of a coordinate", async () => {
  const { success } = DEPARTURE_OPERATIONS[1];
  const body = success.content["application/json"].examples.success;
  const id = "svc_transport_station_4q7x2m9k5c1v8b3n6w0j";
  const requested: Request[] = [];
  const fetch = answering([body], { requested });
  const { code, out } = await run(["departures", id, "--last", "--toward", "Docks"], { fetch });
  assert.equal(code, 0);
  assert.match(requested[0]!.url, new RegExp(`/v1/departures/${id}\\?.*last=true.*toward=Docks`));
  assert.match(out, / at 48\.\d+, 2\.\d+\n/);
  const { code: wrong, err } = await run(["departures", id, "--radius", "300"], { fetch });
  assert.equal(wrong, 2);
  assert.match(err, /--radius is of a coordinate/);
});
