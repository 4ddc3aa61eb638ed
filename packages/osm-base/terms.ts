/** Terms of everything that comes from the open map, by whichever server or file. */
export const OPEN_MAP_TERMS = {
  attribution: "© OpenStreetMap contributors",
  attribution_url: "https://www.openstreetmap.org/copyright",
  licence: "ODbL-1.0",
  licence_url: "https://opendatacommons.org/licenses/odbl/1-0/",
  store: "all",
} as const;
