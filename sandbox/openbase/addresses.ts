// Streets, houses and points of interest, as the simulated geocoders know them: the same ids where
// those name an object of the map.
import { around, type Point } from "../geo.ts";
import {
  findHouse,
  type Gazetteer,
  listHouses,
  type Spot,
  type Street,
} from "../world/gazetteer.ts";
import { isInterpolated, osmOf } from "../world/osm-objects.ts";
import { type Drawing, toPosition } from "./drawing.ts";

type Tags = Readonly<Record<string, string>>;

const HALF_HOUSE_M = 7;
/** Half the side of what is drawn as an area. */
const HALF_POI_M = 16;

/** `drawStreet`: draws the line of a street, by its number. */
export function drawAddresses(
  { streets, pois }: Gazetteer,
  drawing: Drawing,
  drawStreet: (street: Street, index: number) => void,
): void {
  for (const [index, street] of streets.entries()) {
    drawStreet(street, index);
    drawHouses(street, drawing);
  }
  for (const poi of pois) drawPoi(poi, drawing);
}

/** `name`, and the English one where it is another. */
export const nameTags = ({ name }: Pick<Spot, "name">): Tags => ({
  name: name.local,
  ...(name.english === name.local ? {} : { "name:en": name.english }),
});

/** A house between two that are nodes is a number of the line that joins them. */
function drawHouses(street: Street, drawing: Drawing): void {
  const nodes = new Map<number, number>();
  const lines: Spot[] = [];
  for (const house of listHouses(street)) {
    const object = osmOf(house);
    const ring = square(house, street.turn, HALF_HOUSE_M);
    if (object?.key === "building") {
      const tags = { building: "yes", ...addressTags(house) };
      if (drawing.area(ring, tags, object.id) === null) drawing.node(toPosition(house), tags);
      continue;
    }
    drawing.area(ring, { building: "yes" });
    if (isInterpolated(house) && isBetweenNodes(street, house)) lines.push(house);
    else
      nodes.set(
        Number(house.number),
        drawing.node(toPosition(house), addressTags(house), object?.id),
      );
  }
  for (const house of lines) {
    const number = Number(house.number);
    const ends = [number - 2, number + 2].map((each) => nodes.get(each)!);
    const side = number % 2 === 0 ? "even" : "odd";
    const tags = { "addr:interpolation": side, "addr:street": street.name.local };
    drawing.way(ends, tags, osmOf(house)?.id);
  }
}

/** On the same side of the antimeridian, too. */
const isBetweenNodes = (street: Street, { number, lon }: Spot): boolean =>
  [Number(number) - 2, Number(number) + 2].every((each) => {
    const house = findHouse(street, each);
    if (house === null || isInterpolated(house) || Math.abs(house.lon - lon) > 180) return false;
    return osmOf(house)?.type === "N";
  });

function addressTags({ street, number, post_code, town }: Spot): Tags {
  if (street === null || number === "") return {};
  return {
    "addr:housenumber": number,
    "addr:street": street.local,
    ...(post_code === "" ? {} : { "addr:postcode": post_code }),
    ...(town === null ? {} : { "addr:city": town.name.local }),
  };
}

/** The address that other sources give a station is that of a house near it. */
const STATIONS: ReadonlySet<Spot["kind"]> = new Set(["station", "subway"]);

/** Car parks are services of the map, with ids of their own. */
function drawPoi(poi: Spot, drawing: Drawing): void {
  const object = osmOf(poi);
  if (object === null || poi.kind === "parking") return;
  const address = STATIONS.has(poi.kind) ? {} : addressTags(poi);
  const tags = { [object.key]: object.value, ...nameTags(poi), ...address };
  const half_m = poi.kind === "airport" ? poi.half_m : HALF_POI_M;
  if (object.type === "N") drawing.node(toPosition(poi), tags, object.id);
  else drawing.area(square(poi, 0, half_m), tags, object.id);
}

const square = (at: Point, turn: number, half_m: number) =>
  [0.125, 0.375, 0.625, 0.875].map((corner) =>
    toPosition(around(at, turn + corner, half_m * Math.SQRT2)),
  );
