/**
 * Charging stations of a made town as a map, a national register and operators' lists see them, with
 * the truth: dirty as real ones are (ids missing, pins off by up to 80 m, operators spelled variously,
 * two operators side by side, large sites that one source has in parts).
 */
import type { Location } from "#kit/geo.ts";
import { evseKey, poolKey } from "#core/places/evse-id.ts";
import type { Place } from "#core/places/place.ts";
import { createRng, type Rng } from "../../bench/world.ts";
import { HERE, moved } from "./domain.ts";
import { aPlace } from "./places.ts";

/** `station`: of a part the one that it is of; stations of one operator at one spot have one site. */
export type Truth = { site: number; station: number };
export type TrueWorld = {
  sources: Place[][];
  /** By source and id of a place. */
  truth: ReadonlyMap<string, Truth>;
};

export function truthKey({ source_id, external_id }: Place): string {
  return `${source_id} ${external_id}`;
}

/** Each operator in the spellings of the field, and the codes of its ids. */
const OPERATORS: readonly (readonly [code: string, ...names: string[]])[] = [
  ["EBW", "EnBW", "EnBW mobility+ AG & Co. KG", "enbw mobility+"],
  ["ALL", "Allego", "Allego GmbH", "ALLEGO B.V."],
  ["ION", "IONITY", "Ionity GmbH", "Ionity"],
  ["TCB", "TotalEnergies", "Total Energies Charging Services", "TotalEnergies France"],
  ["PD1", "Power Dot", "Power Dot France", "Powerdot"],
  ["S63", "SDE 63", "SDE63", "SDE 63 Puy-de-Dôme"],
  ["EWE", "EWE Go", "EWE Go GmbH", "EWE GO HOCHTIEF"],
  ["SWM", "Stadtwerke München", "Stadtwerke München GmbH", "Stadtwerke Munchen"],
  ["VAT", "Vattenfall", "Vattenfall InCharge", "Vattenfall Smarter Living GmbH"],
  ["FAS", "Fastned", "Fastned Deutschland GmbH & Co. KG", "Fastned B.V."],
  ["BEL", "Belib'", "Belib", "Belib’"],
  ["IZI", "Izivia", "IZIVIA SAS", "Izivia"],
  ["ELC", "Electra", "ELECTRA SAS", "Electra"],
  ["SHR", "Shell Recharge", "Shell Recharge Solutions", "SHELL"],
];
/** Known as such, and not. */
const HUBS = ["Hubject Roaming", "Freshmile Services"];
const STREETS = [
  ...["Rue des Tilleuls", "Hauptstraße", "Bahnhofstrasse", "Avenue Foch", "Lindenweg"],
  ...["Marktplatz", "Rue de la Gare", "Kirchgasse", "Boulevard Voltaire", "Schillerstr."],
  ...["Am Hafen", "Quai de Seine", "Industriestraße", "Place du Marché", "Gartenweg"],
  ...["Rue Pasteur", "Goethestraße", "Allee Verte", "Ringstraße", "Rue Victor Hugo"],
];

type Plug = { type: string; max_kw: number };
const SETS: readonly (readonly Plug[])[] = [
  [{ type: "Type 2", max_kw: 22 }],
  [{ type: "Type 2", max_kw: 22 }],
  [{ type: "Type 2", max_kw: 11 }],
  [
    { type: "CCS2", max_kw: 50 },
    { type: "CHAdeMO", max_kw: 50 },
    { type: "Type 2", max_kw: 43 },
  ],
  [
    { type: "CCS2", max_kw: 150 },
    { type: "CHAdeMO", max_kw: 50 },
  ],
  [{ type: "CCS2", max_kw: 300 }],
];
const POINTS = [1, 2, 2, 2, 2, 4, 4, 6, 8, 12, 24] as const;

type Station = Truth & {
  at: Location;
  operator: number;
  plugs: readonly Plug[];
  /** Normalised EVSE ids, one a point. */
  ids: readonly string[];
  pool: string;
  street: string;
  number: number;
};

class Town {
  readonly rng: Rng;
  readonly stations: Station[] = [];
  #sites = 0;

  constructor(seed: number, sites: number) {
    this.rng = createRng(seed);
    // Some sixteen sites a square kilometre, as in a large town.
    const side_m = Math.sqrt(sites / 16) * 1_000;
    for (let i = 0; i < sites; i++) {
      const at = moved(HERE, this.rng() * side_m, this.rng() * side_m);
      const operator = this.draw(OPERATORS.length);
      const first = this.#build(at, operator, this.#sites++);
      // Another operator next to it, often with the same plugs and address.
      if (this.is(0.12)) {
        const other = (operator + 1 + this.draw(OPERATORS.length - 1)) % OPERATORS.length;
        const { plugs, street, number } = first;
        this.#build(this.off(at, 3, 25), other, this.#sites++, {
          ...(this.is(0.5) ? { plugs } : {}),
          ...(this.is(0.6) ? { street, number } : {}),
        });
      }
      // The same operator's next station down the street, and a second one on the spot.
      if (this.is(0.04)) this.#build(this.off(at, 40, 120), operator, this.#sites++);
      if (this.is(0.04))
        this.#build(this.off(at, 0, 8), operator, first.site, { street: first.street });
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

  spelled(operator: number): string {
    const [, ...names] = OPERATORS[operator]!;
    return this.one(names);
  }

