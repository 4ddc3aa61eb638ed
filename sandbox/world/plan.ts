// The map of a simulated city: its named streets, the side streets between them, water and greens.
// Nothing asks about them; they are there so that a map without a network has something to show.
import { around, offset, type Point } from "../geo.ts";
import { between, hash, hashText, unit } from "../rng.ts";
import { listStreets } from "./gazetteer.ts";
import type { City } from "./model.ts";
import { toTown } from "./towns.ts";
import { layTrack } from "./tracks.ts";
import type { Network } from "./transit-model.ts";

type Position = [lon: number, lat: number];
type Geometry =
  | { type: "LineString"; coordinates: Position[] }
  | { type: "Polygon"; coordinates: Position[][] };
type Feature = {
  type: "Feature";
  geometry: Geometry;
  properties: { kind: string; name?: string; mode?: string; color?: string };
};
export type Plan = { type: "FeatureCollection"; features: Feature[] };

const HOUSE_STEP_M = 9;
const REACH_M = 2600;
const STEP_M = 150;

export function drawPlan(city: City, seed: number, network: Network): Plan {
  const key = hash(seed, hashText(city.id), 0x706c);
  const features = [
    ...drawGreens(city, key),
    drawRiver(city, key),
    ...drawSideStreets(city, key),
    ...drawNamed(city, seed),
    ...drawLines(network),
  ];
  return { type: "FeatureCollection", features };
}

/** A metre is enough for a map. */
const fine = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
const toPosition = ({ lat, lon }: Point): Position => [fine(lon), fine(lat)];
const line = (points: readonly Point[]): Geometry => ({
  type: "LineString",
  coordinates: points.map(toPosition),
});

function drawNamed(city: City, seed: number): Feature[] {
  return listStreets(toTown(city), seed).map((street, index) => {
    const half_m = (street.houses / 2) * HOUSE_STEP_M + 260;
    const bend = (unit(street.key, 9) - 0.5) * 0.03;
    const points = Array.from({ length: 13 }, (_, n) => {
      const share = n / 6 - 1;
      return around(street, street.turn + bend * Math.abs(share), half_m * share);
    });
    const kind = index % 3 === 0 ? "avenue" : "street";
    return {
      type: "Feature",
      geometry: line(points),
      properties: { kind, name: street.name.local },
    };
  });
}

/** Two families of roughly parallel lines, bent together so that blocks differ but streets meet. */
function drawSideStreets(city: City, key: number): Feature[] {
  const turn = unit(key, 1);
  const bend = toBend(key);
  const families = [0, 0.25].flatMap((quarter, family) => {
    const lines: Point[][] = [];
    let off_m = -REACH_M;
    for (let n = 0; off_m < REACH_M; n += 1) {
      lines.push(
        ...drawOne({ city, key: hash(key, family, n), turn: turn + quarter, off_m }, bend),
      );
      off_m += between(75, 165, key, family, n, 5);
    }
    return lines;
  });
  return families.map((points) => ({
    type: "Feature",
    geometry: line(points),
    properties: { kind: "lane" },
  }));
}

type Lane = { city: City; key: number; turn: number; off_m: number };

/** A lane stops and goes on, as lanes do: a run of steps, a gap, a run. */
function drawOne({ city, key, turn, off_m }: Lane, bend: Bend): Point[][] {
  const half_m = Math.sqrt(Math.max(0, REACH_M ** 2 - off_m ** 2));
  const runs: Point[][] = [];
  let run: Point[] = [];
  for (let along_m = -half_m, n = 0; along_m < half_m; along_m += STEP_M, n += 1) {
    if (unit(key, n) < 0.09) {
      if (run.length > 1) runs.push(run);
      run = [];
      continue;
    }
    const angle = turn * 2 * Math.PI;
    const east = Math.sin(angle) * along_m + Math.cos(angle) * off_m;
    const north = Math.cos(angle) * along_m - Math.sin(angle) * off_m;
    run.push(offset(city, ...bend(east, north)));
  }
  if (run.length > 1) runs.push(run);
  return runs;
}

type Bend = (east: number, north: number) => [number, number];

/** Slow waves that shift everything alike. */
function toBend(key: number): Bend {
  const wave = (n: number): number => 900 + 900 * unit(key, n);
  const phase = (n: number): number => unit(key, n) * 6.3;
  const [a, b, c, d] = [wave(20), wave(21), wave(22), wave(23)];
  return (east, north) => [
    east + 90 * Math.sin(north / a + phase(30)) + 40 * Math.sin(east / c + phase(32)),
    north + 90 * Math.sin(east / b + phase(31)) + 40 * Math.sin(north / d + phase(33)),
  ];
}

function drawRiver(city: City, key: number): Feature {
  const turn = unit(key, 40);
  const off_m = 420 + 380 * unit(key, 41);
  const middle = around(city, turn + 0.25, off_m);
  const points = Array.from({ length: 41 }, (_, n) => {
    const share = n / 20 - 1;
    const sway = 190 * Math.sin(share * 4.2 + unit(key, 42) * 6) + 70 * Math.sin(share * 11);
    return around(around(middle, turn, share * REACH_M * 1.15), turn + 0.25, sway);
  });
  return { type: "Feature", geometry: line(points), properties: { kind: "river" } };
}

function drawGreens(city: City, key: number): Feature[] {
  return Array.from({ length: 9 }, (_, n) => {
    const k = hash(key, 50, n);
    const middle = around(city, (n + 0.7 * unit(k, 1)) / 9, 300 + 2400 * unit(k, 2));
    const size_m = 90 + 230 * unit(k, 3);
    const corners = between(7, 11, k, 4);
    const rough = Array.from({ length: corners }, (_each, c) =>
      toPosition(around(middle, c / corners, size_m * (0.7 + 0.5 * unit(k, 5, c)))),
    );
    const ring = soften(soften(rough));
    return {
      type: "Feature",
      geometry: { type: "Polygon", coordinates: [[...ring, ring[0] as Position]] },
      properties: { kind: "green" },
    };
  });
}

/** Across the antimeridian, too. */
const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);

/** Cuts the corners of a closed ring (Chaikin). */
function soften(ring: readonly Position[]): Position[] {
  return ring.flatMap((from, n) => {
    const to = ring[(n + 1) % ring.length] as Position;
    const at = (share: number): Position => [
      fine(wrap(from[0] + wrap(to[0] - from[0]) * share)),
      fine(from[1] + (to[1] - from[1]) * share),
    ];
    return [at(0.25), at(0.75)];
  });
}

const DRAWN = new Set(["tram", "metro", "rail", "rapid_transit"]);

function drawLines({ lines, stations }: Network): Feature[] {
  return lines
    .filter(({ mode }) => DRAWN.has(mode))
    .map((each) => {
      const { mode, color, short_name, long_name } = each;
      const name = short_name === "" ? long_name : short_name;
      return {
        type: "Feature",
        geometry: line(layTrack(each, stations)),
        properties: { kind: "rail", mode, name, ...(color === "" ? {} : { color: `#${color}` }) },
      };
    });
}
