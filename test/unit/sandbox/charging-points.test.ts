// The simulated registers of charging points, read by the readers of the service and compared with the truth.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { LivePoint, PointState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import type { Sandbox } from "../../../sandbox/main.ts";
import { start } from "./reader.ts";
import { readRegister, type Register } from "./register-reader.ts";
import { metres, namedBy, servicesAt, upstreamOf } from "./services-reader.ts";

type Charging = {
  connectors: { standard: string; power_kw: number; count: number }[];
  connector_count: number;
  available_count: number | null;
  out_of_service_count: number | null;
};

const IDS = ["oicp", "datex2_energy"];
/** Of OCPI, and what the service calls them; others are Other. */
const TYPES: Readonly<Record<string, string>> = {
  IEC_62196_T1: "J1772",
  IEC_62196_T1_COMBO: "CCS1",
  IEC_62196_T2: "Type 2",
  IEC_62196_T2_COMBO: "CCS2",
  CHADEMO: "CHAdeMO",
  SAE_J3400: "NACS",
};
const registers = new Map<string, Register<PointState>>();
let sandbox: Sandbox;
before(async () => {
  sandbox = await start();
  for (const id of IDS) registers.set(id, await readRegister(sandbox, id));
});
after(() => sandbox.close());

const pointsOf = ({ live }: Place): readonly LivePoint[] =>
  live?.kind === "points" ? live.points : [];
const offersOf = (items: readonly (readonly [type: string, kw: number | undefined, n: number])[]) =>
  items.map((item) => item.join(" ")).toSorted();

for (const id of IDS)
  test(`${id}: points, plugs, powers and states are those of the truth`, async () => {
    const { places, states } = registers.get(id)!;
    const counts = { listed: 0, live: 0, available: 0, out_of_service: 0 };
    for (const city of sandbox.cities())
      for (const [name, thing] of namedBy(await servicesAt(sandbox, city), id)) {
        const place = places.get(name)!;
        assert.ok(metres(place, thing.location) < 10, name);
        const charging = thing.charging as unknown as Charging;
        const offered = place.attributes["charging"] as {
          connector_count: number;
          connectors: { type: string; max_kw?: number; count: number }[];
        };
        assert.equal(offered.connector_count, charging.connector_count);
        assert.deepEqual(
          offersOf(offered.connectors.map(({ type, max_kw, count }) => [type, max_kw, count])),
          offersOf(
            charging.connectors.map(({ standard, power_kw, count }) => [
              ...([TYPES[standard] ?? "Other", power_kw] as const),
              count,
            ]),
          ),
          name,
        );
        const points = pointsOf(place);
        assert.equal(points.length, charging.connector_count);
        const found = points.map((point) => states.get(point.id)!);
        const countOf = (wanted: string): number =>
          found.filter(({ state }) => state === wanted).length;
        const isLive = charging.available_count !== null;
        const known = found.filter(({ state }) => state !== null).length;
        assert.equal(known, isLive ? points.length : 0, name);
        assert.equal(countOf("available"), charging.available_count ?? 0);
        assert.equal(countOf("out_of_service"), charging.out_of_service_count ?? 0);
        for (const { observed_s } of found)
          assert.equal(id === "oicp" ? observed_s : observed_s! % 300, id === "oicp" ? null : 0);
        counts.listed += 1;
        counts.live += isLive ? 1 : 0;
        counts.available += countOf("available");
        counts.out_of_service += countOf("out_of_service");
      }
    assert.equal(counts.listed, places.size);
    for (const [what, count] of Object.entries(counts)) assert.ok(count > 5, `${what}: ${count}`);
  });

test("rows that are no points are dropped, each with its reason", () => {
  for (const id of IDS)
    assert.deepEqual(registers.get(id)!.dropped, ["coordinates_missing", "id_duplicate"]);
});

test("points that the static half does not have are counted in the live half", () => {
  const counts = IDS.map((id) => {
    const { places, states } = registers.get(id)!;
    const known = new Set([...places.values()].flatMap(pointsOf).map((point) => point.id));
    return [...states.keys()].filter((each) => !known.has(each)).length;
  });
  assert.deepEqual(counts, [1, 3]);
});

test("one charging point has one EVSE id in the registers and at its operator's", async () => {
  const { url, token } = upstreamOf(sandbox, "ocpi");
  const headers = { authorization: `Token ${Buffer.from(token!).toString("base64")}` };
  const answer = await fetch(url!, { headers });
  const { data } = (await answer.json()) as {
    data: { country_code: string; party_id: string; id: string; evses: { evse_id?: string }[] }[];
  };
  const evsesOf = new Map(
    data.map((row) => [
      `${row.country_code}/${row.party_id}/${row.id}`,
      row.evses.flatMap(({ evse_id }) => evse_id?.replaceAll("*", "") ?? []),
    ]),
  );
  let compared = 0;
  for (const city of sandbox.cities())
    for (const { sources } of await servicesAt(sandbox, city)) {
      const idAt = (id: string) => sources.find(({ source }) => source === id)?.source_id ?? "";
      const evses = evsesOf.get(idAt("ocpi"));
      for (const id of IDS) {
        const keys = registers.get(id)!.places.get(idAt(id))?.keys;
        if (!keys || !evses) continue;
        for (const evse of evses) assert.ok(keys.includes(`evse:${evse}`), `${id} ${evse}`);
        compared += evses.length;
      }
    }
  assert.ok(compared > 20, String(compared));
});
