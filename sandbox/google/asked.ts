// A question to the Places API whose key, body and mask are good, and the form of its answer.
import { answerJson, type Reply } from "../http.ts";
import type { Addresses } from "../world/addresses.ts";
import type { World } from "../world/world.ts";
import type { Body } from "./body.ts";
import { type Mask, project } from "./mask.ts";
import type { Place, PlaceContext } from "./place.ts";

export type PlacesDeps = {
  readonly world: World;
  readonly addresses: Addresses;
  readonly now: () => number;
  readonly old: boolean;
};

export type PlaceRequest = {
  readonly body: Body;
  readonly mask: Mask;
  readonly context: PlaceContext;
};

/** The most that one answer holds. */
export const PAGE = 20;

/** 0 or absent: the most; null: beyond what is allowed. */
export function countIn(body: Body, name: string): number | null {
  const count = (body[name] as number | undefined) ?? 0;
  if (count < 0 || count > PAGE) return null;
  return count === 0 ? PAGE : count;
}

/** Projected to the mask; nothing found is an empty object. */
export function answerWith(
  places: readonly Place[],
  { mask }: PlaceRequest,
  more: Place = {},
): Reply {
  const full = { ...(places.length === 0 ? {} : { places }), ...more };
  return answerJson(200, project(full, mask) ?? {});
}
