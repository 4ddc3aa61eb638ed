/**
 * The one rule of filters with three values (packages/api/filter-match): what is known not to fit is
 * left out; what stays is known to fit, or unknown for the filters that it names.
 */
import type { MatchBody, MatchFilter, NearestKnown } from "#api/filter-match.ts";
import type { FORM_FACTORS } from "#api/tokens.ts";

type FormFactor = (typeof FORM_FACTORS)[number];

/** Before 2.3 of GBFS a scooter was one with a seat or without. */
export function kindsOfForm(form: FormFactor): FormFactor[] {
  return form === "scooter" ? [form, "scooter_standing", "scooter_seated"] : [form];
}

/** Whether a thing fits one filter; null: not known. */
export type Fits = boolean | null;

/** Verdict of a thing that is known not to fit. */
export const LEFT_OUT = -1;
/** Verdict of a thing that is known to fit all filters. */
export const KNOWN = 0;

/** Judges by what each filter says: LEFT_OUT, or a bit for each that does not know; at most 30 filters. */
export function judgeFits(fits: readonly Fits[]): number {
  let unknown = KNOWN;
  for (let i = 0; i < fits.length; i++) {
    if (fits[i] === false) return LEFT_OUT;
    if (fits[i] === null) unknown |= 1 << i;
  }
  return unknown;
}

/** Lists the filters whose bit is set. */
export function listUnknown<F>(verdict: number, filters: readonly F[]): F[] {
  return filters.filter((_, i) => verdict & (1 << i));
}

/** Members of a result. */
export function toMatch(unknown: readonly MatchFilter[]): MatchBody {
  return { match: unknown.length === 0 ? "known" : "unknown", unknown };
}

/** Adds one more filter to what a result says; `fits`: known to, or not known. */
export function alsoJudged(
  { unknown = [] }: { unknown?: readonly MatchFilter[] | undefined },
  filter: MatchFilter,
  fits: true | null,
): MatchBody {
  return toMatch(fits === null ? [...new Set([...unknown, filter])] : unknown);
}

/** Most things at one stated distance that are compared by id. */
const MOST_TIES = 64;

/** The nearest of the things that are known to fit, by stated distance, then id. */
export class Nearest {
  #least = Number.POSITIVE_INFINITY;
  #makes: (() => NearestKnown)[] = [];

  /** `make` is called for those that are as near as the nearest, once all are in. */
  add(distance_meters: number, make: () => NearestKnown): void {
    if (distance_meters > this.#least) return;
    if (distance_meters < this.#least) this.#makes = [];
    this.#least = distance_meters;
    if (this.#makes.length < MOST_TIES) this.#makes.push(make);
  }

  /** null: none is known to fit. */
  get(): NearestKnown | null {
    let first: NearestKnown | null = null;
    for (const make of this.#makes) {
      const each = make();
      if (first === null || each.id < first.id) first = each;
    }
    return first;
  }
}
