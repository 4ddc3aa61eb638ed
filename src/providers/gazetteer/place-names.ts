/** Places that a question names, by the exact names that the gazetteer has, in any language. */
import type { View } from "#osm/geocoder/geocoder-view.ts";
import type { Location } from "#kit/geo.ts";
import type { NamedSpan, PlaceNames } from "#core/places/named-place.ts";
import { createPlaceRelations } from "#providers/gazetteer/place-relations.ts";
import { asWritten } from "#providers/gazetteer/question-parts.ts";
import { createSpans } from "#providers/gazetteer/name-spans.ts";

/** `nearestTo`: document of the settlement that a point belongs to; null: none is near. */
export function createGazetteerNames(
  view: View,
  nearestTo: (at: Location) => number | null,
): PlaceNames {
  const { docs } = view;
  const relations = createPlaceRelations(view);
  const { toPlace, areOne } = relations;
  const findSpans = createSpans(view, relations);

  return {
    read(q) {
      const all = findSpans(q).filter((each) => each.docs.length > 0);
      // `Legnano, MI` is not in Michigan.
      const matches = all.filter(
        (each) =>
          each.isCode !== true ||
          all.every(
            (other) =>
              other === each ||
              !other.apart ||
              areOne(each.docs.map(toPlace), other.docs.map(toPlace)),
          ),
      );
      // `Dorf 49, Bern` is in Bern, and `Dorf, Bahnhofstrasse 49` in Dorf.
      const isBehind = matches.some((each) => each.apart && each.leads !== true);
      const spans = matches.map(({ words, docs: own_docs, apart, leads, text: called }) => ({
        words: words.map(({ text }) => text),
        text: called ?? asWritten(q, words),
        places: own_docs.map(toPlace),
        apart: apart && !(isBehind && leads === true),
      }));
      // At the end of a street's name a town is named only where what is apart is not elsewhere.
      const apart = spans.filter((span) => span.apart);
      const named_spans = spans.filter(
        (span) => span.apart || apart.every((other) => areOne(span.places, other.places)),
      );
      return named_spans.map((span): NamedSpan => {
        const others = named_spans.filter((other) => other !== span);
        const agreeing = span.places.filter((place) =>
          others.every((other) => areOne([place], other.places)),
        );
        return agreeing.length > 0 ? { ...span, places: agreeing } : span;
      });
    },
    hasSome({ doc: wide, kind }, fits) {
      const { contexts, meta } = view;
      const code = contexts.country[docs.context[wide]!]!;
      for (let doc = 0; doc < meta.places; doc++) {
        const context = docs.context[doc]!;
        const isIn =
          kind === "country"
            ? contexts.country[context] === code
            : contexts.region[context] === wide;
        if (
          isIn &&
          doc !== wide &&
          fits({ lat: docs.lat7[doc]! / 1e7, lon: docs.lon7[doc]! / 1e7 })
        )
          return true;
      }
      return false;
    },
    holds(place, { country, ...at }) {
      if (country !== null && place.country !== null && country !== place.country) return false;
      if (place.kind === "country") return country !== null;
      const nearest = nearestTo(at);
      if (nearest === null) return false;
      if (place.kind === "settlement") return nearest === place.doc;
      return view.contexts.region[docs.context[nearest]!] === place.doc;
    },
  };
}
