// The systems of a world, made of the table of operators and the cities they are in.
import { offset } from "../geo.ts";
import { hash, hashText } from "../rng.ts";
import type { City, Operator, Text, VehicleType } from "./model.ts";
import { ROWS, type Row } from "./operator-rows.ts";
import { VEHICLE_TYPES, type TypeKey } from "./vehicle-types.ts";

/** Lists the systems of the cities in the world of one seed. */
export function listOperators(seed: number, cities: readonly City[]): Operator[] {
  const root = hashText(String(seed));
  return ROWS.flatMap((row) => {
    const city = cities.find(({ id }) => id === row.city);
    return city === undefined ? [] : [toOperator(row, placeOf(row, city), root)];
  });
}

function toOperator(row: Row, city: City, root: number): Operator {
  return {
    ...row,
    city,
    name: toText(row.name, city),
    types: row.types.map((key) => toType(key)),
    auth: row.auth ?? null,
    alerts: row.alerts ?? false,
    zones: row.zones ?? false,
    key: hash(root, hashText(city.id), hashText(row.id)),
  };
}

function toType(key: TypeKey): VehicleType {
  return { id: key, ...VEHICLE_TYPES[key] };
}

function toText(name: Row["name"], city: City): Text {
  const [local, english] = typeof name === "string" ? [name, name] : name;
  return Object.fromEntries(city.languages.map((tag) => [tag, tag === "en" ? english : local]));
}

/** The city, or the site outside of it that the row names. */
function placeOf({ site }: Row, city: City): City {
  return site === undefined ? city : { ...city, ...offset(city, ...site) };
}
