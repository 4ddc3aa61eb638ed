/** Parking facts of a place (§2.4; places.md 1.4). */
import { type Row, toRow, toText, toTexts } from "#kit/coerce.ts";

const FEATURES: readonly (readonly [option: string, feature: string])[] = [
  ["freeParkingLot", "free_parking"],
  ["paidParkingLot", "paid_parking"],
  ["freeStreetParking", "free_street_parking"],
  ["paidStreetParking", "paid_street_parking"],
  ["valetParking", "valet_parking"],
  ["freeGarageParking", "free_garage_parking"],
  ["paidGarageParking", "paid_garage_parking"],
];

/** Types that say what it is, newer than the plain `parking`. */
const KINDS: ReadonlyMap<string, "garage" | "lot"> = new Map(
  Object.entries({
    parking_garage: "garage",
    parking_lot: "lot",
  }),
);

/** The contract's `primary_type`. */
export const PARKING_TYPES: readonly string[] = ["parking", ...KINDS.keys()];

type Parking = { kind: "parking" | "garage" | "lot"; features: string[] };

/** An option that is not said, or false, is no feature. */
export function toParking(row: Row): Parking {
  const options = toRow(row["parkingOptions"]) ?? {};
  const reported = FEATURES.filter(([option]) => options[option] === true);
  return {
    kind: toKind(
      row,
      reported.map(([option]) => option),
    ),
    features: reported.map((one) => one[1]),
  };
}

/**
 * Whether it costs something, as the vocabulary has it; null: nothing is said, or it has both free
 * and paid spaces.
 */
export function feeOf({ features }: Parking): boolean | null {
  const isFree = features.some((feature) => feature.startsWith("free_"));
  const isPaid = features.some((feature) => feature.startsWith("paid_"));
  return isFree === isPaid ? null : isPaid;
}

function toKind(row: Row, options: readonly string[]): Parking["kind"] {
  const primary = KINDS.get(toText(row["primaryType"]) ?? "");
  if (primary) return primary;
  const types = toTexts(row["types"]);
  const names = [...KINDS.keys()].filter((type) => types.includes(type));
  if (names.length === 1) return KINDS.get(names[0]!)!;
  if (options.some((option) => option.includes("Garage"))) return "garage";
  return options.some((option) => option.endsWith("Lot")) ? "lot" : "parking";
}
