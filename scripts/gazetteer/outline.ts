/** A place for a country: the centre of its largest piece of land. */

type Point = readonly [x: number, y: number];
type Geometry = { id?: string } & (
  | { type: "Polygon"; arcs: readonly (readonly number[])[] }
  | { type: "MultiPolygon"; arcs: readonly (readonly (readonly number[])[])[] }
);
/** Outlines as TopoJSON has them: steps along arcs that neighbours share. */
export type Atlas = {
  arcs: readonly (readonly Point[])[];
  transform: { scale: Point; translate: Point };
  objects: { countries: { geometries: readonly Geometry[] } };
};

/** Latitude and longitude by ISO 3166-1 numeric, to a thousandth of a degree. */
export function countryPlaces(atlas: Atlas): Map<string, [lat: number, lon: number]> {
  const lands = [...findLands(atlas)];
  return new Map(lands.map(([id, { lat, lon }]) => [id, [round(lat), round(lon)]]));
}

/** Area of the largest piece of land by ISO 3166-1 numeric, in square degrees of the equator. */
export function countryAreas(atlas: Atlas): Map<string, number> {
  return new Map([...findLands(atlas)].map(([id, { area }]) => [id, area]));
}

type Land = { area: number; lat: number; lon: number };

/** The largest piece of each country. Islands that are a geometry of their own may have its number. */
function findLands(atlas: Atlas): Map<string, Land> {
  const matches = new Map<string, Land>();
  for (const geometry of atlas.objects.countries.geometries) {
    const { id } = geometry;
    if (id === undefined) continue;
    const parts = geometry.type === "Polygon" ? [geometry.arcs] : geometry.arcs;
    const lands = parts.map(([outer]) => centreOf(toRing(atlas, outer ?? [])));
    const entry = matches.get(id);
    if (entry) lands.push(entry);
    matches.set(
      id,
      lands.reduce((a, b) => (b.area > a.area ? b : a)),
    );
  }
  return matches;
}

/** An arc that is run through backwards has the complement of its number. */
function toRing({ arcs, transform }: Atlas, outer: readonly number[]): Point[] {
  const [[kx, ky], [x0, y0]] = [transform.scale, transform.translate];
  return outer.flatMap((arc) => {
    let [x, y] = [0, 0];
    const points = arcs[arc < 0 ? ~arc : arc]!.map(([dx, dy]): Point => {
      x += dx;
      y += dy;
      return [x * kx + x0, y * ky + y0];
    });
    return arc < 0 ? points.toReversed() : points;
  });
}

/** A ring over the antimeridian goes on beyond 180 degrees. */
function centreOf(points: readonly Point[]): Land {
  let [doubled, lat, lon, turns] = [0, 0, 0, 0];
  const ring = points.map(([x, y], i): Point => {
    const step = i === 0 ? 0 : x - points[i - 1]![0];
    if (Math.abs(step) > 180) turns -= Math.sign(step);
    return [x + turns * 360, y];
  });
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[x0, y0], [x1, y1]] = [ring[i]!, ring[i + 1]!];
    const cross = x0 * y1 - x1 * y0;
    doubled += cross;
    lon += (x0 + x1) * cross;
    lat += (y0 + y1) * cross;
  }
  [lat, lon] = [lat / (3 * doubled), lon / (3 * doubled)];
  // What goes around a pole has no centre by its edge.
  if (turns !== 0) return { area: 0, lat: 0, lon: 0 };
  return { area: Math.abs(doubled) * Math.cos((lat * Math.PI) / 180), lat, lon: wrap(lon) };
}

function wrap(lon: number): number {
  return lon - 360 * Math.round(lon / 360);
}

function round(degrees: number): number {
  return Math.round(degrees * 1000) / 1000;
}
