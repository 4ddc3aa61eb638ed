/** A register that lies in one country: places whose coordinates are evidently exchanged are left out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCountries } from "#app/country.ts";
import { createIsSwapped, openRegisters } from "#app/places/registers.ts";
import type { Config } from "#config/load.ts";
import { fillDefaults } from "#config/defaults.ts";
import { type RegisterEntry, RegisterSchema } from "#providers/register-source.ts";
import { openShaped } from "#upstream/lookup/opened-source.ts";
import type { RegistryEvent } from "#upstream/registries.ts";
import { createDesk, toBody, turn } from "../../support/lookup.ts";

const STUTTGART = { lat: 48.7758, lon: 9.1829 };
const SITES = [
  { ...STUTTGART, uid: "1" },
  { lat: STUTTGART.lon, lon: STUTTGART.lat, uid: "2" },
  { lat: 48.21, lon: 16.37, uid: "of Vienna" },
];

async function readSites(country: string | null) {
  const { deps, line, clock } = createDesk(() => 0);
  line.always(() => toBody({ items: SITES }, clock.now()));
  const events: RegistryEvent[] = [];
  const entry = fillDefaults(RegisterSchema, {
    ...{ id: "garages", shape: "parkapi", url: "https://a.example/sites", name: "Garages" },
    country,
  }) as RegisterEntry;
  const [opened] = openShaped({ registers: [entry] } as unknown as Config["sources"]);
  const [register] = openRegisters(opened!, {
    ...deps,
    pause: turn,
    countries: loadCountries,
    onRegistry: (event) => void events.push(event),
  });
  await register!.runtime.start();
  register!.runtime.close();
  return events[0]!;
}

test("exchanged coordinates are left out where the country of the register is known", async () => {
  const inGermany = await readSites("DE");
  const reasons = inGermany.reasons!.map(({ reason, count, examples }) => [
    reason,
    count,
    examples,
  ]);
  assert.deepEqual(reasons, [["coordinates_swapped", 1, ["2"]]]);
  assert.equal(inGermany.accepted, 2, "what is abroad both ways is not judged");
  assert.equal((await readSites(null)).accepted, 3);
});

test("what is near the country, or in it both ways, is not exchanged", async () => {
  const find = await loadCountries();
  const cases: [string, lat: number, lon: number, boolean][] = [
    ["DE", 9.18, 48.78, true],
    ["DE", 48.78, 9.18, false],
    // Nigeria is on both sides of the diagonal: of it, Bafoussam in Cameroon can only be meant turned round.
    ["NG", 9.06, 7.49, false],
    ["NG", 5.48, 10.42, true],
    // Kehl is a kilometre from France.
    ["FR", 48.575, 7.815, false],
    ["FR", 2.35, 48.86, true],
    ["FR", 48.86, 102.35, false],
  ];
  for (const [country, lat, lon, expected] of cases)
    assert.equal(
      createIsSwapped(country, find)({ lat, lon }),
      expected,
      `${country} ${lat} ${lon}`,
    );
});
