/** What one change of a system's vehicles compares: no more rows than the bound, however many feeds lie there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Shard } from "#core/shard/shard.ts";
import { type LinkedSystem, VehicleLinks } from "#world/vehicles/links.ts";
import { aShard, aType, aVehicle, HERE, moved } from "../../support/domain.ts";

const IDS = ["r1", "r2", "r3"];

function feed(id: string): Shard {
  const vehicles = IDS.map((vehicle, i) =>
    aVehicle(vehicle, { location: moved(HERE, 0, i * 30), type_id: "s" }),
  );
  return aShard({ id, name: "Roll Field", types: [aType("s", { mode: "scooter" })], vehicles });
}

function linksWith(most_rows: number | undefined, feeds: number): number[] {
  const links = new VehicleLinks(most_rows);
  const systems = Array.from({ length: feeds }, (_, n): LinkedSystem => {
    const source_id = `feed${n}`;
    return { source_id, shard: feed(source_id), vehicle_links: null };
  });
  links.renew(systems[0]!, systems);
  return systems.map(({ vehicle_links }) => vehicle_links?.length ?? 0);
}

test("every feed of the brand is compared within the bound", () => {
  assert.deepEqual(linksWith(undefined, 5), [4, 1, 1, 1, 1]);
});

test("feeds beyond the bound are not compared, and nothing is said of their vehicles", () => {
  // Three vehicles on either side of each pair.
  assert.deepEqual(linksWith(12, 5), [2, 1, 1, 0, 0]);
  assert.deepEqual(linksWith(5, 5), [0, 0, 0, 0, 0]);
});
