// The registry's records: real restrooms, and those that were never approved or located.
import { isInRefuge, refugeIdOf } from "../listing.ts";
import { around, type Point } from "../geo.ts";
import { dayOf, written } from "../registry.ts";
import { between, hash, hashText, pick, unit } from "../rng.ts";
import type { City } from "../world/model.ts";
import type { ServiceThing } from "../world/service-model.ts";
import { toTown } from "../world/towns.ts";

/** A record; `located`: false where the registry knows the town at most. */
export type Restroom = Point & { readonly record: Row; readonly located: boolean };
type Row = {
  readonly id: number;
  readonly accessible: boolean;
  readonly unisex: boolean;
  readonly [member: string]: unknown;
};

/** With what the map's pins are off it stays within 20 m of them. */
const OFF_M = 9;

export function listRestrooms(
  cities: readonly City[],
  services: readonly ServiceThing[],
  seed: number,
): readonly Restroom[] {
  return [
    ...services.filter(isInRefuge).map(toRestroom),
    ...cities.flatMap((city, n) => listFaulty(city, n, hash(seed, hashText(city.id), 0x7265))),
  ];
}

function toRestroom(thing: ServiceThing): Restroom {
  const { key, street, street_number, city } = thing;
  const { lat, lon } = around(thing, unit(key, 221), OFF_M * unit(key, 222));
  const blank = pick(["", " ", null], hash(key, 223));
  return {
    lat,
    lon,
    located: true,
    record: {
      id: refugeIdOf(thing),
      name: thing.name === "" ? blank : `${written(thing)} `,
      street: `${street_number} ${street}`,
      ...placeOf(city),
      accessible: unit(key, 224) < 0.5,
      unisex: unit(key, 225) < 0.6,
      directions: pick([null, "", "Behind the kiosk, down the stairs."], hash(key, 226)),
      comment: pick([null, "", "Clean; ask at the counter for the code."], hash(key, 227)),
      latitude: lat,
      longitude: lon,
      ...datesOf(key),
      downvote: between(0, 4, key, 228),
      upvote: between(0, 12, key, 229),
      changing_table: unit(key, 230) < 0.3,
      approved: true,
      edit_id: refugeIdOf(thing),
    },
  };
}

/** As its editors write it: a code where there are some, else the name. */
function stateOf(city: City): string {
  const { region } = toTown(city);
  return ["US", "AU", "BR"].includes(city.country) ? region.short : region.local;
}

const placeOf = (city: City): Record<string, unknown> => ({
  city: city.name,
  state: stateOf(city),
  country: city.country,
});

const datesOf = (key: number): Record<string, unknown> => ({
  created_at: dayOf(key),
  updated_at: dayOf(key + 1),
});

const FIRST_FAULTY_ID = 1000;
const FAULTY = 6;

/** Half of them are not approved, half have no coordinates. */
function listFaulty(city: City, town: number, key: number): Restroom[] {
  return Array.from({ length: FAULTY }, (_, n) => {
    const at = around(city, unit(key, n, 1), 80 + 1200 * unit(key, n, 2));
    const id = FIRST_FAULTY_ID + town * FAULTY + n;
    return {
      ...at,
      located: n % 2 === 0,
      record: {
        id,
        name: "An unconfirmed idea",
        street: "Nowhere 1",
        ...placeOf(city),
        accessible: true,
        unisex: true,
        directions: "",
        comment: "",
        latitude: at.lat,
        longitude: at.lon,
        ...datesOf(key + n),
        downvote: 3,
        upvote: 0,
        changing_table: false,
        edit_id: id,
        approved: n % 2 === 1,
      },
    };
  });
}
