/**
 * The geocoder of a base against the simulated world: every address of two cities is found where it
 * is, and is what is at its place.
 */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { type Geocoder, importBase } from "#osm/index.ts";
import { distance } from "../../sandbox/geo.ts";
import { openBaseExtract } from "../../sandbox/openbase/extract.ts";
import { createSheets } from "../../sandbox/openmap/elements.ts";
import { listHouses, listSpots, type Spot } from "../../sandbox/world/gazetteer.ts";
import { isInterpolated } from "../../sandbox/world/osm-objects.ts";
import { exonymsOf, toTown } from "../../sandbox/world/towns.ts";
import { createWorld } from "../../sandbox/world/world.ts";
import { openBase } from "#upstream/bases/open-bases.ts";
import { createSections } from "../../src/main/bases/sections.ts";
import { sized } from "../support/size.ts";

const NEAR_M = 2;
/** A region may have the name of its city, and its middle near that one's. */
const CITY_M = 1_000;
const EVERY = sized(5, 1);
const COMMON = { country: null, near: null, limit: 1 } as const;

describe("addresses of the simulated base", () => {
  const world = createWorld(1, sized(["paris", "warsaw"], undefined));
  let geocoder: Geocoder;
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), "vicinity-addresses-"));
    const path = join(folder, "world.osm.pbf");
    await writeFile(path, openBaseExtract(world, { data_at_s: 1_790_000_000 }));
    const result = await importBase(path, {
      id: "world",
      region: null,
      now_ms: 0,
      sections: createSections(),
    });
    await rm(folder, { recursive: true, force: true });
    assert.ok(result.ok);
    geocoder = openBase(result.pack)!.geocoder!;
  });

  /** Services say a street and a number that are not where they are: those are two places. */
  const claimed = new Set(
    createSheets(world)().flatMap(({ elements }) =>
      elements.map(({ tags }) => `${tags["addr:street"]} ${tags["addr:housenumber"]}`),
    ),
  );
  const houses = world.cities.flatMap((city) => {
    const { streets } = listSpots(toTown(city), {
      seed: world.seed,
      stations: world.getNetwork(city).stations,
      services: world.listServices(city),
    });
    return streets.flatMap(listHouses).filter((house) => !claimed.has(nameOf(house)));
  });

  test("each is the first answer to its text, at its place", () => {
    let request_count = 0;
    for (const house of houses) {
      if (house.key % EVERY !== 0) continue;
      const { language, name } = house.town!;
      const q = `${nameOf(house)}, ${house.post_code} ${name.local}`;
      const [first] = geocoder.geocode({ ...COMMON, q, language });
      assert.ok(
        first && distance(first.location, house) < NEAR_M,
        `${q}: ${JSON.stringify(first)}`,
      );
      assert.equal(first.address.city, name.local, q);
      request_count += 1;
    }
    assert.ok(request_count > 200, `${request_count} asked`);
  });

  test("each that is no number of a line is what is at its place, in its city and region", () => {
    for (const house of houses) {
      if (house.key % EVERY !== 0 || isInterpolated(house)) continue;
      const { language, name, region } = house.town!;
      const { lat, lon } = house;
      const [first] = geocoder.reverse({ lat, lon, language, limit: 1 });
      const { street, street_number, city, postal_code, region: of } = first!.address;
      assert.deepEqual(
        { street, street_number, city, postal_code, of },
        {
          street: house.street!.local,
          street_number: house.number,
          city: name.local,
          postal_code: house.post_code || null,
          of: region.local,
        },
      );
    }
  });

  test("a city is found by what other languages call it", () => {
    for (const city of world.cities)
      for (const [language, q] of Object.entries(exonymsOf(city))) {
        const [first] = geocoder.geocode({ ...COMMON, q, language });
        assert.ok(
          first && distance(first.location, city) < CITY_M,
          `${q}: ${JSON.stringify(first)}`,
        );
      }
  });
});

function nameOf({ street, number }: Spot): string {
  return `${street!.local} ${number}`;
}
