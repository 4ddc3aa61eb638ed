// The simulated open registers of charging points, read by the readers of the service and compared with
// the truth.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTrail } from "#kit/trail.ts";
import type { RegisterShape } from "#providers/register-shape.ts";
import { datex2Energy } from "#providers/datex2_energy/index.ts";
import { irve } from "#providers/irve/index.ts";
import { ocpiBulk } from "#providers/ocpi_bulk/index.ts";
import { oicp } from "#providers/oicp/index.ts";
import type { Sandbox } from "../../../sandbox/main.ts";
import { keptStates, SETTINGS } from "../providers/registers/fault-table.ts";
import { start } from "./reader.ts";
import { metres, namedBy, servicesAt, upstreamOf } from "./services-reader.ts";

type Register = Awaited<ReturnType<typeof readRegister>>;

const SHAPES = [datex2Energy, irve, ocpiBulk, oicp];
const registers = new Map<string, Register>();
let sandbox: Sandbox;
before(async () => {
  sandbox = await start();
  for (const shape of SHAPES) registers.set(shape.id, await readRegister(shape));
});
after(() => sandbox.close());

async function readRegister(shape: RegisterShape) {
  const { url, live_url } = upstreamOf(sandbox, shape.id);
  const bodyOf = async (address: string) =>
    new Uint8Array(await (await fetch(address)).arrayBuffer());
  const [trail, live_trail] = [createTrail(), createTrail()];
  const settings = { ...SETTINGS, id: shape.id };
  const places = [...shape.readPlaces(await bodyOf(url!), { settings, trail })!];
  const states = shape.readStates!(await bodyOf(live_url!), { settings, trail: live_trail })!;
  const read = [...states].filter((each) => each !== null);
  const points = keptStates(read, live_trail).filter((each) => each.kind === "point");
  const { dropped, repaired } = trail.toTrail();
  return {
    places: new Map(places.flatMap((place) => (place ? [[place.external_id, place]] : []))),
    states: new Map(points.map((state) => [state.id, state.state])),
    dropped: dropped.map(({ reason }) => reason),
    repaired: repaired.map(({ reason }) => reason),
    live_dropped: live_trail.toTrail().dropped.map(({ reason }) => reason),
  };
}

for (const { id } of SHAPES)
  test(`${id}: stations, points and states are those of the truth`, async () => {
    const { places, states } = registers.get(id)!;
    let listed = 0;
    let live = 0;
    for (const city of sandbox.cities())
      for (const [name, thing] of namedBy(await servicesAt(sandbox, city), id)) {
        listed += 1;
        const place = places.get(name)!;
        assert.ok(metres(place, thing.location) < 13, name);
        const points = place.live?.kind === "points" ? place.live.points : [];
        const { connector_count, available_count, out_of_service_count } = thing.charging!;
        assert.equal(points.length, connector_count, name);
        const found = points.map((point) => states.get(point.id) ?? null);
        const count = (state: string) => found.filter((each) => each === state).length;
        if (available_count === null)
          assert.ok(
            found.every((state) => state === null),
            name,
          );
        else {
          live += 1;
          assert.equal(count("available"), available_count, name);
          assert.equal(count("out_of_service"), out_of_service_count, name);
        }
      }
    assert.equal(listed, places.size);
    assert.ok(live > 5);
  });

test("rows that are no stations are dropped, each with its reason", () => {
  const french = registers.get("irve")!;
  assert.deepEqual(french.dropped, ["coordinates_out_of_range", "id_duplicate", "id_missing"]);
  assert.deepEqual(french.live_dropped, ["id_duplicate", "time_unusable"]);
  for (const reason of ["coordinates_swapped", "point_count_differs", "power_in_watts"])
    assert.ok(french.repaired.includes(reason), reason);
  const open = registers.get("ocpi_bulk")!;
  assert.deepEqual(open.dropped, [
    ...["coordinates_missing", "coordinates_placeholder", "id_duplicate", "not_published"],
    "row_malformed",
  ]);
  assert.deepEqual(open.live_dropped, ["evse_gone", "row_malformed"]);
  for (const id of ["datex2_energy", "oicp"]) {
    assert.deepEqual(registers.get(id)!.dropped, ["coordinates_missing", "id_duplicate"]);
    assert.deepEqual(registers.get(id)!.live_dropped, []);
  }
});

/** Of OCPI, and what the service calls them; others are Other. */
const TYPES: Readonly<Record<string, string>> = {
  IEC_62196_T1: "J1772",
  IEC_62196_T1_COMBO: "CCS1",
  IEC_62196_T2: "Type 2",
  IEC_62196_T2_COMBO: "CCS2",
  CHADEMO: "CHAdeMO",
  SAE_J3400: "NACS",
};

type Offer = { type: string; max_kw?: number; count: number };
type Listed = { standard: string; power_kw: number; count: number };

for (const id of ["datex2_energy", "oicp"])
  test(`${id}: plugs and powers are those of the truth, and some points are of no table`, async () => {
    const { places, states } = registers.get(id)!;
    const textOf = (offers: readonly Offer[]) =>
      offers.map(({ type, max_kw, count }) => `${count} ${type} ${max_kw}`).toSorted();
    for (const city of sandbox.cities())
      for (const [name, thing] of namedBy(await servicesAt(sandbox, city), id)) {
        const { keys, live } = places.get(name)!;
        const ids = keys.filter((key) => key.startsWith("evse:"));
        assert.equal(ids.length, live?.kind === "points" && live.points.length, name);
        const { connectors } = places.get(name)!.attributes["charging"] as { connectors: Offer[] };
        const listed = (thing.charging as unknown as { connectors: Listed[] }).connectors;
        const offers = listed.map(({ standard, power_kw, count }) => ({
          ...{ type: TYPES[standard] ?? "Other", max_kw: power_kw, count },
        }));
        assert.deepEqual(textOf(connectors), textOf(offers), name);
      }
    const known = new Set(
      [...places.values()].flatMap(({ live }) =>
        live?.kind === "points" ? live.points.map((point) => point.id) : [],
      ),
    );
    const unknown = [...states.keys()].filter((each) => !known.has(each));
    assert.equal(unknown.length, id === "oicp" ? 2 : 1);
  });

test("a point that is in several registers has one EVSE id in all of them", async () => {
  const keysOf = (id: string, name: string) =>
    registers
      .get(id)!
      .places.get(name)
      ?.keys.filter((key) => key.startsWith("evse:")) ?? [];
  const shared = new Map<string, number>();
  for (const city of sandbox.cities())
    for (const { sources } of await servicesAt(sandbox, city)) {
      const all = sources.filter(({ source }) => registers.has(source));
      for (const [n, a] of all.entries())
        for (const b of all.slice(n + 1)) {
          const [ours, theirs] = [keysOf(a.source, a.source_id), keysOf(b.source, b.source_id)];
          // Some points of OCPI have no EVSE id.
          const [less, more] = ours.length < theirs.length ? [ours, theirs] : [theirs, ours];
          const common = less.filter((key) => more.includes(key));
          if (a.source !== "ocpi_bulk" && b.source !== "ocpi_bulk")
            assert.deepEqual(new Set(ours), new Set(theirs), `${a.source_id} ${b.source_id}`);
          else assert.deepEqual(common, less, `${a.source_id} ${b.source_id}`);
          const pair = `${a.source} ${b.source}`;
          shared.set(pair, (shared.get(pair) ?? 0) + common.length);
        }
    }
  assert.equal(shared.size, 6, [...shared.keys()].join());
  for (const [pair, count] of shared) assert.ok(count > 5, `${pair}: ${count}`);
});
