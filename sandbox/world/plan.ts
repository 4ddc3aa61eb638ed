// The map of a simulated city: its named streets, the side streets between them, water and greens.
// Nothing asks about them; they are there so that a map without a network has something to show.
import { around, offset, type Point } from "../geo.ts";
import { between, hash, unit } from "../rng.ts";
import { listStreets } from "./gazetteer.ts";
import { bendOf, listLanes, planKey, REACH_M, runsOf, spotOn } from "./lanes.ts";
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

export function drawPlan(city: City, seed: number, network: Network): Plan {
  const key = planKey(city, seed);
  const features = [
    ...drawGround(city, seed),
    ...drawSideStreets(city, key),
    ...drawNamed(city, seed),
    ...drawLines(network),
  ];
  return { type: "FeatureCollection", features };
}

/** Greens and the river. */
export function drawGround(city: City, seed: number): Feature[] {
  const key = planKey(city, seed);
  return [...drawGreens(city, key), drawRiver(city, key)];
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

function drawSideStreets(city: City, key: number): Feature[] {
  const bend = bendOf(key);
  const families = listLanes(key).flatMap((lane) =>
    runsOf(lane).map((run) => run.map((along_m) => offset(city, ...spotOn(lane, along_m, bend)))),
  );
  return families.map((points) => ({
    type: "Feature",
    geometry: line(points),
    properties: { kind: "lane" },
  }));
}

function drawRiver(city: City, key: number): Feature {
  return { type: "Feature", geometry: line(layRiver(city, key)), properties: { kind: "river" } };
}

/** Its middle as the map has it. */
export const listRiver = (city: City, seed: number): Point[] =>
  layRiver(city, planKey(city, seed)).map(({ lat, lon }) => ({ lat: fine(lat), lon: fine(lon) }));

function layRiver(city: City, key: number): Point[] {
  const turn = unit(key, 40);
  const off_m = 420 + 380 * unit(key, 41);
  const middle = around(city, turn + 0.25, off_m);
  return Array.from({ length: 41 }, (_, n) => {
    const share = n / 20 - 1;
    const sway = 190 * Math.sin(share * 4.2 + unit(key, 42) * 6) + 70 * Math.sin(share * 11);
    return around(around(middle, turn, share * REACH_M * 1.15), turn + 0.25, sway);
  });
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
