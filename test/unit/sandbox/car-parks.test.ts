// The simulated registers of car parks, read by the readers of the service and compared with the truth.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { SpacesState } from "#core/places/live-state.ts";
import { createTrail } from "#kit/trail.ts";
import type { RegisterShape } from "#providers/register-shape.ts";
import { findShape, SHAPES } from "#providers/register-shapes.ts";
import type { Sandbox } from "../../../sandbox/main.ts";
import { SETTINGS } from "../providers/registers/fault-table.ts";
import { start } from "./reader.ts";
import { metres, namedBy, servicesAt, upstreamOf } from "./services-reader.ts";

type Spaces = {
  capacity: number;
  free: number;
  trend: string;
  disabled: { capacity: number; free: number };
  slip: string | null;
  since_s: number;
};

type Register = Awaited<ReturnType<typeof readRegister>>;

const IDS = ["parkapi", "datex2_parking"];
const registers = new Map<string, Register>();
let sandbox: Sandbox;
before(async () => {
  sandbox = await start();
  for (const id of IDS) registers.set(id, await readRegister(id));
});
after(() => sandbox.close());

async function readRegister(id: string) {
  const shape: RegisterShape = SHAPES.find((each) => each.id === id)!;
  const { url, live_url = url } = upstreamOf(sandbox, id);
  const bodyOf = async (address: string) =>
    new Uint8Array(await (await fetch(address)).arrayBuffer());
  const trail = createTrail();
  const options = { settings: { ...SETTINGS, id }, trail };
  const places = [...shape.readPlaces(await bodyOf(url!), options)!].filter(
    (each) => each !== null,
  );
  const { dropped } = trail.toTrail();
  const states = [
    ...shape.readStates!(await bodyOf(live_url!), { ...options, trail: createTrail() })!,
  ];
  const spaces = states.filter((each): each is SpacesState => each?.kind === "spaces");
  return {
    places: new Map(places.map((place) => [place.external_id, place])),
    states: new Map(spaces.map((state) => [state.id, state])),
    dropped: dropped.map(({ reason }) => reason),
  };
}

for (const id of IDS)
  test(`${id}: car parks and free spaces are those of the truth, and a slip is no number`, async () => {
    const { places, states } = registers.get(id)!;
    const slips = new Map<string | null, number>();
    let listed = 0;
    for (const city of sandbox.cities())
      for (const [name, thing] of namedBy(await servicesAt(sandbox, city), id)) {
        listed += 1;
        const place = places.get(name)!;
        assert.ok(metres(place, thing.location) < 13, name);
        const spaces = (thing as unknown as { spaces: Spaces }).spaces;
        assert.equal(place.attributes["capacity"], spaces.capacity);
        const state = states.get(place.live?.kind === "spaces" ? place.live.id : "")!;
        const isKnown = spaces.slip === null || spaces.slip === "stale";
        const beyond = spaces.slip === "beyond" ? spaces.capacity + 20 : null;
        assert.equal(state.free, isKnown ? spaces.free : beyond, `${name} ${spaces.slip}`);
        assert.deepEqual(
          state.contradictions,
          spaces.slip === "beyond" ? ["free_above_capacity"] : undefined,
        );
        const age_s = spaces.since_s - state.observed_s!;
        assert.equal(age_s, spaces.slip === "stale" ? 172_800 : 0);
        const { capacity, free } = spaces.disabled;
        assert.deepEqual(
          state.by_group,
          id === "parkapi" && capacity > 0 ? { disabled: { free, capacity } } : {},
        );
        assert.equal(state.is_open, spaces.slip === "unknown" ? null : true);
        slips.set(spaces.slip, (slips.get(spaces.slip) ?? 0) + 1);
      }
    assert.equal(listed, places.size);
    for (const slip of [null, "minus_one", "words", "unknown", "stale", "beyond"])
      assert.ok((slips.get(slip) ?? 0) > 2, `${slip}: ${slips.get(slip)}`);
  });

test("rows that are no car parks are dropped, each with its reason", () => {
  const reasons = ["coordinates_missing", "coordinates_out_of_range", "id_duplicate"];
  const { dropped } = registers.get("parkapi")!;
  assert.deepEqual(dropped, [...reasons, "not_for_cars", "row_malformed", "single_space"]);
  assert.deepEqual(registers.get("datex2_parking")!.dropped, [
    "coordinates_missing",
    "id_duplicate",
  ]);
});

test("sites that the table does not have are counted in the status", () => {
  const { places, states } = registers.get("datex2_parking")!;
  const known = new Set([...places.values()].map(({ live }) => live?.kind === "spaces" && live.id));
  assert.equal([...states.keys()].filter((id) => !known.has(id)).length, 3);
});

test("a list of ParkAPI in pages names the next one", async () => {
  const { url } = upstreamOf(sandbox, "parkapi");
  const answer = await fetch(`${url}?limit=10`);
  const { items, next_path } = (await answer.json()) as { items: unknown[]; next_path: string };
  assert.equal(items.length, 10);
  assert.match(next_path, /limit=10&start=10$/);
  const next = await fetch(new URL(next_path, url));
  assert.equal(((await next.json()) as { items: unknown[] }).items.length, 10);
  const body = new TextEncoder().encode(JSON.stringify({ items, next_path }));
  assert.equal(findShape("parkapi")!.nextPage!(body), next_path);
});
