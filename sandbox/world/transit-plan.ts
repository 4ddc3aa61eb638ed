// Who runs what in which city: invented operators, the modes of their lines, and GTFS route types.
import type { City } from "./model.ts";
import type { Part, TransitMode } from "./transit-model.ts";

export type Role = "urban" | "rail" | "coach" | "water";

export type TransitPlan = {
  readonly operators: Readonly<Record<Role, string>>;
  readonly modes: readonly TransitMode[];
  /** The railways have a feed of their own. */
  readonly split: boolean;
  /** They have one, and the city's feed publishes their lines as well. */
  readonly echo: boolean;
  readonly types: "basic" | "extended";
  /** Ramps were never surveyed in this city. */
  readonly unsurveyed: boolean;
};

const DRY: readonly TransitMode[] = [
  ...(["metro", "metro", "tram", "tram", "bus", "bus", "bus", "bus"] as const),
  ...(["rail", "rapid_transit", "rapid_transit", "coach"] as const),
];
const WET: readonly TransitMode[] = [...DRY, "ferry"];
const CABLE: readonly TransitMode[] = [...WET, "cable_transport"];
const CAPE: readonly TransitMode[] = [
  ...(["rail", "bus", "bus", "bus", "bus", "bus", "bus"] as const),
  ...(["rapid_transit", "rail", "coach", "coach", "ferry"] as const),
];
const ISLAND: readonly TransitMode[] = [
  ...(["bus", "bus", "bus", "bus", "bus", "bus", "coach", "coach", "ferry", "ferry"] as const),
];

type Row = readonly [
  operators: readonly [urban: string, rail: string, coach: string, water: string],
  modes: readonly TransitMode[],
  marks: string,
];

const ROWS: Readonly<Record<string, Row>> = {
  paris: [["Régie Lutécie", "Rail des Îles", "Cars Bleuet", "Vedettes Ondine"], WET, "split ext"],
  london: [
    ["Capital & City Transport", "Thamesway Rail", "Redline Coaches, Ltd", "River Lark Boats"],
    WET,
    "",
  ],
  berlin: [["Spreewerke", "Ringbahn Mitte", "Märkische Linie", "Havelfähren"], WET, "split ext"],
  madrid: [["Transportes Oso", "Cercanía Madroño", "Autocares Retama", "-"], DRY, "ext"],
  warsaw: [["Tramwaje Syrena", "Koleje Wiślane", "Autokary Bocian", "-"], DRY, ""],
  "new-york": [
    ["Five Quarters Transit", "Sound & Hudson Rail", "Turnpike Lines", "Harbor Gull"],
    WET,
    "split",
  ],
  "san-francisco": [
    ["Fogbelt Transit", "Peninsula Local", "Goldcoach", "Bay Pelican Ferries"],
    CABLE,
    "",
  ],
  "mexico-city": [["Movilidad Ajolote", "Tren del Valle", "Autobuses Nopal", "-"], DRY, "blind"],
  "sao-paulo": [["Transporte Ipê", "Trens Bandeira", "Viação Tucano", "-"], DRY, "ext"],
  tokyo: [["桜都交通", "若水鉄道", "星空バス", "河岸汽船"], WET, "split"],
  sydney: [["Wattle Transit", "Bluegum Rail", "Outback Express", "Harbour Terns"], WET, "ext"],
  "cape-town": [["Fynbus", "Kaap Rail", "Karoo Liners", "Seal Ferries"], CAPE, "ext echo"],
  taveuni: [["Island Buses", "-", "Dateline Coaches", "Lagoon Boats"], ISLAND, ""],
};

export function planOf({ id }: City): TransitPlan {
  const row = ROWS[id];
  if (row === undefined) throw new Error(`no public transport is planned for ${id}`);
  const [[urban, rail, coach, water], modes, marks] = row;
  return {
    operators: { urban, rail, coach, water },
    modes,
    split: marks.includes("split"),
    echo: marks.includes("echo"),
    types: marks.includes("ext") ? "extended" : "basic",
    unsurveyed: marks.includes("blind"),
  };
}

const ROLES: Readonly<Record<TransitMode, Role>> = {
  metro: "urban",
  tram: "urban",
  bus: "urban",
  cable_transport: "urban",
  rail: "rail",
  rapid_transit: "rail",
  coach: "coach",
  ferry: "water",
};

/** Every fourth bus line is run by the coaches. */
export const roleOf = (mode: TransitMode, nth: number): Role =>
  mode === "bus" && nth === 3 ? "coach" : ROLES[mode];

export const partOf = (role: Role, { split }: TransitPlan): Part =>
  split && role === "rail" ? 1 : 0;

export const partsOf = (role: Role, plan: TransitPlan): Part[] =>
  plan.echo && role === "rail" ? [0, 1] : [partOf(role, plan)];

/** mobility.md 3.2: 12 and 109 are the least that a rapid transit line can be. */
const TYPES: Readonly<
  Record<TransitPlan["types"], Readonly<Record<TransitMode, readonly number[]>>>
> = {
  basic: {
    metro: [1],
    tram: [0],
    bus: [3, 3, 3, 11],
    rail: [2],
    rapid_transit: [109, 12],
    ferry: [4],
    coach: [200],
    cable_transport: [5],
  },
  extended: {
    metro: [400, 401],
    tram: [900, 0],
    bus: [700, 704, 702, 3],
    rail: [106, 100],
    rapid_transit: [109, 405],
    ferry: [1000],
    coach: [200, 208],
    cable_transport: [1400],
  },
};

export function routeTypeOf(mode: TransitMode, nth: number, { types }: TransitPlan): number {
  const list = TYPES[types][mode];
  return list[nth % list.length] ?? 3;
}
