// Boundaries as relations of ways, and the nodes that carry the names: districts, the city, its
// region, its country. The map ends not far beyond the city, and regions and countries with it.
import { hash } from "../rng.ts";
import { countrySpot, type Gazetteer, type Spot } from "../world/gazetteer.ts";
import { cityNodeOf, osmOf } from "../world/osm-objects.ts";
import { exonymsOf } from "../world/towns.ts";
import { nameTags } from "./addresses.ts";
import { type Drawing, toPosition } from "./drawing.ts";
import { nearestPart, type Ring, roundRing, sides, toPoint, toSpot } from "./plane.ts";

type Tags = Readonly<Record<string, string>>;
type Member = Parameters<Drawing["relation"]>[0][number];

const REGION_M = 24_000;
const COUNTRY_M = 26_000;
const CORNERS = 72;
/** Below whatever is a town somewhere: in Australia that is level 10. */
const QUARTER_LEVEL = 11;

/** Returns the members that the country's relation has in this city. */
export function drawAreas({ town, areas }: Gazetteer, drawing: Drawing): readonly Member[] {
  const { city } = town;
  const ring = (radius_m: number): Ring => roundRing(hash(radius_m), radius_m, CORNERS);
  const bound = (outline: Ring): Member[] => sides(outline, city).flatMap((part) => outer(part));
  const outer = (part: Ring): Member[] => {
    const ids = part.map((spot) => drawing.node(toPosition(toPoint(city, spot))));
    const half = Math.floor(ids.length / 2);
    // The second line runs against the first, as mappers draw them.
    const lines = [ids.slice(0, half + 1), [...ids.slice(half), ids[0]!].toReversed()];
    return lines.map((refs) => ({
      type: "way",
      id: drawing.way(refs, { boundary: "administrative" }),
      role: "outer",
    }));
  };
  const whole = areas.find(({ kind }) => kind === "city")!;
  const label = drawCityNode(whole, drawing);
  const named = (spot: Spot, level: number): Tags => ({ ...boundary(level), ...nameTags(spot) });
  const outline = ring(whole.half_m);
  drawing.relation(
    [...bound(outline), { type: "node", id: label, role: "label" }],
    { ...named(whole, 8), ...languageTags(whole) },
    osmOf(whole)?.id,
  );
  const quarters = areas.filter(({ kind }) => kind === "neighbourhood");
  for (const quarter of quarters) {
    const id = drawing.node(
      toPosition(quarter),
      { place: "neighbourhood", ...nameTags(quarter) },
      osmOf(quarter)?.id,
    );
    const others = quarters.filter((other) => other !== quarter);
    const part = nearestPart(
      outline,
      toSpot(city, quarter),
      others.map((other) => toSpot(city, other)),
    );
    drawing.relation(
      [...bound(part), { type: "node", id, role: "label" }],
      named(quarter, QUARTER_LEVEL),
    );
  }
  const region = areas.find(({ kind }) => kind === "region")!;
  drawing.relation(bound(ring(REGION_M)), named(region, 4), osmOf(region)?.id);
  return bound(ring(COUNTRY_M));
}

export function drawCountry(town: Gazetteer["town"], members: readonly Member[], drawing: Drawing) {
  const spot = countrySpot(town.country);
  const codes = { "ISO3166-1:alpha2": town.country.code, "ISO3166-1:alpha3": town.country.alpha_3 };
  drawing.relation(members, { ...boundary(2), ...nameTags(spot), ...codes }, osmOf(spot)?.id);
}

const boundary = (level: number): Tags => ({
  type: "boundary",
  boundary: "administrative",
  admin_level: String(level),
});

function drawCityNode(whole: Spot, drawing: Drawing): number {
  const { id, key, value } = cityNodeOf(whole);
  const tags = { [key]: value, ...nameTags(whole), ...languageTags(whole) };
  return drawing.node(toPosition(whole), tags, id);
}

/** In the city's own language, in which `name` is too, and in others. */
function languageTags({ town, name }: Spot): Tags {
  if (town === null) return {};
  const others = Object.entries(exonymsOf(town.city)).map(([tag, text]) => [`name:${tag}`, text]);
  return { [`name:${town.language}`]: name.local, ...Object.fromEntries(others) };
}
