/** Loaded systems by brand (§4.11). Systems come and go with their catalogue. */
import { type Brand, brandOf, slugsOf } from "#stations/identity/brand-names.ts";

export type BrandedSystems = {
  /** By slug, the systems of each brand, by their source ids. */
  bySlug: ReadonlyMap<string, BrandSystems>;
  /** Slugs of other names under which a system of the brand is published, in any language. */
  byOtherName: ReadonlyMap<string, BrandSystems>;
  /** By source id. */
  of: ReadonlyMap<string, Brand>;
};

type BrandSystems = { brand: Brand; source_ids: ReadonlySet<string> };

/** `names`: every name under which it is published. */
type System = { id: string; name: string; names: readonly string[]; provider: string };

/** Names hardly change, and there may be thousands. */
const KEPT_MS = 30_000;
/** Others repeat what operators publish themselves, in no form that distinguishes brands. */
const PUBLISHER = "gbfs";

/** Finds the systems of a brand; `list`: the loaded systems. */
export function createBrands(
  list: () => readonly System[],
  now: () => number,
): () => BrandedSystems {
  let stored: { at_ms: number; systems: BrandedSystems } | null = null;
  return () => {
    const now_ms = now();
    if (!stored || now_ms - stored.at_ms >= KEPT_MS) {
      stored = { at_ms: now_ms, systems: toBranded(list()) };
    }
    return stored.systems;
  };
}

function toBranded(systems: readonly System[]): BrandedSystems {
  const bySlug = new Map<string, { brand: Brand; source_ids: Set<string> }>();
  const byOtherName = new Map<string, { brand: Brand; source_ids: Set<string> }>();
  const of = new Map<string, Brand>();
  for (const system of systems) {
    if (system.provider !== PUBLISHER) continue;
    const brand = brandOf(system);
    if (!brand) continue;
    of.set(system.id, brand);
    const entry = bySlug.get(brand.slug) ?? { brand, source_ids: new Set<string>() };
    entry.source_ids.add(system.id);
    bySlug.set(brand.slug, entry);
    for (const slug of slugsOf(brand, system.names)) {
      const other = byOtherName.get(slug) ?? { brand, source_ids: new Set<string>() };
      other.source_ids.add(system.id);
      byOtherName.set(slug, other);
    }
  }
  return { bySlug, byOtherName, of };
}
