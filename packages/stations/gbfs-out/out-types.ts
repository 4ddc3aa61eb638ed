/**
 * vehicle_types of a system in GBFS 3.0 and 2.3. A type is listed where what the format demands of it is
 * known: its propulsion, and of one with a motor its range.
 */
import { ACCESSORIES, RETURN_CONSTRAINTS } from "#api/tokens.ts";
import type { VehicleType } from "../entities.ts";
import type { OutRow, OutVersion, ToText } from "./out-envelope.ts";

const FORMS: ReadonlyMap<string, string> = new Map([
  ...[
    "bicycle",
    "cargo_bicycle",
    "car",
    "moped",
    "scooter_standing",
    "scooter_seated",
    "other",
  ].map((form) => [form, form] as const),
  ["bike", "bicycle"],
  ["cargo_bike", "cargo_bicycle"],
  // The word of 2.1 for those that are ridden standing.
  ["scooter", "scooter_standing"],
]);
const PROPULSIONS: ReadonlySet<string | null> = new Set([
  ...["human", "electric_assist", "electric", "combustion"],
  ...["combustion_diesel", "hybrid", "plug_in_hybrid", "hydrogen_fuel_cell"],
]);
const KNOWN_ACCESSORIES: ReadonlySet<string> = new Set(ACCESSORIES);
const RETURNS: ReadonlySet<string | null> = new Set(RETURN_CONSTRAINTS);

/** Reports whether all is known of a type that a file has to say of it. */
export function isListed({ propulsion, max_range_m, form_factor }: VehicleType): boolean {
  if (!FORMS.has(form_factor ?? "") || !PROPULSIONS.has(propulsion)) return false;
  return propulsion === "human" || max_range_m !== null;
}

export type TypeOptions = {
  version: OutVersion;
  toText: ToText;
  /** Ids of the pricing plans that the system lists. */
  plan_ids: ReadonlySet<string>;
};

export function typeRow(type: VehicleType, { version, toText, plan_ids }: TypeOptions): OutRow {
  const { id, form_factor, propulsion, max_range_m, return_constraint } = type;
  const { rider_capacity, max_permitted_speed } = type;
  const accessories = type.accessories.filter((each) => KNOWN_ACCESSORIES.has(each));
  const isFree = version === "2.3" && form_factor === "scooter";
  return {
    vehicle_type_id: id,
    form_factor: isFree ? form_factor : FORMS.get(form_factor ?? ""),
    propulsion_type: propulsion,
    ...(max_range_m === null ? {} : { max_range_meters: max_range_m }),
    ...textMembers(type, toText),
    ...(accessories.length === 0 ? {} : { vehicle_accessories: accessories }),
    // That a type can be reserved is known without the minutes; that it cannot is a number.
    ...(type.reservable === false ? { default_reserve_time: 0 } : {}),
    ...(RETURNS.has(return_constraint) ? { return_constraint } : {}),
    ...(rider_capacity === undefined ? {} : { rider_capacity }),
    ...(max_permitted_speed === undefined ? {} : { max_permitted_speed }),
    ...plansOf(type, plan_ids),
  };
}

function plansOf(type: VehicleType, plan_ids: ReadonlySet<string>): OutRow {
  const { pricing_plan_id: id, pricing_plan_ids: ids = [] } = type;
  const listed = ids.filter((each) => plan_ids.has(each));
  return {
    ...(id != null && plan_ids.has(id) ? { default_pricing_plan_id: id } : {}),
    ...(listed.length === 0 ? {} : { pricing_plan_ids: listed }),
  };
}

const TEXTS = ["name", "make", "model"] as const;

function textMembers(type: VehicleType, toText: ToText): OutRow {
  return Object.fromEntries(
    TEXTS.flatMap((name) => (type[name] === null ? [] : [[name, toText(type[name])]])),
  );
}
