// Departures of Navitia, Transitland and MOTIS as the simulator speaks them: what is odd of each.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Sandbox } from "../../../sandbox/main.ts";
import { start } from "./reader.ts";

type Body = Record<string, any>;
type Answer = { status: number; body: Body };

async function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, { headers });
  return { status: response.status, body: (await response.json()) as Body };
}

describe("boards", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await start();
  });
  after(() => sandbox.close());
  const from = (): string => new Date(sandbox.now()).toISOString().replaceAll(/[-:]|\.\d+/g, "");

  const navitia = (path: string): Promise<Answer> => {
    const { url, token } = sandbox.upstreams()["navitia"]!;
    return get(`${url}${path}`, { authorization: token! });
  };
  const paris = "2.3522;48.8566";

  test("Navitia: clocks of the region, base times, and no run that does not take place", async () => {
    const { status, body } = await navitia(
      `/coverage/${paris}/coords/${paris}/departures?distance=900&count=200&from_datetime=${from()}`,
    );
    assert.equal(status, 200);
    assert.equal(body["context"].timezone, "Europe/Paris");
    const times = body["departures"].map((each: Body) => each["stop_date_time"]) as Body[];
    assert.ok(times.length > 50);
    for (const each of times) assert.match(each["departure_date_time"], /^\d{8}T\d{6}$/);
    const listed = times.map((each) => each["departure_date_time"] as string);
    assert.deepEqual(listed, listed.toSorted());
    const kinds = new Set(times.map((each) => each["data_freshness"]));
    assert.deepEqual(kinds, new Set(["base_schedule", "realtime"]));
    for (const each of times)
      if (each["data_freshness"] === "base_schedule")
        assert.equal(each["departure_date_time"], each["base_departure_date_time"]);
  });

  test("Transitland: platforms are children, and each has its own list", async () => {
    const { url, api_key } = sandbox.upstreams()["transitland"]!;
    const ask = (path: string): Promise<Answer> => get(`${url}${path}`, { apikey: api_key! });
    const { body: listed } = await ask("/stops?bbox=2.33,48.84,2.37,48.87&location_type=1&limit=5");
    const [station] = listed["stops"] as Body[];
    const key = `${station!["feed_version"].feed.onestop_id}:${station!["stop_id"]}`;
    const path = (id: string) => `/stops/${encodeURIComponent(id)}/departures?next=7200&limit=2`;
    const { body } = await ask(path(key));
    const [match, ...more] = body["stops"] as Body[];
    assert.deepEqual([match!["id"], match!["departures"], more], [station!["id"], [], []]);
    const lists = match!["children"].map((child: Body) => child["departures"]) as Body[][];
    assert.ok(lists.some(({ length }) => length === 2));
    for (const call of lists.flat())
      assert.equal(
        call["schedule_relationship"] === "STATIC",
        call["departure"].estimated_utc === null && call["trip"].timestamp === null,
      );
    assert.equal((await ask(path(String(station!["id"])))).body["stops"].length, 1);
    assert.deepEqual((await ask(path("f-no:1"))).body["stops"], []);
  });

  test("MOTIS: the next ones to the end of a minute; fewer than 256", async () => {
    const { url } = sandbox.upstreams()["motis_stops"]!;
    const ask = (query: string): Promise<Answer> => get(`${url}/api/v6/stoptimes?${query}`);
    const circle = "center=52.52,13.405&radius=900";
    const { body } = await ask(`${circle}&n=20`);
    const rows = body["stopTimes"] as Body[];
    assert.ok(rows.length >= 20);
    const times = rows.map(({ place }) => Date.parse(place.departure));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    const [last, twentieth] = [times.at(-1)!, times[19]!];
    assert.equal(Math.floor(last / 60_000), Math.floor(twentieth / 60_000));
    for (const { realTime, place } of rows)
      if (!realTime) assert.equal(place.departure, place.scheduledDeparture);
    assert.equal((await ask(`${circle}&n=256`)).status, 422);
    assert.equal((await ask(circle)).status, 400);
    assert.equal((await ask("n=5&stopId=no")).status, 404);
    // Of arrivals it lists those before, unless the later ones are wanted.
    assert.deepEqual((await ask(`${circle}&n=5&arriveBy=true`)).body["stopTimes"], []);
    const stop = rows[0]!["place"].parentId ?? rows[0]!["place"].stopId;
    const one = await ask(`n=5&stopId=${encodeURIComponent(stop)}`);
    for (const { place } of one.body["stopTimes"])
      assert.equal(place.parentId ?? place.stopId, stop);
  });
});
