/** The list of networks (`/v2/networks`): one call names them all, with the centre of each city. */
import type { Location } from "#kit/geo.ts";
import { type Row, toId, toList, toName, toRow, toText } from "#kit/coerce.ts";
import { readLocation } from "../gbfs/gbfs-rows.ts";

export type CityBikesNetwork = {
  id: string;
  name: string;
  /** Operator, as listed. */
  companies: string[];
  /** The feed CityBikes itself reads; null: it reads something else. */
  gbfs_url: string | null;
  city: string | null;
  /** ISO 3166-1 alpha-2, upper case; null: not stated, or in no form we know. */
  country: string | null;
  /** The centre of the city: no more is known of a network before it is read. */
  centre: Location | null;
};

/**
 * Reads the list, in its envelope or bare; null: not a list of networks. A row that is no network
 * is left out; one that holds none is of something else.
 */
export function readNetworks(wire: unknown): CityBikesNetwork[] | null {
  const rows = Array.isArray(wire) ? wire : toRow(wire)?.["networks"];
  if (!Array.isArray(rows)) return null;
  const networks = new Map<string, CityBikesNetwork>();
  for (const value of rows) {
    const network = readNetwork(value);
    if (network && !networks.has(network.id)) networks.set(network.id, network);
  }
  const isOther = networks.size === 0 && (Array.isArray(wire) || rows.length > 0);
  return isOther ? null : [...networks.values()];
}

/** Reads what a network says of itself, in the list as in its own document. */
export function readNetwork(value: unknown): CityBikesNetwork | null {
  const row = toRow(value);
  const id = toId(row?.["id"]);
  if (!row || id === null || !ID.test(id)) return null;
  const location = toRow(row["location"]);
  const centre = location ? readLocation(location) : null;
  const country = toText(location?.["country"])?.toUpperCase() ?? "";
  return {
    id,
    name: toName(row["name"]) ?? id,
    companies: companiesOf(row),
    gbfs_url: urlOf(row["gbfs_href"]),
    city: toText(location?.["city"]),
    country: ALPHA_2.test(country) ? country : (ALPHA_3[country] ?? null),
    centre: typeof centre === "string" ? null : centre,
  };
}

/** Becomes a segment of an address. */
const ID = /^[A-Za-z0-9._-]{1,128}$/;
const ALPHA_2 = /^[A-Z]{2}$/;

/** Some networks state three letters (ISO 3166-1 alpha-3): countries that have bike share. */
const ALPHA_3: Readonly<Record<string, string>> = Object.fromEntries(
  "ARE:AE ARG:AR AUS:AU AUT:AT BEL:BE BGR:BG BIH:BA BRA:BR CAN:CA CHE:CH CHL:CL CHN:CN COL:CO CRI:CR CYP:CY CZE:CZ DEU:DE DNK:DK ECU:EC ESP:ES EST:EE FIN:FI FRA:FR GBR:GB GEO:GE GRC:GR HKG:HK HRV:HR HUN:HU IDN:ID IND:IN IRL:IE ISL:IS ISR:IL ITA:IT JPN:JP KAZ:KZ KOR:KR LIE:LI LTU:LT LUX:LU LVA:LV MAR:MA MCO:MC MEX:MX MLT:MT NLD:NL NOR:NO NZL:NZ PER:PE POL:PL PRI:PR PRT:PT QAT:QA ROU:RO RUS:RU SAU:SA SGP:SG SRB:RS SVK:SK SVN:SI SWE:SE THA:TH TUR:TR TWN:TW UKR:UA URY:UY USA:US ZAF:ZA"
    .split(" ")
    .map((pair) => pair.split(":")),
);

function companiesOf(row: Row): string[] {
  const { company } = row;
  const listed = Array.isArray(company) ? toList(company) : [company];
  return listed.map(toName).filter((text) => text !== null);
}

function urlOf(value: unknown): string | null {
  const text = toText(value);
  return text !== null && /^https?:\/\//i.test(text) ? text : null;
}
