/** What places of the gazetteer are, and which of them are in which. */
import type { View } from "#osm/geocoder/geocoder-view.ts";
import type { NamedPlace } from "#core/places/named-place.ts";

export const REGIONS: ReadonlySet<string> = new Set(["state", "county"]);

export type PlaceRelations = {
  toPlace(doc: number): NamedPlace;
  /** Whether some of one list are in some of the other, or the other way round. */
  areOne(a: readonly NamedPlace[], b: readonly NamedPlace[]): boolean;
  isWithin(inner: NamedPlace, outer: NamedPlace): boolean;
};

export function createPlaceRelations(view: View): PlaceRelations {
  const { docs } = view;

  function toPlace(doc: number): NamedPlace {
    const kind = kindOf(view, doc);
    return {
      doc,
      kind: kind === "country" ? "country" : REGIONS.has(kind) ? "region" : "settlement",
      country: view.text(view.contexts.country[docs.context[doc]!]!) || null,
      lat: docs.lat7[doc]! / 1e7,
      lon: docs.lon7[doc]! / 1e7,
    };
  }

  function isWithin(inner: NamedPlace, outer: NamedPlace): boolean {
    if (outer.kind === "country") return inner.country === outer.country;
    return outer.kind === "region" && view.contexts.region[docs.context[inner.doc]!] === outer.doc;
  }

  function areOne(a: readonly NamedPlace[], b: readonly NamedPlace[]): boolean {
    return a.some((one) => b.some((other) => isWithin(one, other) || isWithin(other, one)));
  }

  return { toPlace, areOne, isWithin };
}

export function kindOf(view: View, doc: number): string {
  return view.text(view.docs.kind[doc]!).slice("place=".length);
}
