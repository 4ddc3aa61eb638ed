/** The alerts family (§4.9; decisions, Global nearby): in force, of the circle, the same on every page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createNearby } from "#app/nearby.ts";
import type { SystemAlert } from "#stations/entities.ts";
import { stationId } from "#kit/ids.ts";
import { ask, deploy, readBody, toInput, type Wish } from "../../support/answers.ts";
import { anAlert, aShard, aStation, HERE, moved, NOW_MS, NOW_S } from "../../support/domain.ts";

const STATIONS = [aStation("in", moved(HERE, 100)), aStation("out", moved(HERE, 900))];
const FAMILIES = ["stations", "alerts"] as const;
const iso = (ms: number) => new Date(ms).toISOString().replace(".000", "");

async function alertsOf(alerts: SystemAlert[], wish: Wish = {}) {
  const deployment = deploy({ shards: [aShard({ stations: STATIONS, alerts })] });
  return (await ask(deployment, { include: FAMILIES, ...wish })).results.alerts;
}

test("an alert is reported with our ids of its stations and the window in which it is in force", async () => {
  const times = [
    { start_s: null, end_s: NOW_S - 10 },
    { start_s: NOW_S - 5, end_s: NOW_S + 5 },
  ];
  const url = "https://x.example/a";
  const input = anAlert("x", { station_ids: ["in", "out"], times, url, description: null });
  assert.deepEqual(await alertsOf([input]), [
    {
      id: "sys:x",
      type: "station_closure",
      network_id: "sys",
      station_ids: [stationId("gbfs", "sys", "in"), stationId("gbfs", "sys", "out")],
      summary: "Works",
      description: null,
      url,
      starts_at: iso(NOW_MS - 5000),
      ends_at: iso(NOW_MS + 5000),
    },
  ]);
});

test("of many stations an alert names the nearest ones, and says how many there are", async () => {
  const places = Array.from({ length: 60 }, (_, i) => `s${i}`);
  // The last ones lie nearest; most are outside of the circle.
  const stations = places.map((id, i) => aStation(id, moved(HERE, 300 + 10 * (40 - i))));
  const summary = `Not "station_ids":[1,2,3] of "station_ids":["x"]`;
  const input = anAlert("x", { station_ids: [...places, "gone"], summary, type: summary });
  const deployment = deploy({ shards: [aShard({ stations, alerts: [input] })] });
  const { results } = await ask(deployment, { include: FAMILIES });
  const [alert] = results.alerts;
  assert.deepEqual(
    alert?.station_ids,
    places
      .slice(40)
      .toReversed()
      .map((id) => stationId("gbfs", "sys", id)),
  );
  assert.deepEqual([alert.station_count, alert.summary, alert.type], [61, summary, summary]);
});

test("an alert concerns the circle through its stations; one that names none, always", async () => {
  const ids = async (...alerts: SystemAlert[]) => (await alertsOf(alerts)).map(({ id }) => id);
  assert.deepEqual(await ids(anAlert("x", { station_ids: ["out"] })), []);
  assert.deepEqual(await ids(anAlert("x", { station_ids: ["gone"] })), []);
  assert.deepEqual(await ids(anAlert("x", { station_ids: ["out", "in"] })), ["sys:x"]);
  assert.deepEqual(await ids(anAlert("x")), ["sys:x"]);
  assert.deepEqual(await ids(anAlert("x", { times: [{ start_s: NOW_S + 1, end_s: null }] })), []);
  assert.deepEqual(await ids(anAlert("x", { times: [{ start_s: null, end_s: NOW_S }] })), []);
});

test("a window open at an end says null there; no window at all says null twice", async () => {
  const [open] = await alertsOf([anAlert("x", { times: [{ start_s: NOW_S, end_s: null }] })]);
  assert.deepEqual([open?.starts_at, open?.ends_at], [iso(NOW_MS), null]);
  const [always] = await alertsOf([anAlert("x")]);
  assert.deepEqual([always?.starts_at, always?.ends_at], [null, null]);
});

const CUT = {
  ...{ source: null, cause: null, age_s: null },
  cut: { shown: 200, total: 230, within_m: 400 },
  message: "Shown are the first 200 of 230 alerts by id; a smaller radius may have fewer.",
};

test("what lists of several systems leave out is counted once; a list at its bound is whole", async () => {
  const alertsOfSystem = (id: string, count: number) =>
    aShard({
      ...{ id, stations: STATIONS },
      alerts: Array.from({ length: count }, (_, i) => anAlert(`${id}${i}`)),
    });
  const two = deploy({ shards: [alertsOfSystem("a", 250), alertsOfSystem("b", 5)] });
  const { notices } = await ask(two, { include: FAMILIES });
  assert.deepEqual(
    notices?.map(({ cut }) => cut?.total),
    [255],
  );
  const whole = deploy({ shards: [alertsOfSystem("a", 195), alertsOfSystem("b", 5)] });
  assert.equal((await ask(whole, { include: FAMILIES })).notices, undefined);
});

test("lines beyond their bound are counted in a notice", async () => {
  const deployment = deploy({ shards: [aShard({ stations: STATIONS })] });
  const line = {
    ...{ id: "a:1", short_name: "1", long_name: null, mode: "bus" as const },
    ...{ operators: [], station_ids: [] },
  };
  const findLines = () => () => ({ items: [line], total: 201, within_m: null, gaps: [] });
  const nearby = createNearby({ ...deployment, findRetained: null, findLines });
  const input = toInput(deployment, { include: ["stations", "lines"] });
  const { notices } = readBody(await nearby(input));
  assert.match(notices![0]!.message, /^Shown are the first 1 of 201 lines by id/);
  assert.deepEqual(notices![0]!.cut, { shown: 1, total: 201, within_m: 400 });
  const some = () => () => ({ items: [line], total: 1, within_m: 312.7, gaps: [] });
  const near = createNearby({ ...deployment, findRetained: null, findLines: some });
  const [cut, ...none] = readBody(await near(input)).notices!;
  assert.match(
    cut!.message,
    /^The lines are those of the nearest 1000 stations: beyond 312 metres/,
  );
  assert.deepEqual([cut!.cut, none], [{ shown: 1_000, total: null, within_m: 312 }, []]);
});

test("alerts are by id bytes, at most 200, on every page alike, and count nowhere", async () => {
  const many = Array.from({ length: 230 }, (_, i) => anAlert(`a${(i * 7) % 230}`));
  const expected = many.map(({ id }) => `sys:${id}`).sort();
  const deployment = deploy({ shards: [aShard({ stations: STATIONS, alerts: many })] });
  for (const offset of [0, 1, 50]) {
    const { results, total, notices } = await ask(deployment, {
      ...{ include: FAMILIES, offset, limit: 1 },
    });
    assert.deepEqual(notices, [CUT]);
    assert.equal(total, 1);
    assert.deepEqual(
      results.alerts.map(({ id }) => id),
      expected.slice(0, 200),
    );
  }
});

// Proves §4.9 families
test("alerts are there only when asked for, and the other families only when they are", async () => {
  assert.deepEqual(await alertsOf([anAlert("x")], { include: ["stations"] }), []);
  const deployment = deploy({ shards: [aShard({ stations: STATIONS, alerts: [anAlert("x")] })] });
  const { results, total, status } = await ask(deployment, { include: ["alerts"] });
  assert.deepEqual([results.stations.length, results.alerts.length, total], [0, 1, 0]);
  assert.equal(status, "success", "an alert is a result");
});

test("of an alert about many stations the nearest twenty are listed, and all are counted", async () => {
  const stations = Array.from({ length: 200 }, (_, i) => aStation(`s${i}`, moved(HERE, 3 * i)));
  const station_ids = stations.map(({ id }) => id).toReversed();
  const shards = [aShard({ stations, alerts: [anAlert("x", { station_ids })] })];
  const { results } = await ask(deploy({ shards }), { include: FAMILIES });
  const [alert] = results.alerts;
  const nearest = Array.from({ length: 20 }, (_, i) => stationId("gbfs", "sys", `s${i}`));
  assert.deepEqual(alert?.station_ids, nearest);
  assert.equal(alert?.station_count, 200);
  // As many as are listed whole are neither cut nor counted.
  const few = [
    aShard({ stations, alerts: [anAlert("x", { station_ids: station_ids.slice(0, 20) })] }),
  ];
  const [whole] = (await ask(deploy({ shards: few }), { include: FAMILIES })).results.alerts;
  assert.equal(whole, undefined);
  const near = [
    aShard({ stations, alerts: [anAlert("x", { station_ids: station_ids.slice(-20) })] }),
  ];
  const [listed] = (await ask(deploy({ shards: near }), { include: FAMILIES })).results.alerts;
  assert.deepEqual([listed?.station_ids.length, "station_count" in listed!], [20, false]);
});
