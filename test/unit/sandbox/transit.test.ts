// The simulated networks of public transport, city by city.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { distance } from "../../../sandbox/geo.ts";
import { CITIES } from "../../../sandbox/world/cities.ts";
import { createNetwork } from "../../../sandbox/world/transit.ts";
import { modesOf, type Network, TRANSIT_MODES } from "../../../sandbox/world/transit-model.ts";
import { start } from "./reader.ts";
import { feedIdsOf, stationsAt } from "./transit-reader.ts";
import { measureCpu, within } from "../../support/size.ts";

const networks = (seed = 1): Network[] => CITIES.map((city) => createNetwork(city, seed));
/** Of five worlds: what holds is not luck. */
const many = [1, 2, 3, 42, 2026].flatMap(networks);

describe("networks", () => {
  test("same seed, same network; another seed, another network", () => {
    assert.deepEqual(networks(5), networks(5));
    assert.notDeepEqual(networks(5)[0], networks(6)[0]);
  });

  test("some operators, a dozen lines, a hundred stations, all within 6 km", () => {
    for (const { city, operators, lines, stations } of many) {
      const what = `${city.id}: ${stations.length} stations`;
      assert.ok(operators.length >= 2 && operators.length <= 4, what);
      assert.ok(lines.length >= 10 && lines.length <= 14, what);
      assert.ok(stations.length >= 60 && stations.length <= 135, what);
      assert.ok(
        stations.every((station) => distance(city, station) <= 6000),
        what,
      );
      const near = stations.filter((station) => distance(city, station) <= 400);
      assert.ok(near.filter(({ lines: serving }) => serving.length > 0).length >= 4, what);
      assert.ok(
        stations.some((station) => modesOf(station).length > 1),
        what,
      );
      assert.equal(stations.filter((station) => station.lines.length === 0).length, 2, what);
    }
  });

  test("every mode runs somewhere, the cable car in one city", () => {
    const cities = (mode: string): number =>
      networks().filter(({ lines }) => lines.some((line) => line.mode === mode)).length;
    for (const mode of TRANSIT_MODES) assert.ok(cities(mode) >= 1, mode);
    assert.equal(cities("cable_transport"), 1);
    const most = many.map(({ stations }) => Math.max(...stations.map((s) => modesOf(s).length)));
    assert.ok(most.filter((modes) => modes >= 4).length > many.length / 2);
  });

  test("the poles of a street have one name, 15 to 40 m apart, and each is served", () => {
    for (const { city, stations } of many) {
      const poles = stations.filter(({ across }) => across !== null);
      assert.ok(poles.length >= 20 && poles.length % 2 === 0, city.id);
      for (const pole of poles) {
        const other = stations[pole.across!.station]!;
        assert.equal(other.across!.station, pole.index);
        assert.equal(other.name, pole.name);
        assert.ok(pole.lines.length > 0);
        const apart_m = distance(pole, other);
        assert.ok(apart_m > 14.5 && apart_m < 40.5, `${city.id}: ${apart_m}`);
      }
    }
  });

  test("all others are spaced apart, further than any pin is off", () => {
    for (const { city, stations } of many)
      for (const a of stations)
        for (const b of stations.slice(a.index + 1)) {
          if (a.across?.station === b.index) continue;
          assert.ok(distance(a, b) > 45, `${city.id}: ${a.name} and ${b.name}`);
          assert.notEqual(a.name, b.name, city.id);
        }
  });

  test("a line calls at most once at a station on its way, and the way back is the same", () => {
    for (const { lines, stations } of many)
      for (const line of lines) {
        const there = line.there.map(({ station }) => station);
        assert.ok(there.length >= 3, String(there.length));
        assert.equal(new Set(there).size, there.length);
        assert.equal(line.back.length, line.there.length);
        for (const call of [...line.there, ...line.back]) {
          const platform = stations[call.station]!.platforms[call.platform]!;
          assert.deepEqual(platform.parts, line.parts);
          assert.ok(line.parts.includes(line.part));
          assert.ok(stations[call.station]!.lines.includes(line));
        }
      }
  });

  test("a network is laid within milliseconds", () => {
    const cpu_ms = measureCpu(() => void networks(77));
    assert.ok(cpu_ms < within(500), `${cpu_ms} ms`);
  });
});

test("the truth lists stations by distance, over the antimeridian too, and of all modes in order", async (t) => {
  const sandbox = await start();
  t.after(() => sandbox.close());
  const east = await stationsAt(sandbox, { lat: -16.832, lon: 180 });
  const west = await stationsAt(sandbox, { lat: -16.832, lon: -180 });
  const names = (list: typeof east): string[] => list.map(({ name }) => name);
  assert.deepEqual(names(east), names(west));
  assert.ok(east.some((s) => s.location.lon > 0) && east.some((s) => s.location.lon < 0));
  const paris = await stationsAt(sandbox, { lat: 48.8566, lon: 2.3522 }, 2000);
  const far = paris.map(({ distance_m }) => distance_m);
  assert.deepEqual(
    far,
    far.toSorted((a, b) => a - b),
  );
  assert.ok(far.every((each) => each <= 2000) && far.length > 20);
  for (const { modes, routes, operators } of paris) {
    assert.deepEqual(
      modes,
      TRANSIT_MODES.filter((mode) => modes.includes(mode)),
    );
    assert.ok(routes >= modes.length && operators.length >= 1);
  }
});

test("an archive is made within 50 ms, once the first was", async (t) => {
  const sandbox = await start(3);
  t.after(() => sandbox.close());
  const took: number[] = [];
  for (const id of feedIdsOf(sandbox)) {
    const began = performance.now();
    await (await fetch(`${sandbox.url}/upstreams/gtfs/${id}.zip`)).arrayBuffer();
    took.push(performance.now() - began);
  }
  const middle = took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)]!;
  assert.ok(middle < within(50), `${middle} ms`);
});
