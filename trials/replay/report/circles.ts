/** Thousands of random circles over the replayed world against the loop over everything. */
import { type Mode, modeMask } from "#stations/shards.ts";
import type { Hits } from "#world/nearby-hits.ts";
import { collectHits } from "#world/collect-hits.ts";
import { createHits } from "#world/nearby-hits.ts";
import type { World } from "#world/world.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { Ask, KnownEntity } from "../oracle/circle.ts";
import { createGrid, listInside } from "../oracle/circle.ts";
import { randomCircle } from "../oracle/circles.ts";
import { idsOf } from "../oracle/ids.ts";
import { createDice } from "../../dice.ts";
import type { Claim } from "./claims.ts";
import { createClaim, isSame, whereApart } from "./claims.ts";

export type CirclesInput = {
  world: World;
  known: readonly KnownEntity[];
  circles: number;
  now_ms: number;
  onCircle?: () => void;
};

const SEED = 20_260_201;
/** The oracle's own grid is checked by a plain loop once in this many circles. */
const GRID_CHECKS = 200;
const MODES: readonly Mode[] = ["bicycle", "scooter", "moped", "car"];

const hits: Hits = createHits();

export function checkCircles(input: CirclesInput): Claim[] {
  const { world, known, circles, now_ms } = input;
  const dice = createDice(SEED);
  const grid = createGrid(known);
  const extents = world.list().flatMap(({ box }) => (box && box.west <= box.east ? [box] : []));
  const equal = createClaim();
  const gridded = createClaim();
  let match = 0;
  let filled = 0;
  for (let i = 0; i < circles; i++) {
    const ask = { ...randomCircle(i, { known, extents }, dice), ...randomFilter(dice) };
    const wanted = listInside(grid.near(ask), ask).map(({ id }) => id);
    const got = search(world, ask, now_ms);
    equal.check(isSame(got, wanted), () => `${JSON.stringify(ask)}: ${whereApart(got, wanted)}`);
    if (i % Math.max(1, Math.floor(circles / GRID_CHECKS)) === 0) {
      const plain = listInside(known, ask).map(({ id }) => id);
      gridded.check(isSame(plain, wanted), () => `${JSON.stringify(ask)}: ${plain.length}`);
    }
    match += wanted.length;
    if (wanted.length > 0) filled++;
    input.onCircle?.();
  }
  const figures = `${circles} circles, ${filled} of them with results, ${match} results compared`;
  return [
    equal.finish("random circles list what a loop over everything lists, in order", figures),
    gridded.finish("the oracle's grid leaves nothing out of its loop", "a sample of the circles"),
  ];
}

/** Checks that every entity that may be listed is found at its position, whatever else is there. */
export function checkEveryEntity(input: Omit<CirclesInput, "circles">): Claim {
  const claim = createClaim();
  for (const { id, lat, lon, kind } of input.known) {
    const got = search(input.world, { lat, lon, radius_m: 1 }, input.now_ms);
    claim.check(got.includes(id), () => `${kind} ${id} at ${lat},${lon} is not found`);
    input.onCircle?.();
  }
  const count = (kind: string): number => input.known.filter((each) => each.kind === kind).length;
  return claim.finish(
    "every accepted entity is answered at its position",
    `${count("station")} stations, ${count("vehicle")} vehicles`,
  );
}

function search(world: World, ask: Ask, now_ms: number): string[] {
  const systems: SystemEntry[] = [];
  world.covering(ask, systems);
  collectHits(hits, systems, {
    circle: ask,
    modes: modeMask(ask.modes ?? MODES),
    stations: ask.kinds?.includes("station") ?? true,
    vehicles: ask.kinds?.includes("vehicle") ?? true,
    now_ms,
  });
  return idsOf(hits);
}

/** Mostly everything; now and then one mode or one kind alone. */
function randomFilter(dice: ReturnType<typeof createDice>): Pick<Ask, "modes" | "kinds"> {
  const kind = dice.between(0, 10);
  if (kind < 7) return {};
  if (kind < 8.5) return { modes: [dice.pick(MODES)] };
  return { kinds: [dice.pick(["station", "vehicle"] as const)] };
}
