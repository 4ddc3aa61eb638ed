/** What a feature is in addition to its kind, in eight bits. */
import type { OsmTags } from "../base/base-features.ts";

export type Structure = "tunnel" | "bridge" | null;

const TUNNEL = 1;
const BRIDGE = 2;

export function toMarks(tags: OsmTags): number {
  const { tunnel, bridge } = { tunnel: tags.get("tunnel"), bridge: tags.get("bridge") };
  if (tunnel !== undefined && tunnel !== "no") return TUNNEL;
  if (tags.get("covered") === "yes" || tags.get("indoor") === "yes") return TUNNEL;
  return bridge !== undefined && bridge !== "no" ? BRIDGE : 0;
}

export function structureOf(marks: number): Structure {
  return marks === TUNNEL ? "tunnel" : marks === BRIDGE ? "bridge" : null;
}

/** Of a place: less is more important; below 64. */
export function markRank(rank: number, tags: OsmTags): number {
  return rank * 7 + 6 - fameOf(tags);
}

/** 0 to 6: by inhabitants, from a hundred to a hundred million. */
export function fameOf(tags: OsmTags): number {
  const people = Number(tags.get("population") ?? Number.NaN);
  const power = people >= 1000 ? Math.min(6, Math.floor(Math.log10(people)) - 2) : 0;
  return tags.get("capital") === "yes" ? Math.max(power, 4) : power;
}
