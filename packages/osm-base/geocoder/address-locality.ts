/** Where addresses say that they are, where that is not the municipality which is drawn there. */
import type { Facts } from "./facts.ts";
import { topOf } from "./facts.ts";
import type { Intake } from "./intake.ts";
import type { Locality } from "./locality.ts";
import type { Point7 } from "./metres.ts";
import type { NamedParts } from "./parts.ts";
import type { Places } from "./place-table.ts";

/** An address whose city is not this municipality is found by either. */
export const MAX_CITIES = 8;

type Sources = { intake: Intake; places: Places; named: NamedParts };

/** City that most addresses name, as a text by number; 0: none, or parts of one only. */
export function cityOf(
  { intake, named: { isPart } }: Omit<Sources, "places">,
  cities: Facts["cities"] | undefined,
  point: Point7,
): number {
  const names = topOf(intake.texts, [cities], MAX_CITIES);
  return names.find((text) => !isPart(text, point)) ?? 0;
}

/**
 * Where an address says it is: in a village that it names, and that is not the municipality which is
 * drawn there. A postcode and a city of one answer are those of one address then.
 */
export function localityOfAddress(
  { places, named }: Pick<Sources, "places" | "named">,
  locality: Locality,
  { city, ...point }: Point7 & { city: number },
): Locality {
  if (locality.city < 0 || !named.isTown(city, point)) return locality;
  if (named.isNameOf(city, places.docs[locality.city]!.names)) return locality;
  return { ...locality, city: -1, holding: [...new Set([locality.city, ...locality.holding])] };
}
