/** `include=prices`: the plans of systems, and what rides cost, as the simulator counts them. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listPlans } from "../../../sandbox/gbfs/plans.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { fareOf } from "../../support/fares.ts";
import {
  closeAll,
  createClient,
  createFolder,
  eventually,
  start,
  type Started,
} from "./support.ts";

const client = createClient();
const world = createWorld(1);
/** Systems of the versions that have prices, each where it has something. */
const SYSTEMS = world.operators
  .filter(({ city, versions }) => city.id === "paris" && versions.some((each) => each !== "1.0"))
  .toSorted((a, b) => (a.id < b.id ? -1 : 1));
const MINUTES = [1, 10, 30, 31, 120, 500];
let started: Started;

before(async () => {
  const data_dir = await createFolder();
  started = await start({
    cities: "paris",
    data_dir,
    variables: { SANDBOX_SEED: "1" },
    timetables: false,
  });
});
after(() => closeAll(client, started));

const AT = { lat: 48.8566, lon: 2.3522 };

async function pricesAt(ride_minutes?: number) {
  const query = { ...AT, include: "prices", ...(ride_minutes ? { ride_minutes } : {}) };
  return (await client.nearby(started.service, query)).results.prices!;
}

test("each plan of each system costs what the simulator counts, for any time", async () => {
  const listed = await eventually(
    async () => {
      const prices = await pricesAt();
      return prices.length >= 3 ? prices : null;
    },
    { within_ms: 30_000, what: "the prices of the city's systems" },
  );
  const digits = 2;
  let compared = 0;
  for (const minutes of MINUTES) {
    const prices = await pricesAt(minutes);
    for (const { network } of listed) {
      const operator = SYSTEMS.find(({ id }) => id === network.id)!;
      const { plans } = prices.find((each) => each.network.id === network.id)!;
      const truth = listPlans(operator);
      assert.deepEqual(
        plans.map(({ plan_id }) => plan_id),
        truth.map(({ id }) => id),
      );
      for (const [i, plan] of truth.entries()) {
        const { ride, currency, unlock } = plans[i]!;
        assert.deepEqual([currency, unlock], [operator.city.currency, plan.unlock]);
        assert.equal(ride!.amount.toFixed(digits), fareOf(plan, minutes).toFixed(digits), plan.id);
        assert.equal(ride!.is_exact, plan.by_km.length === 0);
        compared++;
      }
    }
  }
  assert.ok(compared >= MINUTES.length * 9, `${compared} costs`);
});

test("the plan of a vehicle is among those of its system, and kinds name their plans", async () => {
  const query = { ...AT, include: "vehicles,prices" };
  const { vehicles, prices } = (await client.nearby(started.service, query)).results;
  let priced = 0;
  for (const { network_id, source } of vehicles) {
    const own = prices!.find(({ network }) => network.id === network_id);
    if (!own) continue;
    assert.ok(own.plans.some(({ plan_id }) => plan_id === source.pricing_plan_id));
    assert.ok(own.vehicle_types.some(({ plan_ids }) => plan_ids[0] === source.pricing_plan_id));
    priced++;
  }
  assert.ok(priced > 0);
});

test("nothing is said of prices where they are not asked for, and a form of GeoJSON has them", async () => {
  const plain = await client.nearby(started.service, AT);
  assert.ok(!("prices" in plain.results));
  const geo = await client.json<{ meta: { prices?: unknown[] } }>(
    `${started.service.url}/v1/nearby?lat=${AT.lat}&lon=${AT.lon}&include=prices&format=geojson`,
  );
  assert.ok((geo.meta.prices?.length ?? 0) >= 3);
});
