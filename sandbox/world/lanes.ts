// The side streets of a city as lines on a bent grid, in metres east and north of its middle.
import { between, hash, hashText, unit } from "../rng.ts";
import type { City } from "./model.ts";

/** Of two families that cross at right angles before they are bent. */
export type Lane = {
  readonly family: 0 | 1;
  readonly key: number;
  readonly turn: number;
  /** From the middle of the city, to the side. */
  readonly off_m: number;
};

type Spot = [east_m: number, north_m: number];
type Bend = (east: number, north: number) => Spot;

export const REACH_M = 2600;
const STEP_M = 150;

export const planKey = (city: City, seed: number): number => hash(seed, hashText(city.id), 0x706c);

/** Two families of roughly parallel lines. */
export function listLanes(key: number): Lane[] {
  const turn = unit(key, 1);
  return ([0, 1] as const).flatMap((family) => {
    const lanes: Lane[] = [];
    let off_m = -REACH_M;
    for (let n = 0; off_m < REACH_M; n += 1) {
      lanes.push({ family, key: hash(key, family, n), turn: turn + family / 4, off_m });
      off_m += between(75, 165, key, family, n, 5);
    }
    return lanes;
  });
}

const halfOf = ({ off_m }: Lane): number => Math.sqrt(Math.max(0, REACH_M ** 2 - off_m ** 2));

/** A lane stops and goes on, as lanes do: a run of steps, a gap, a run. */
export function runsOf(lane: Lane): number[][] {
  const half_m = halfOf(lane);
  const runs: number[][] = [];
  let run: number[] = [];
  for (let along_m = -half_m, n = 0; along_m < half_m; along_m += STEP_M, n += 1) {
    if (unit(lane.key, n) < 0.09) {
      if (run.length > 1) runs.push(run);
      run = [];
      continue;
    }
    run.push(along_m);
  }
  if (run.length > 1) runs.push(run);
  return runs;
}

/** Bent together, so that blocks differ but streets meet. */
export function spotOn({ turn, off_m }: Lane, along_m: number, bend: Bend): Spot {
  const angle = turn * 2 * Math.PI;
  const east = Math.sin(angle) * along_m + Math.cos(angle) * off_m;
  const north = Math.cos(angle) * along_m - Math.sin(angle) * off_m;
  return bend(east, north);
}

/** Slow waves that shift everything alike. */
export function bendOf(key: number): Bend {
  const wave = (n: number): number => 900 + 900 * unit(key, n);
  const phase = (n: number): number => unit(key, n) * 6.3;
  const [a, b, c, d] = [wave(20), wave(21), wave(22), wave(23)];
  return (east, north) => [
    east + 90 * Math.sin(north / a + phase(30)) + 40 * Math.sin(east / c + phase(32)),
    north + 90 * Math.sin(east / b + phase(31)) + 40 * Math.sin(north / d + phase(33)),
  ];
}
