// The systems of a world, made of the table of operators and the cities they are in.
import { offset } from "../geo.ts";
import { hash, hashText } from "../rng.ts";
import { CITIES } from "./cities.ts";
import type { City, Operator, Text, VehicleType } from "./model.ts";
import { ROWS, type Row } from "./operator-rows.ts";
import { VEHICLE_TYPES, type TypeKey } from "./vehicle-types.ts";

/** Lists all systems of the world of one seed. */
export function listOperators(seed: number): Operator[] {
  const root = hashText(String(seed));
  return ROWS.map((row) => toOperator(row, placeOf(row), root));
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
function placeOf({ city, site }: Row): City {
  const found = getCity(city);
  return site === undefined ? found : { ...found, ...offset(found, ...site) };
}

function getCity(id: string): City {
  const city = CITIES.find((candidate) => candidate.id === id);
  if (city === undefined) throw new Error(`no city ${id}`);
  return city;
}
