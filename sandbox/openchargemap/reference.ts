// Open Charge Map's numbers and what they mean (places.md 7.1).
import { CITIES } from "../world/cities.ts";
import { countryOf } from "../world/countries.ts";
import { operatorsOf } from "../world/service-words.ts";

type NamedRow = { readonly ID: number; readonly Title: string };

const OPERATORS: readonly NamedRow[] = operatorsOf("charging").map((Title, n) => ({
  ID: 3000 + n,
  Title,
}));
const COUNTRIES = [...new Set(CITIES.map(({ country }) => country))].map((code, n) => ({
  ISOCode: code,
  ContinentCode: null,
  ID: 10 + n * 7,
  Title: countryOf(code).english,
}));

export const operatorId = (title: string): number | null =>
  OPERATORS.find(({ Title }) => Title === title)?.ID ?? null;
export const countryId = (code: string): number | null =>
  COUNTRIES.find(({ ISOCode }) => ISOCode === code)?.ID ?? null;

/** Ids by the standard's name in OCPI; Europe's household plug is one of many others. */
export const CONNECTION_IDS: Readonly<Record<string, readonly number[]>> = {
  IEC_62196_T1: [1],
  IEC_62196_T1_COMBO: [32],
  IEC_62196_T2: [25, 1036],
  IEC_62196_T2_COMBO: [33],
  CHADEMO: [2],
  DOMESTIC_E: [23],
  SAE_J3400: [27],
};

const named = (rows: Readonly<Record<number, string>>): NamedRow[] =>
  Object.entries(rows).map(([id, Title]) => ({ ID: Number(id), Title }));

export const REFERENCE = {
  ChargerTypes: named({ 1: "Level 1 : Low", 2: "Level 2 : Medium", 3: "Level 3:  High" }),
  ConnectionTypes: named({
    0: "Unknown",
    1: "Type 1 (J1772)",
    2: "CHAdeMO",
    8: "Tesla (Roadster)",
    23: "CEE 7/5",
    25: "Type 2 (Socket Only)",
    27: "NACS / Tesla Supercharger",
    28: "CEE 7/4 - Schuko - Type F",
    30: "Tesla (Model S/X)",
    32: "CCS (Type 1)",
    33: "CCS (Type 2)",
    1036: "Type 2 (Tethered Connector)",
    1040: "GB-T DC",
  }),
  Countries: COUNTRIES,
  CurrentTypes: named({ 10: "AC (Single-Phase)", 20: "AC (Three-Phase)", 30: "DC" }),
  DataProviders: [
    {
      ID: 1,
      Title: "Open Charge Map Contributors",
      WebsiteURL: "http://openchargemap.org",
      IsOpenDataLicensed: true,
      IsRestrictedEdit: false,
      License: "Licensed under Creative Commons Attribution 4.0 International (CC BY 4.0)",
    },
  ],
  Operators: [{ ID: 1, Title: "(Unknown Operator)" }, ...OPERATORS],
  StatusTypes: [
    { IsOperational: null, IsUserSelectable: true, ID: 0, Title: "Unknown" },
    {
      IsOperational: true,
      IsUserSelectable: false,
      ID: 10,
      Title: "Currently Available (Automated Status)",
    },
    {
      IsOperational: true,
      IsUserSelectable: false,
      ID: 20,
      Title: "Currently In Use (Automated Status)",
    },
    { IsOperational: true, IsUserSelectable: true, ID: 30, Title: "Temporarily Unavailable" },
    { IsOperational: true, IsUserSelectable: true, ID: 50, Title: "Operational" },
    { IsOperational: true, IsUserSelectable: true, ID: 75, Title: "Partly Operational (Mixed)" },
    { IsOperational: false, IsUserSelectable: true, ID: 100, Title: "Not Operational" },
    { IsOperational: false, IsUserSelectable: true, ID: 150, Title: "Planned For Future Date" },
    { IsOperational: false, IsUserSelectable: true, ID: 200, Title: "Removed (Decommissioned)" },
    {
      IsOperational: false,
      IsUserSelectable: false,
      ID: 210,
      Title: "Removed (Duplicate Listing)",
    },
  ],
  SubmissionStatusTypes: [{ IsLive: true, ID: 200, Title: "Submission Published" }],
  UsageTypes: named({
    0: "(Unknown)",
    1: "Public",
    2: "Private - Restricted Access",
    4: "Public - Membership Required",
    3: "Privately Owned - Notice Required",
    5: "Public - Pay At Location",
    6: "Private - For Staff, Visitors or Customers",
    7: "Public - Notice Required",
  }),
  UserCommentTypes: named({ 10: "General Comment" }),
} as const;
