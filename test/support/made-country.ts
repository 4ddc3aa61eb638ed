/** A country made by hand and by lot around a place: of all that a map draws, across all edges near it. */
import { createRng } from "../../bench/world.ts";
import { type Feature, multipolygon, node, type Place, square, way } from "./map-features.ts";

/** Degrees from the middle to the edge. */
const REACH = 0.55;

export function makeCountry(middle: Place, seed: number): Feature[] {
  const random = createRng(seed);
  const lot = new Lot(middle, random);
  const features = [
    ...listStreets(lot),
    ...listLongWays(lot),
    ...listAreas(lot),
    ...listBorders(lot),
    ...listCoasts(lot),
    ...listPlaces(lot),
    ...listTown(lot, middle),
  ];
  // A file need not be in the order of ids.
  return features
    .map((feature) => ({ feature, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ feature }) => feature);
}

class Lot {
  readonly middle: Place;
  readonly random: () => number;

  constructor(middle: Place, random: () => number) {
    this.middle = middle;
    this.random = random;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)]!;
  }

  times<T>(count: number, make: (i: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }

  /** Half of all places are close to the middle, where four cells meet. */
  place(): Place {
    const reach = this.random() < 0.5 ? 0.03 : REACH;
    const [lat, lon] = this.middle;
    return [lat + (this.random() * 2 - 1) * reach * 0.7, lon + (this.random() * 2 - 1) * reach];
  }

  walk(from: Place, count: number, step: number): Place[] {
    let turn = this.random() * 2 * Math.PI;
    const places: Place[] = [from];
    while (places.length < count) {
      const [lat, lon] = places.at(-1)!;
      turn += (this.random() - 0.5) * 1.2;
      places.push([lat + Math.sin(turn) * step * 0.7, lon + Math.cos(turn) * step]);
    }
    return places;
  }

  ring(at: Place, radius: number, count: number): Place[] {
    const places = this.times(count, (i): Place => {
      const turn = (2 * Math.PI * i) / count;
      const reach = radius * (0.75 + 0.25 * this.random());
      return [at[0] + reach * Math.sin(turn) * 0.7, at[1] + reach * Math.cos(turn)];
    });
    return [...places, places[0]!];
  }
}

/** Streets of several ways, as they are mapped: cut where their tags change. */
function listStreets(lot: Lot): Feature[] {
  const kinds = ["motorway", "trunk", "primary", "secondary", "tertiary", "residential", "service"];
  return lot
    .times(300, (i) => {
      const highway = lot.pick(kinds);
      const isFar = highway === "motorway" || highway === "trunk" || highway === "primary";
      const places = lot.walk(
        lot.place(),
        10 + Math.floor(lot.random() * 60),
        isFar ? 0.004 : 0.0004,
      );
      const ways: Feature[] = [];
      for (let from = 0; from < places.length - 1; from += 7) {
        const part = places.slice(from, from + 8);
        const tags = {
          highway,
          name: `Street ${i % 90}`,
          ...(isFar ? { ref: `N${i % 7}` } : {}),
          ...(lot.random() < 0.1 ? { bridge: "yes" } : {}),
        };
        ways.push(way(lot.random() < 0.3 ? part.toReversed() : part, tags));
      }
      return ways;
    })
    .flat();
}

function listLongWays(lot: Lot): Feature[] {
  const [lat, lon] = lot.middle;
  return [
    ...lot.times(12, () =>
      way(lot.walk(lot.place(), 500, 0.002), { waterway: "river", name: "R" }),
    ),
    ...lot.times(8, () => way(lot.walk(lot.place(), 300, 0.003), { railway: "rail" })),
    ...lot.times(20, () =>
      way(lot.walk(lot.place(), 12, 0.001), { railway: "rail", service: "yard" }),
    ),
    way(
      [
        [lat - REACH, lon - REACH],
        [lat + REACH, lon + REACH],
      ],
      { route: "ferry", name: "Ferry" },
    ),
    // Beyond the country on both sides: no point of it is near.
    way(
      [
        [lat + 0.01, lon - 20],
        [lat - 0.02, lon + 20],
      ],
      { route: "ferry" },
    ),
  ];
}

