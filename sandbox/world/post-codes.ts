// Post codes of the simulated cities: a few in each, and one for all of a street.
import { hashText, pick } from "../rng.ts";
import type { City } from "./model.ts";

const ENDS = ["04", "11", "12", "18"] as const;
/** Where a code is more than a number. */
const ENDS_IN: Readonly<Record<string, readonly string[]>> = {
  GB: ["4DU", "5HX", "6NS", "7JN"],
  BR: ["04-000", "11-000", "12-000", "18-000"],
};

/** None where the country has none. */
export const postCodesOf = ({ country, post_code }: City): readonly string[] =>
  post_code === "" ? [] : (ENDS_IN[country] ?? ENDS).map((end) => post_code + end);

/** Returns the code of a street, by its local name; "" where there is none. */
export function postCodeOf(city: City, street: string): string {
  const codes = postCodesOf(city);
  return codes.length === 0 ? "" : pick(codes, hashText(`${city.id} ${street}`));
}
