/**
 * Finds the countries a coordinate lies in, offline. The borders are a megabyte of data that most
 * questions never need, so they are loaded with the first question that does.
 */
export type FindCountries = (lat: number, lon: number) => string[];

/** ISO 3166-1 alpha-2 codes of the point: the territory's and its country's (HK and CN). */
export async function loadCountries(): Promise<FindCountries> {
  const [{ iso1A2Codes }, { countryOfBorderTown }] = await Promise.all([
    import("@rapideditor/country-coder"),
    import("./border-towns.ts"),
  ]);
  return (lat, lon) => {
    const codes = iso1A2Codes([lon, lat]);
    const town = countryOfBorderTown(lat, lon);
    return town === null || codes.includes(town) ? codes : [town];
  };
}

/** Codes that are reserved for parts and unions of countries: no source calls a country so. */
const NO_COUNTRIES: ReadonlySet<string> = new Set("AC CP DG EA EU FX IC TA UN".split(" "));

/** The one code that a source would know the point's country or territory by; null: the sea. */
export function countryAt(find: FindCountries, lat: number, lon: number): string | null {
  return find(lat, lon).find((code) => !NO_COUNTRIES.has(code)) ?? null;
}