function listAreas(lot: Lot): Feature[] {
  const kinds = [
    { natural: "water" },
    { landuse: "forest" },
    { leisure: "park" },
    { landuse: "residential" },
    { natural: "wetland" },
    { amenity: "hospital" },
  ];
  const tagsOf = (i: number) => ({ ...lot.pick(kinds), name: `Area ${i}` });
  return [
    ...lot.times(260, (i) =>
      way(lot.ring(lot.place(), 0.0005 * 2 ** (lot.random() * 7), 24), tagsOf(i)),
    ),
    ...lot.times(60, (i) => {
      const at = lot.place();
      const radius = 0.001 * 2 ** (lot.random() * 7);
      return multipolygon([lot.ring(at, radius, 40), lot.ring(at, radius / 3, 12)], tagsOf(i));
    }),
    // With more points than are kept in one piece.
    ...lot.times(2, (i) => multipolygon([lot.ring(lot.place(), 0.3, 2_000)], tagsOf(i))),
    ...lot
      .times(30, () => {
        const outline = way(lot.ring(lot.place(), 0.01, 20), { natural: "water" });
        const hole = lot.ring(toPlace(outline), 0.002, 8);
        const lake = multipolygon([toPlaces(outline), hole], { natural: "water" });
        return [
          outline,
          { ...lake, members: [{ type: "way" as const, id: outline.id, role: "outer" }] },
        ];
      })
      .flat(),
  ];
}

function listBorders(lot: Lot): Feature[] {
  return lot
    .times(6, (i) => {
      const places = lot.ring(lot.place(), 0.1 + 0.3 * lot.random(), 90);
      const parts = lot.times(9, (part) =>
        way(places.slice(part * 10, part * 10 + 11), { boundary: "administrative" }),
      );
      const level = i < 2 ? "2" : "4";
      const relation = multipolygon([places], {
        boundary: "administrative",
        admin_level: level,
        name: `B${i}`,
      });
      return [
        ...parts,
        {
          ...relation,
          members: parts.map(({ id }) => ({ type: "way" as const, id, role: "outer" })),
        },
      ];
    })
    .flat();
}

/** A mainland in the north that breaks off on both sides, and islands of all sizes. */
function listCoasts(lot: Lot): Feature[] {
  const coast = { natural: "coastline" };
  const [lat, lon] = lot.middle;
  const shore = lot.times(401, (i): Place => [
    lat - 0.01 + 0.02 * lot.random(),
    lon - REACH + (2 * REACH * i) / 400,
  ]);
  const sea = (): Place => [lat - 0.05 - 0.3 * lot.random(), lon + (lot.random() * 2 - 1) * REACH];
  return [
    ...lot.times(20, (i) => way(shore.slice(i * 20, i * 20 + 21), coast)),
    ...lot.times(30, () => way(lot.ring(sea(), 0.002 + 0.004 * lot.random(), 14), coast)),
    // Of several ways, across squares.
    ...lot
      .times(3, () => {
        const places = lot.ring(sea(), 0.05 + 0.1 * lot.random(), 60);
        return lot.times(6, (i) => way(places.slice(i * 10, i * 10 + 11), coast));
      })
      .flat(),
    // A lagoon in the land: the water is inside.
    way(lot.ring([lat + 0.15, lon + 0.2], 0.02, 30).toReversed(), coast),
  ];
}

function listPlaces(lot: Lot): Feature[] {
  const kinds = ["country", "state", "city", "town", "village", "suburb", "hamlet", "locality"];
  return lot.times(300, (i) =>
    node(lot.place(), {
      place: lot.pick(kinds),
      name: `Place ${i}`,
      population: String(Math.floor(10 ** (lot.random() * 8))),
    }),
  );
}

/** More houses than a tile has room for, in the corner where four cells meet. */
function listTown(lot: Lot, [lat, lon]: Place): Feature[] {
  return lot.times(18_000, () => {
    const at: Place = [lat + lot.random() * 0.015 - 0.001, lon + lot.random() * 0.023 - 0.001];
    return way(square(at, 0.00002 + 0.0001 * lot.random()), { building: "yes" });
  });
}

function toPlaces({ points }: { points: Int32Array }): Place[] {
  return Array.from({ length: points.length / 2 }, (_, i) => [
    points[2 * i]! / 1e7,
    points[2 * i + 1]! / 1e7,
  ]);
}

/** The middle of the first two points that face one another. */
function toPlace(outline: { points: Int32Array }): Place {
  const places = toPlaces(outline);
  const [a, b] = [places[0]!, places[Math.floor(places.length / 2)]!];
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}
