/** Whether two systems rent vehicles of one brand (R11): only then may an id name one vehicle in both. */
import { isKnownBrand, brandOf } from "./brand-names.ts";
import { isOneSystem, KIN, kinshipOf, prepareFeed, type PreparedFeed } from "./kinship.ts";
import type { Feed } from "./observed-station.ts";

/** What a system says of whose its vehicles are. */
export type BrandFleet = {
  feed: PreparedFeed;
  /** Slug of its brand; null: it has no name. */
  brand: string | null;
  /** The brand is stated, or one that is known by its word: another one is another brand. */
  is_certain: boolean;
};

/** `stated`: the brand as the system publishes it; null: it does not. */
export function fleetOf(feed: Feed, name: string, stated: string | null): BrandFleet {
  const brand = brandOf({ id: feed.system_id, name: stated ?? name })?.slug ?? null;
  const is_certain = brand !== null && (stated !== null || isKnownBrand(brand));
  return { feed: prepareFeed(feed), brand, is_certain };
}

/** Reports whether both are of one brand; symmetrical. */
export function areOneBrand(a: BrandFleet, b: BrandFleet): boolean {
  if (a.brand !== null && a.brand === b.brand) return true;
  if (isOneSystem(a.feed, b.feed)) return true;
  return !(a.is_certain && b.is_certain) && kinshipOf(a.feed, b.feed) === KIN;
}