  #build(at: Location, operator: number, site: number, like: Partial<Station> = {}): Station {
    const station = this.stations.length;
    const code = `${this.is(0.5) ? "FR" : "DE"}${OPERATORS[operator]![0]}`;
    const number = 10_000 + station * 7;
    const points = this.one(POINTS);
    const entry = {
      ...{ site, station, at, operator, plugs: this.one(SETS) },
      ids: Array.from({ length: points }, (_, i) => `${code}E${number}${i + 1}`),
      pool: `${code}P${number}`,
      street: this.one(STREETS),
      number: 1 + this.draw(120),
      ...like,
    };
    this.stations.push(entry);
    return entry;
  }
}

/** Ids as a source writes them: all, most, or none of them. */
function keysOf(town: Town, { ids }: Station, none: number, one_missing: number): string[] {
  if (town.is(none)) return [];
  return ids.filter(() => !town.is(one_missing)).map(evseKey);
}

type Shares = { types: number; powers: number; count: number };

function chargingOf(town: Town, { plugs, ids }: Station, shares: Shares): Record<string, unknown> {
  const powers = town.is(shares.powers);
  const connectors = plugs.map(({ type, max_kw }) => (powers ? { type, max_kw } : { type }));
  return {
    ...(town.is(shares.count) ? { connector_count: ids.length } : {}),
    connectors: town.is(shares.types) ? connectors : [],
  };
}

/** As volunteers draw it: exact, and often with little more than the operator. */
function* toMap(town: Town, station: Station): Generator<Place> {
  const { at, operator, ids, pool, street, number } = station;
  const isSplit = ids.length >= 4 && town.is(0.08);
  const parts = isSplit ? [ids.slice(0, ids.length >> 1), ids.slice(ids.length >> 1)] : [ids];
  const knowsIds = town.is(isSplit ? 0.6 : 0.25);
  const style = town.draw(4);
  // Who draws the parts of one station tags them alike.
  const run = town.is(0.8) ? { operator: town.spelled(operator) } : {};
  for (const [part, own] of parts.entries()) {
    const keys = !knowsIds
      ? []
      : isSplit || style < 2
        ? own.map(evseKey)
        : style === 2
          ? [poolKey(pool)!]
          : [evseKey(own[0]!.slice(0, -1))];
    yield aPlace(`node/${station.station * 10 + part}`, {
      kind: "charging",
      source_id: "openstreetmap",
      ...town.off(at, 0, isSplit ? 12 : 8),
      name: town.is(0.08) ? `${town.spelled(operator)} ${street}` : null,
      attributes: {
        ...run,
        charging: chargingOf(
          town,
          { ...station, ids: own },
          { types: 0.7, powers: 0.5, count: 0.6 },
        ),
      },
      ...(town.is(0.2) ? { address: { street, number: `${number}` } } : {}),
      keys: [`osm:node/${station.station * 10 + part}`, ...keys],
    });
  }
}

/** As the national register has it: pins of addresses, the operator's or its brand's name. */
function toRegister(town: Town, station: Station): Place {
  const { at, operator, pool, street, number } = station;
  const far = town.rng();
  const shown = town.is(0.03) ? town.draw(OPERATORS.length) : operator;
  return aPlace(town.is(0.97) ? pool : `local-${station.station}`, {
    kind: "charging",
    source_id: "irve",
    ...town.off(at, 0, far < 0.6 ? 15 : far < 0.9 ? 50 : 80),
    name: town.is(0.5) ? `${town.spelled(operator)} - ${street}` : `Station ${street}`,
    attributes: {
      operator: town.spelled(shown),
      charging: chargingOf(town, station, { types: 0.98, powers: 1, count: 1 }),
    },
    address: { street: town.is(0.9) ? `${number} ${street}` : street },
    keys: keysOf(town, station, 0.08, 0.02),
  });
}

/** As operators exchange it; a hub may name itself as the operator. */
function toLocation(town: Town, station: Station): Place {
  const { at, operator, street, number } = station;
  return aPlace(`loc-${station.station}`, {
    kind: "charging",
    source_id: "ocpi",
    ...town.off(at, 0, town.is(0.8) ? 12 : 60),
    name: town.is(0.4) ? `${street} ${number}` : null,
    attributes: {
      operator: town.is(0.05) ? town.one(HUBS) : town.spelled(operator),
      charging: chargingOf(town, station, { types: 1, powers: 0.9, count: 1 }),
    },
    address: { street: `${street} ${number}` },
    keys: keysOf(town, station, 0.1, 0.05),
  });
}

/** `sites`: places where something can be charged at. */
export function createChargingWorld(seed: number, sites: number): TrueWorld {
  const town = new Town(seed, sites);
  const truth = new Map<string, Truth>();
  const know = (place: Place, { site, station }: Station): Place => {
    truth.set(truthKey(place), { site, station });
    return place;
  };
  const sources: Place[][] = [[], [], []];
  for (const station of town.stations) {
    if (town.is(0.75))
      for (const place of toMap(town, station)) sources[0]!.push(know(place, station));
    if (town.is(0.85)) sources[1]!.push(know(toRegister(town, station), station));
    if (town.is(0.6)) sources[2]!.push(know(toLocation(town, station), station));
  }
  return { sources, truth };
}
