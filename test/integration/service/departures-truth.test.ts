/**
 * Departures as they really are: the timetables of the simulated cities and their live data, over real sockets, held against GET /__sandbox/truth/departures.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { describe, test } from "node:test";
import { sized } from "../../support/size.ts";
import {
  alignTo,
  askBoth,
  assertOrder,
  assertSame,
  type At,
  type Departure,
} from "./departures-support.ts";
import { advance, serviceFor } from "./support.ts";

const SEED = randomInt(2 ** 32);
/** Of the sample: a key, a feed without live data, headways, two feeds of one line, one address for all. */
const CITIES = sized("berlin,mexico-city,cape-town,tokyo,sydney,london", "all");
/** Hours that pass between two questions: a whole day, its night, and the next week. */
const STEPS_H = sized([5, 7, 8], [3, 4, 5, 5, 6, 3, 48, 11, 72]);
const METRES_PER_DEGREE = 111_195;

describe(`departures, seed ${SEED}`, () => {
  const served = serviceFor({
    cities: CITIES,
    variables: { SANDBOX_SEED: String(SEED) },
  });

  test("in calm all of them are answered as they are, day and night", async (t) => {
    const { client, started } = served;
    const { service } = started;
    const pair = { service, sandbox: service.sandbox! };
    const seen = createTally();
    for (const hours of [0, ...STEPS_H]) {
      await advance(client, pair.sandbox.url, hours * 3600);
      for (const city of pair.sandbox.cities()) {
        const minute = await alignTo(client, pair);
        for (const at of pointsOf(city)) {
          const what = `${city.name} ${JSON.stringify(at)} at ${minute}, seed ${SEED}`;
          const both = await askBoth(client, pair, at);
          assert.equal(both.body.status, both.body.total > 0 ? "success" : "empty", what);
          const departures = assertSame(both, minute, what);
          assertOrder(departures);
          seen.add(departures);
        }
        const over_ms = Date.parse(minute) + 59_000;
        assert.ok(pair.sandbox.now() < over_ms, "the minute was over before all was asked");
      }
    }
    t.diagnostic(`seed ${SEED}: ${JSON.stringify(seen.counts)}`);
    seen.check();
  });
});

function pointsOf({ lat, lon }: At): At[] {
  const at = (north_m: number, east_m: number): At => ({
    lat: lat + north_m / METRES_PER_DEGREE,
    lon: wrap(lon + east_m / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180))),
  });
  return [at(0, 0), at(700, 400), at(-300, -900)];
}

const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);

/** What was met: a comparison of nothing shows nothing. */
function createTally() {
  const counts: Record<string, number> = {};
  const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  return {
    counts,
    add(departures: readonly Departure[]): void {
      for (const each of departures) {
        count("all");
        count(each.realtime);
        count(each.status);
        if (each.sources.length > 1) count("merged");
        if (each.headway_seconds !== undefined) count("headways");
        if (each.platform?.live) count("moved");
        if (each.alerts.length > 0) count("with alerts");
        if ((each.delay_seconds ?? 0) > 0) count("late");
        if ((each.delay_seconds ?? 0) < 0) count("early");
        if (each.approximate) count("approximate");
        if (each.continues_as) count("continued");
      }
    },
    check(): void {
      const names = ["live", "unknown", "planned_only", "scheduled", "cancelled", "skipped"];
      for (const name of [
        ...names,
        "added",
        "merged",
        "continued",
        "headways",
        "moved",
        "late",
        "early",
      ])
        assert.ok((counts[name] ?? 0) > 0, `no ${name}: ${JSON.stringify(counts)}`);
    },
  };
}
