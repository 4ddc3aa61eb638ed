// The field mask of the Places API: nothing is answered that was not asked for by name.

const ROOTS = ["places", "nextPageToken", "routingSummaries", "contextualContents", "searchUri"];

/** The members of google.maps.places.v1.Place. */
const PLACE = new Set(
  [
    "name id displayName types primaryType primaryTypeDisplayName nationalPhoneNumber",
    "internationalPhoneNumber formattedAddress shortFormattedAddress postalAddress",
    "addressComponents plusCode location viewport rating googleMapsUri websiteUri reviews",
    "regularOpeningHours currentOpeningHours timeZone photos adrFormatAddress businessStatus",
    "priceLevel attributions iconMaskBaseUri iconBackgroundColor takeout delivery dineIn",
    "curbsidePickup reservable servesBreakfast servesLunch servesDinner servesBeer servesWine",
    "servesBrunch servesVegetarianFood currentSecondaryOpeningHours",
    "regularSecondaryOpeningHours editorialSummary outdoorSeating liveMusic menuForChildren",
    "servesCocktails servesDessert servesCoffee goodForChildren allowsDogs restroom",
    "goodForGroups goodForWatchingSports paymentOptions parkingOptions subDestinations",
    "fuelOptions evChargeOptions generativeSummary containingPlaces addressDescriptor",
    "googleMapsLinks priceRange reviewSummary evChargeAmenitySummary neighborhoodSummary",
    "pureServiceAreaBusiness userRatingCount utcOffsetMinutes accessibilityOptions",
  ]
    .join(" ")
    .split(" "),
);

export type Mask = readonly (readonly string[])[];

/** The paths, or the first of them that names nothing; a space is no part of a name. */
export function readMask(raw: string): { mask: Mask } | { unknown: string } {
  const paths = raw.split(",");
  const unknown = paths.find((path) => !isKnown(path.split(".")));
  return unknown === undefined ? { mask: paths.map((path) => path.split(".")) } : { unknown };
}

function isKnown([root = "", member]: readonly string[]): boolean {
  if (root === "*") return member === undefined;
  if (!ROOTS.includes(root)) return false;
  return root !== "places" || member === undefined || member === "*" || PLACE.has(member);
}

/** Returns what the mask names of a value; undefined: nothing. */
export function project(value: unknown, mask: Mask): unknown {
  if (mask.some(([first]) => first === undefined || first === "*")) return value;
  if (Array.isArray(value)) return value.map((each) => project(each, mask) ?? {});
  if (typeof value !== "object" || value === null) return undefined;
  const remaining = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const below = mask.filter(([first]) => first === name).map(([, ...rest]) => rest);
    const part = below.length === 0 ? undefined : project(member, below);
    return part === undefined ? [] : [[name, part]];
  });
  return Object.fromEntries(remaining);
}
