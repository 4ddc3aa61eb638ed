/** How documents of a base and where they are are called in a language. */
import type { Address } from "./candidate.ts";
import { countryName } from "./contexts.ts";
import type { Locality } from "./locality.ts";
import type { View } from "./geocoder-view.ts";

const DEFAULT_LANGUAGE = "en";

/** Parts of an address; unknown is null. */
type Where = Omit<Address, "formatted">;

export type GeocodeNaming = {
  language: string;
  /** null: it has no name. */
  nameOf(doc: number): string | null;
  /** Of a document, with its own postcode or another. */
  whereOf(doc: number, postcode: number): Where;
  /** City and region by area, which a street may have several of. */
  cityOf(locality: Locality): Partial<Address>;
  /** Of a document, or of a point of it that is in another municipality or country than most of it. */
  whereAt(doc: number, at?: Locality): { where: Where; country_code: string | null };
  /** Of a point of a street that is in another country than the street, with no more than what is drawn there. */
  abroad(locality: Locality): Where;
};

/** `tag` is of a language, such as `de-AT`; null is English, as with other geocoders. */
export function createNaming(view: View, tag: string | null): GeocodeNaming {
  const full = (tag ?? DEFAULT_LANGUAGE).toLowerCase();
  const language = full.split("-")[0]!;
  const kinds = [full, language]
    .map((kind) => view.meta.name_kinds.indexOf(kind))
    .filter((kind) => kind > 0);
  const countries = new Map<string, string>();

  function nameOf(doc: number): string | null {
    const { starts, texts, kinds: of } = view.sets;
    const set = view.docs.set[doc]!;
    const [from, to] = [starts[set]!, starts[set + 1]!];
    if (from === to) return null;
    for (const kind of kinds)
      for (let at = from; at < to; at++) if (of[at] === kind) return view.text(texts[at]!);
    return view.text(texts[from]!);
  }

  function countryOf(code: string): string | null {
    if (code === "") return null;
    let name = countries.get(code);
    if (name === undefined) countries.set(code, (name = countryName(code, language)));
    return name;
  }

  const named = (doc: number, text: number): string | null =>
    doc >= 0 ? nameOf(doc) : view.text(text) || null;

  function whereOf(doc: number, postcode: number): Where {
    const { contexts, docs } = view;
    const context = docs.context[doc]!;
    return {
      street: null,
      street_number: null,
      city: named(contexts.city[context]!, contexts.city_name[context]!),
      postal_code: view.text(postcode || docs.postcode[doc]!) || null,
      region: named(contexts.region[context]!, contexts.region_name[context]!),
      country: countryOf(view.text(contexts.country[context]!)),
    };
  }

  function cityOf({ city, region }: Locality): Partial<Address> {
    return {
      ...(city < 0 ? {} : { city: nameOf(city) }),
      ...(region < 0 ? {} : { region: nameOf(region) }),
    };
  }

  /** The same of a street where it is in another municipality than most of it, with a postcode of that one. */
  function elsewhereOf({ postcode, ...locality }: Locality): Partial<Address> {
    const own = locality.city < 0 ? 0 : view.docs.postcode[locality.city]!;
    return {
      ...cityOf({ postcode, ...locality }),
      postal_code: postcode || view.text(own) || null,
    };
  }

  function abroad(locality: Locality): Where {
    const none = { street: null, street_number: null, city: null, region: null };
    const country = countryOf(locality.country ?? "");
    return { ...none, country, ...elsewhereOf(locality), postal_code: locality.postcode || null };
  }

  function whereAt(doc: number, at?: Locality): { where: Where; country_code: string | null } {
    const code = codeOf(view, doc);
    const where = whereOf(doc, 0);
    if (!at) return { where, country_code: code };
    if (at.country !== code) return { where: abroad(at), country_code: at.country };
    const city = view.contexts.city[view.docs.context[doc]!];
    const isHere = at.city < 0 || at.city === city;
    return { where: isHere ? where : { ...where, ...elsewhereOf(at) }, country_code: code };
  }

  return { language, nameOf, whereOf, whereAt, cityOf, abroad };
}

/** Code of the country that a document is in; null: unknown. */
export function codeOf({ contexts, docs, text }: View, doc: number): string | null {
  return text(contexts.country[docs.context[doc]!]!) || null;
}
