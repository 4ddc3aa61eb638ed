/** The vocabulary of attributes as a check: no other name, type or value (decisions, Attributes). */
import { Compile } from "typebox/compile";
import { factMembers, type PlaceKind, PLACE_KINDS } from "#api/attributes.ts";
import { Type } from "typebox";
import { ChargingAttributes, ParkingAttributes } from "#api/services.ts";

/** Members of §2.4 and §2.5 in addition to the facts. */
const OWN: Partial<Record<PlaceKind, object>> = {
  parking: ParkingAttributes.properties,
  charging: ChargingAttributes.properties,
};

const CHECKS = new Map(
  PLACE_KINDS.map((kind) => {
    const members = { ...factMembers(kind), ...(OWN[kind] as Record<string, never>) };
    return [kind, Compile(Type.Object(members, { additionalProperties: false }))] as const;
  }),
);

/** What is wrong with the attributes of a place; null: nothing. */
export function vocabularyProblem(kind: PlaceKind, attributes: object): string | null {
  const [error] = [...CHECKS.get(kind)!.Errors(attributes)];
  return error ? `${kind}: ${JSON.stringify(error)}: ${JSON.stringify(attributes)}` : null;
}
