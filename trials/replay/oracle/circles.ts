/** Random circles where they hurt: among entities, over whole systems, at the poles and the seam. */
import type { KnownEntity } from "./circle.ts";
import type { Ask } from "./circle.ts";
import type { Dice } from "../../dice.ts";

type Extent = { south: number; west: number; north: number; east: number };

/** Half around entities, a quarter anywhere in the boxes, the rest at the poles, the seam, anywhere. */
export function randomCircle(i: number, from: Places, dice: Dice): Ask {
  const place = i % 4 < 2 ? aroundEntity : i % 4 === 2 ? insideExtent : anywhere;
  return { ...place(from, dice), radius_m: radius_m(dice) };
}

export type Places = { known: readonly KnownEntity[]; extents: readonly Extent[] };
type Place = { lat: number; lon: number };

/** Mostly what callers may ask (400 m), some wider ones that take in whole towns. */
function radius_m(dice: Dice): number {
  const kind = dice.between(0, 10);
  if (kind < 7) return dice.between(1, 400);
  return kind < 9.5 ? dice.between(400, 3_000) : dice.between(3_000, 60_000);
}

function aroundEntity({ known }: Places, dice: Dice): Place {
  if (known.length === 0) return onTheGlobe(dice);
  const { lat, lon } = dice.pick(known);
  // Some exactly on the entity: distance 0.
  const spread = dice.pick([0, 0.0005, 0.003, 0.02]);
  return {
    lat: bounded(lat + dice.between(-spread, spread)),
    lon: wrapped(lon + dice.between(-spread, spread)),
  };
}

function insideExtent({ extents }: Places, dice: Dice): Place {
  if (extents.length === 0) return onTheGlobe(dice);
  const { south, west, north, east } = dice.pick(extents);
  return { lat: dice.between(south, north), lon: dice.between(west, east) };
}

function anywhere(_: Places, dice: Dice): Place {
  const kind = dice.pick(["pole", "seam", "globe", "globe"]);
  if (kind === "pole") {
    return { lat: dice.pick([-90, 90, 89.9999, -89.9999]), lon: dice.between(-180, 180) };
  }
  if (kind === "seam") {
    return { lat: dice.between(-85, 85), lon: wrapped(180 + dice.between(-0.01, 0.01)) };
  }
  return onTheGlobe(dice);
}

function onTheGlobe(dice: Dice): Place {
  return { lat: dice.between(-90, 90), lon: dice.between(-180, 180) };
}

function bounded(lat: number): number {
  return Math.max(-90, Math.min(90, lat));
}

function wrapped(lon: number): number {
  if (lon > 180) return lon - 360;
  return lon < -180 ? lon + 360 : lon;
}
