/** Hostile feeds drawn at random: sizes, depths, counts, geometry and names by a seed. */
import { createDice, type Random } from "../dice.ts";
import type { HostileCase } from "./cases.ts";
import { listOf, MB, type Place } from "./wire.ts";

function oneOf<T>(random: Random, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)]!;
}

const NAMES: Readonly<Record<string, (random: Random, index: number) => string>> = {
  plain: (_, i) => `Station ${i}`,
  equal: () => "Same",
  blanks: (random) => `x${" ".repeat(Math.floor(random() * 4_000))}y`,
  "combining marks": (random) => "e" + "\u0301".repeat(Math.floor(random() * 2_000)),
  digits: (random) => "1".repeat(1 + Math.floor(random() * 2_000)),
  "nested brackets": (random) => "(".repeat(Math.floor(random() * 2_000)) + "a",
  separators: (random) => "- / ".repeat(Math.floor(random() * 1_000)),
  mojibake: () => "GÃ¼ltig Ã©tÃ© â€“ ï¿½ï¿½",
  "lone surrogates": () => "\ud800x\udfff",
  invisible: () => "\u{E0041}\u200b\u202ea",
  empty: () => "",
};

const PLACES: Readonly<Record<string, (random: Random, place: Place) => [unknown, unknown]>> = {
  "one point": (_, { lat, lon }) => [lat, lon],
  "a circle": (random, { lat, lon }) => [lat + random() * 0.01, lon + random() * 0.01],
  antimeridian: (random, { lat }) => [lat, oneOf(random, [180, -180, 179.999999, -179.999999])],
  poles: (random) => [oneOf(random, [90, -90]), random() * 360 - 180],
  "not numbers": (random) => [oneOf(random, ["NaN", null, "", "1e999"]), "x"],
  huge: (random) => [1e308 * (random() - 0.5), 1e300],
  everywhere: (random) => [random() * 180 - 90, random() * 360 - 180],
};

const FORMS: Readonly<Record<string, (row: string, random: Random) => string>> = {
  plain: (row) => row,
  "with nesting": (row, random) => {
    const depth = 1 + Math.floor(random() * 60);
    return row.replace(/\}$/, `,"deep":${"[".repeat(depth)}${"]".repeat(depth)}}`);
  },
  "with a long list": (row, random) =>
    row.replace(/\}$/, `,"rental_methods":["${"a".repeat(9)}"${',"k"'.repeat(random() * 500)}]}`),
  "with numbers as text": (row) => row.replace(/"capacity":\d+/, '"capacity":"1e5"'),
};

const COUNTS = [1, 100, 2_000, 20_000, 100_000, 249_999, 250_001] as const;
const SIZES = [MB, 4 * MB, 16 * MB, 31 * MB] as const;

/** The same for the same seed. */
export function generateCase(seed: number): HostileCase {
  const random = createDice(seed).next;
  const chosen = {
    file: oneOf(random, ["stations", "vehicles", "alerts"] as const),
    rows: oneOf(random, COUNTS),
    bytes: oneOf(random, SIZES),
    names: oneOf(random, Object.keys(NAMES)),
    places: oneOf(random, Object.keys(PLACES)),
    form: oneOf(random, Object.keys(FORMS)),
  };
  const { file, rows, bytes, names, places, form } = chosen;
  return {
    what: `${file}: ${rows} rows or ${bytes / MB} MB, names ${names}, at ${places}, ${form}`,
    make: ({ place }) => {
      const row = (i: number): string => {
        const [lat, lon] = PLACES[places]!(random, place);
        const name = NAMES[names]!(random, i);
        return FORMS[form]!(rowOf(file, i, { name, lat, lon }), random);
      };
      return { [FILE_OF[file].file]: listOf(FILE_OF[file].member, row, { rows, bytes }) };
    },
  };
}

const FILE_OF = {
  stations: { file: "station_information", member: "stations" },
  vehicles: { file: "free_bike_status", member: "bikes" },
  alerts: { file: "system_alerts", member: "alerts" },
} as const;

function rowOf(
  file: keyof typeof FILE_OF,
  index: number,
  { name, lat, lon }: { name: string; lat: unknown; lon: unknown },
): string {
  if (file === "stations")
    return JSON.stringify({ station_id: `s${index}`, name, lat, lon, capacity: 10 });
  if (file === "vehicles")
    return JSON.stringify({ bike_id: `${name.slice(0, 100)}${index}`, lat, lon });
  const station_ids = Array.from({ length: index % 300 }, (_, i) => `s${i}`);
  return JSON.stringify({
    alert_id: `a${index}`,
    type: "STATION_CLOSURE",
    summary: name,
    station_ids,
  });
}
