/**
 * The first and last departures of a service day, over real sockets, held against the simulator's truth
 * (GET /__sandbox/truth/departures): across midnight, in the night itself and when clocks change.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { describe, test } from "node:test";
import type { DeparturesBodyValue } from "#api/departures.ts";
import { distance_m } from "#kit/geo.ts";
import { sized } from "../../support/size.ts";
import { alignTo, askTruth, type At, type Pair, type True } from "./departures-support.ts";
import { advance, type Client, serviceFor } from "./support.ts";

const SEED = randomInt(2 ** 32);
/** A key, headways, one feed without live data, south of the equator, one address for all files. */
const CITIES = sized("berlin,mexico-city,tokyo,sydney", "all");
const RADIUS_M = 400;
const HOUR_MS = 3_600_000;

/** Days on which clocks change in Berlin or Sydney, and the days before. */
const CHANGES = [
  "2027-03-27",
  "2027-03-28",
  "2027-04-03",
  "2027-04-04",
  "2027-10-02",
  "2027-10-30",
];

type Edge = "first" | "last";
type Wish = { edge: Edge; at?: string; toward?: string };

async function ask(client: Client, { service }: Pair, at: At, { edge, ...wish }: Wish) {
  const point = { lat: String(at.lat), lon: String(at.lon), radius: String(RADIUS_M) };
  const query = new URLSearchParams({ ...point, ...wish, [edge]: "true", limit: "100" });
  return client.json<DeparturesBodyValue>(
    `${service.url}/v1/departures/nearby?${query.toString()}`,
  );
}

/** What the feeds list of the service day that begins at four, and of its runs after that. */
async function listDay(client: Client, pair: Pair, at: At, from_ms: number): Promise<True[]> {
  const at_text = { lat: String(at.lat), lon: String(at.lon), radius: String(RADIUS_M) };
  const parts = [0, 12, 24].map((hours) => {
    const [from, to] = [from_ms + hours * HOUR_MS, from_ms + (hours + 12) * HOUR_MS];
    const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    return askTruth(client, pair, { ...at_text, ...window });
  });
  return (await Promise.all(parts)).flat();
}

const timeOf = ({ planned_at, expected_at }: True): number =>
  Date.parse(expected_at ?? planned_at ?? "");

/** By hand: one of each line and headsign, at the nearest station, of what takes place. */
function pick(
  rows: readonly True[],
  at: At,
  { edge, date, from_ms }: { edge: Edge; date: string; from_ms: number },
) {
  const next = new Date(Date.parse(date) + 24 * HOUR_MS).toISOString().slice(0, 10);
  const end_ms = from_ms + 24 * HOUR_MS;
  const isOfDay = (row: True): boolean => {
    const time = row.planned_at === null ? timeOf(row) : Date.parse(row.planned_at);
    const service_date = row.sources[0]!.service_date;
    // Clocks may change before four: then the next day begins an hour earlier or later.
    return service_date === date ? time >= from_ms : service_date === next && time < end_ms;
  };
  const away = ({ station }: True): number =>
    distance_m(at.lat, at.lon, station.location.lat, station.location.lon);
  const groups = Map.groupBy(
    rows.filter((row) => !["cancelled", "skipped"].includes(row.status) && isOfDay(row)),
    ({ line, headsign }) =>
      JSON.stringify([line.mode, line.short_name || line.long_name, headsign]),
  );
  return [...groups].map(([key, own]) => {
    const least = Math.min(...own.map(away));
    const here = own.filter((row) => away(row) === least).map(timeOf);
    const time = edge === "first" ? Math.min(...here) : Math.max(...here);
    return `${key} ${new Date(time).toISOString()}`;
  });
}

function toRows({ results }: DeparturesBodyValue): string[] {
  return results.departures.map(({ line, headsign, planned_at, expected_at }) => {
    const key = JSON.stringify([line.mode, line.short_name ?? line.long_name, headsign]);
    return `${key} ${new Date(expected_at ?? planned_at!).toISOString()}`;
  });
}

describe(`first and last departures, seed ${SEED}`, () => {
  const served = serviceFor({ cities: CITIES, variables: { SANDBOX_SEED: String(SEED) } });

  test("of every line and direction they are those of the truth, whenever they are asked for", async (t) => {
    const { client, started } = served;
    const pair = { service: started.service, sandbox: started.service.sandbox! };
    let compared = 0;
    let beyond = 0;
    const compare = async (at: At, wish: Wish, what: string): Promise<void> => {
      const body = await ask(client, pair, at, wish);
      assert.match(body.window.from, /T04:00:00/, what);
      const from_ms = Date.parse(body.window.from);
      const rows = await listDay(client, pair, at, from_ms);
      const date = body.window.from.slice(0, 10);
      const wanted = pick(rows, at, { edge: wish.edge, date, from_ms });
      assert.deepEqual(toRows(body).toSorted(), wanted.toSorted(), `${what}, seed ${SEED}`);
      compared += wanted.length;
      beyond += body.results.departures.filter(
        ({ planned_at }) => planned_at !== null && planned_at.slice(0, 10) !== date,
      ).length;
    };
    // From Tuesday morning to its night, and the night before a Sunday.
    for (const hours of [0, 11, 4, 3, 90]) {
      await advance(client, pair.sandbox.url, hours * 3600);
      for (const city of pair.sandbox.cities()) {
        await alignTo(client, pair);
        await compare(city, { edge: "last" }, `${city.name}, last, ${hours} h later`);
      }
    }
    for (const date of CHANGES)
      for (const city of pair.sandbox.cities())
        for (const edge of ["first", "last"] as const)
          await compare(city, { edge, at: `${date}T15:00` }, `${city.name}, ${edge} of ${date}`);
    t.diagnostic(`seed ${SEED}: ${compared} compared, ${beyond} after midnight`);
    assert.ok(compared > 100 && beyond > 20, `${compared} compared, ${beyond} after midnight`);
  });
});
