/** What a vehicle is, in the words of the API: its type as published, and a name for it. */
import { ACCESSORIES, FORM_FACTORS, PROPULSIONS, RETURN_CONSTRAINTS } from "#api/tokens.ts";
import { LIMITS } from "#api/limits.ts";
import type { Mode, VehicleType } from "../entities.ts";

/** Members are absent where the publisher states nothing that the format knows. */
export type PublicType = { form_factor?: FormFactor; propulsion?: Propulsion; name?: string };
export type Kind = Omit<PublicType, "name">;
type DescribedType = PublicType & {
  return_constraint?: (typeof RETURN_CONSTRAINTS)[number];
  rider_capacity?: number;
  max_permitted_speed?: number;
  accessories?: readonly (typeof ACCESSORIES)[number][];
};
type FormFactor = (typeof FORM_FACTORS)[number];
type Propulsion = (typeof PROPULSIONS)[number];

const KNOWN_FORMS: ReadonlyMap<string, FormFactor> = new Map<string, FormFactor>([
  ...FORM_FACTORS.map((form) => [form, form] as const),
  // Seen although never specified (mobility.md 1.12 #12).
  ["bike", "bicycle"],
  ["cargo_bike", "cargo_bicycle"],
]);

/** Words where a type has no name of its own (decisions, Names). */
const WORD_OF_FORM: Readonly<Record<string, string>> = {
  bicycle: "bike",
  cargo_bicycle: "cargo bike",
  car: "car",
  moped: "moped",
  scooter: "scooter",
  scooter_standing: "scooter",
  scooter_seated: "seated scooter",
};
const WORD_OF_MODE: Readonly<Record<Mode, string | null>> = {
  bicycle: "bike",
  scooter: "scooter",
  moped: "moped",
  car: "car",
  other: null,
};

/** Returns the published facts of a type; null: there is none that the format knows. */
export function toPublicType(type: VehicleType | null): PublicType | null {
  if (!type) return null;
  const form_factor = KNOWN_FORMS.get(type.form_factor ?? "");
  const propulsion = PROPULSIONS.find((each) => each === type.propulsion);
  const name = nameOfType(type);
  const facts = {
    ...(form_factor === undefined ? {} : { form_factor }),
    ...(propulsion === undefined ? {} : { propulsion }),
    ...(name === null ? {} : { name }),
  };
  return Object.keys(facts).length === 0 ? null : facts;
}

/** Returns what kind of vehicle it is; what is not stated is absent. */
export function toKind(type: VehicleType): Kind {
  const { name: _, ...kind } = toPublicType(type) ?? {};
  return kind;
}

/** Returns the published facts of a vehicle's type with what it can, carries and demands; null: none. */
export function toDescribedType(type: VehicleType | null): DescribedType | null {
  if (!type) return null;
  const { accessories, return_constraint, rider_capacity, max_permitted_speed } = type;
  const constraint = RETURN_CONSTRAINTS.find((each) => each === return_constraint);
  const listed = ACCESSORIES.filter((each) => accessories.includes(each));
  const facts = {
    ...toPublicType(type),
    ...(constraint === undefined ? {} : { return_constraint: constraint }),
    ...(rider_capacity === undefined ? {} : { rider_capacity }),
    ...(max_permitted_speed === undefined ? {} : { max_permitted_speed }),
    ...(listed.length === 0 ? {} : { accessories: listed }),
  };
  return Object.keys(facts).length === 0 ? null : facts;
}

/** `<brand> <type>`: the type's name, make and model, or the word for its kind. */
export function nameOfVehicle(brand: string, type: VehicleType | null, mode: Mode): string {
  const kind = (type && (nameOfType(type) ?? wordOf(type))) ?? WORD_OF_MODE[mode];
  if (kind === null) return brand;
  return kind.toLowerCase().includes(brand.toLowerCase()) ? kind : `${brand} ${kind}`;
}

function nameOfType({ name, make, model }: VehicleType): string | null {
  return name ?? ([make, model].filter((part) => part !== null).join(" ") || null);
}

function wordOf({ form_factor, electric }: VehicleType): string | null {
  const form = KNOWN_FORMS.get(form_factor ?? "") ?? "";
  const word = WORD_OF_FORM[form];
  if (word === undefined) return null;
  return electric === true ? `electric ${word}` : word;
}

/**
 * Reports whether a rule that states these kinds is for a vehicle of this type (null: not known).
 * Null: it may be, also where not every kind is stated.
 */
export function isAmong(kinds: readonly PublicType[], type: PublicType | null): boolean | null {
  if (type !== null && kinds.some((kind) => isSame(kind, type))) return true;
  return type === null || kinds.length >= LIMITS.nearby.zone_types_max ? null : false;
}

function isSame(a: PublicType, b: PublicType): boolean {
  return a.form_factor === b.form_factor && a.propulsion === b.propulsion && a.name === b.name;
}
