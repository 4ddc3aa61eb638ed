/**
 * Brands of shared vehicles (§4.11; decisions, Legacy routes): the name under which the public knows
 * the operator of a system. Those in many cities are recognised by a word of their systems' ids or
 * names; any other system is a brand of its own.
 */

export type Brand = {
  /** Its form in a path. */
  slug: string;
  name: string;
};

/** As their publishers write them, with the names they had before or go by elsewhere. */
const BRANDS: readonly { name: string; slug: string; aliases?: readonly string[] }[] = [
  { name: "Ariel", slug: "ariel" },
  { name: "Beryl", slug: "beryl" },
  { name: "Bird", slug: "bird" },
  { name: "Bolt", slug: "bolt" },
  { name: "Careem", slug: "careem" },
  { name: "Citiz", slug: "citiz" },
  { name: "Cooltra", slug: "cooltra" },
  { name: "Donkey Republic", slug: "donkey", aliases: ["donkeyrepublic"] },
  { name: "Dott", slug: "dott", aliases: ["tier"] },
  { name: "Felyx", slug: "felyx" },
  { name: "Getaround", slug: "getaround" },
  { name: "Lime", slug: "lime" },
  { name: "nextbike", slug: "nextbike" },
  { name: "Pony", slug: "pony", aliases: ["ponybikes", "getapony"] },
  { name: "Ryde", slug: "ryde" },
  { name: "Spin", slug: "spin" },
  { name: "Veo", slug: "veo", aliases: ["veoride"] },
  { name: "Voi", slug: "voi", aliases: ["voiscooters"] },
  { name: "Yego", slug: "yego" },
  { name: "Zeus", slug: "zeus" },
];

const KNOWN = new Map(
  BRANDS.flatMap(({ name, slug, aliases = [] }) =>
    [slug, ...aliases].map((word): [string, Brand] => [word, { name, slug }]),
  ),
);
/** The other route of that path (§4.12), which no brand may hide. */
const RESERVED = "freefloat";

/** Legal forms, which are no part of the name that the public uses. */
const LEGAL_FORM =
  /[\s,](?:ag|bv|b\.v\.|gmbh|inc\.?|llc|ltd\.?|limited|oy|plc|s\.?a\.?s?\.?|s\.?l\.?|s\.?p\.?a\.?|sp\. z o\.o\.)$/iu;

/** Slugs of every name under which a system is published, its brand's own among them. */
export function slugsOf(brand: Brand, names: readonly string[]): string[] {
  const slugs = names.flatMap((name) => [name, name.replace(LEGAL_FORM, "")]).map(toSlug);
  const known_slugs = slugs.filter((slug) => slug !== "" && slug !== RESERVED && !KNOWN.has(slug));
  return [...new Set([brand.slug, ...known_slugs])];
}

/** Returns the brand of a system; null: neither id nor name has a letter or digit. */
export function brandOf({ id, name }: { id: string; name: string }): Brand | null {
  const words = `${id} ${name}`.split(/[^\p{L}\p{N}]+/u).map((word) => word.toLowerCase());
  for (const word of words) {
    const entry = KNOWN.get(word);
    if (entry) return entry;
  }
  const slug = toSlug(name) || toSlug(id);
  if (slug === "") return null;
  return { slug: slug === RESERVED ? `${RESERVED}-${toSlug(id)}` : slug, name };
}

/** Reports whether a slug is that of a brand in many cities. */
export function isKnownBrand(slug: string): boolean {
  return KNOWN.has(slug);
}

/** Returns the slug that a path names, in any case and by any of its names. */
export function toBrandSlug(text: string): string {
  const slug = toSlug(text);
  return KNOWN.get(slug)?.slug ?? slug;
}

/** `Vélo Seine` → `velo-seine`. */
function toSlug(text: string): string {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-+|-+$/g, "");
}
