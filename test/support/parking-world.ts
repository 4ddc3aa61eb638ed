/**
 * Car parks of a made town as a map, a city's register and a maps provider see them, with the truth:
 * the register has entrances where the map has centres, names are spelled variously and numbered, and
 * lots without a name lie next to garages.
 */
import type { Location } from "#kit/geo.ts";
import type { Place } from "#core/places/place.ts";
import { createRng, type Rng } from "../../bench/world.ts";
import { type TrueWorld, type Truth, truthKey } from "./charging-world.ts";
import { HERE, moved } from "./domain.ts";
import { aPlace } from "./places.ts";

const NAMES = [
  ...["Marktplatz", "Hauptbahnhof", "Messe", "Rathaus", "Stadthalle", "Theater", "Am Schloss"],
  ...["Gare du Nord", "Les Halles", "Hôtel de Ville", "Place d’Armes", "Opéra", "Saint-Michel"],
  ...["Centre Commercial", "Galeria", "Karstadt", "Altstadt", "Dom", "Universität", "Klinikum"],
  ...["Zoo", "Hafen", "Stadion", "Congress Center", "Lindenhof", "Kornmarkt", "Augustinerplatz"],
  ...["Schwabentor", "Kaiserstraße", "Bismarckallee", "Rotteckring", "Konzerthaus", "Westend"],
];
type Kind = "garage" | "lot";
/** How a name is made of a kind. */
const SPELLINGS: Readonly<Record<Kind, readonly ((name: string) => string)[]>> = {
  garage: [
    (name) => `Parkhaus ${name}`,
    (name) => `PH ${name}`,
    (name) => `${name} Parkhaus`,
    (name) => `Tiefgarage ${name}`,
    (name) => `Parking ${name}`,
    (name) => name.toUpperCase(),
    (name) => `Parkgarage ${name.replace("straße", "str.")}`,
  ],
  lot: [
    (name) => `Parkplatz ${name}`,
    (name) => `P+R ${name}`,
    (name) => `Parking ${name}`,
    (name) => name,
  ],
};

type CarPark = {
  id: number;
  at: Location;
  /** Half its width, metres. */
  reach_m: number;
  kind: Kind;
  name: string | null;
  /** Of a row: P1, P2. */
  number: number | null;
  capacity: number;
};

class Town {
  readonly rng: Rng;
  readonly parks: CarPark[] = [];

  constructor(seed: number, quarters: number) {
    this.rng = createRng(seed);
    const side_m = Math.sqrt(quarters / 12) * 1_000;
    for (let i = 0; i < quarters; i++) {
      const at = moved(HERE, this.rng() * side_m, this.rng() * side_m);
      const name = `${this.one(NAMES)}${i < NAMES.length ? "" : ` ${suffixOf(i)}`}`;
      const row = this.is(0.12) ? 2 + this.draw(3) : 1;
      for (let number = 1; number <= row; number++)
        this.#build(number === 1 ? at : this.off(at, 60, 200), name, row === 1 ? null : number);
      // What has no name lies between.
      for (let more = this.draw(3); more > 0; more--)
        this.#build(this.off(at, 25, 140), null, null);
    }
  }

  is(share: number): boolean {
    return this.rng() < share;
  }

  draw(most: number): number {
    return Math.floor(this.rng() * most);
  }

  one<T>(list: readonly T[]): T {
    return list[this.draw(list.length)]!;
  }

  off(at: Location, least_m: number, most_m: number): Location {
    const [metres, angle] = [least_m + this.rng() * (most_m - least_m), this.rng() * 2 * Math.PI];
    return moved(at, metres * Math.sin(angle), metres * Math.cos(angle));
  }

  spelled({ name, number, kind }: CarPark): string | null {
    if (name === null) return null;
    if (number === null) return this.one(SPELLINGS[kind])(name);
    return this.one([`P${number} ${name}`, `${name} P${number}`, `Parkplatz ${number} ${name}`]);
  }

  #build(at: Location, name: string | null, number: number | null): void {
    const kind = name !== null && number === null && this.is(0.6) ? "garage" : "lot";
    this.parks.push({
      ...{ id: this.parks.length, at, kind, name, number, reach_m: 15 + this.draw(60) },
      capacity: name === null ? 8 + this.draw(60) : 60 + this.draw(900),
    });
  }
}

/** A word by which quarters of the same name differ. */
function suffixOf(i: number): string {
  return `${["Nor", "Sud", "Mar", "Lin", "Berg", "Wald", "Ros", "Kel"][i % 8]!}${["heim", "hausen", "feld", "ingen", "dorf", "au", "beck"][Math.floor(i / 8) % 7]!}${["", "brück", "tal", "see"][Math.floor(i / 56) % 4]!}`;
}

function placeOf(
  source_id: string,
  { id, kind }: CarPark,
  change: Partial<Place> & { capacity: number | null; kind_known: boolean },
): Place {
  const { capacity, kind_known, ...rest } = change;
  return aPlace(`${source_id}-${id}`, {
    kind: "parking",
    source_id,
    attributes: {
      parking: { kind: kind_known ? kind : "parking", features: [] },
      ...(capacity === null ? {} : { capacity }),
    },
    ...rest,
  });
}

/** `quarters`: named car parks or rows of them. */
export function createParkingWorld(seed: number, quarters: number): TrueWorld {
  const town = new Town(seed, quarters);
  const truth = new Map<string, Truth>();
  const sources: Place[][] = [[], [], []];
  const add = (source: number, park: CarPark, place: Place): void => {
    truth.set(truthKey(place), { site: park.id, station: park.id });
    sources[source]!.push(place);
  };
  const counted = (park: CarPark): number => {
    const share = town.is(0.7) ? 1 : town.is(0.7) ? 0.9 + town.rng() * 0.2 : 0.6 + town.rng() * 0.8;
    return Math.round(park.capacity * share);
  };
  for (const park of town.parks) {
    const isNamed = park.name !== null;
    if (town.is(0.9))
      add(
        0,
        park,
        placeOf("openstreetmap", park, {
          ...town.off(park.at, 0, 6),
          name: town.is(park.kind === "garage" ? 0.95 : 0.88) ? town.spelled(park) : null,
          capacity: town.is(0.5) ? counted(park) : null,
          kind_known: town.is(0.9),
        }),
      );
    // A city counts what it runs: what has a name.
    if (isNamed && town.is(0.6))
      add(
        1,
        park,
        placeOf("city", park, {
          ...town.off(park.at, 0, town.is(0.8) ? park.reach_m : 100),
          name: town.spelled(park),
          capacity: town.is(0.95) ? counted(park) : null,
          kind_known: town.is(0.5),
        }),
      );
    if (town.is(isNamed ? 0.7 : 0.03))
      add(
        2,
        park,
        placeOf("maps", park, {
          ...town.off(park.at, 0, 30),
          name: town.spelled(park),
          capacity: null,
          kind_known: town.is(0.6),
        }),
      );
  }
  return { sources, truth };
}
