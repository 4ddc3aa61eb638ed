/**
 * What a request costs, as a multiple of what it costs a bare server that sends the same bytes: both
 * are processor time of one thread of one process, in turns of one run, so that neither the machine
 * nor what else it does decides.
 */
import { median } from "../../bench/children.ts";
import type { Band } from "../../bench/server.ts";
import type { Cost } from "../../bench/sides.ts";

export type Pair = { floor: Cost; service: Cost };

/** Multiples that a request without a key may cost, by what it answers. */
const MULTIPLES_MAX: Readonly<Partial<Record<Band, number>>> = {
  none: 1.3,
  about_20: 2,
  about_100: 2,
};

/** Of one turn. */
export function multipleOf({ floor, service }: Pair): number {
  return service.cpu_us / floor.cpu_us;
}

/** The bar of a row; null: it has none. */
export function barOf(band: Band, caller: "anonymous" | "keyed"): number | null {
  return caller === "anonymous" ? (MULTIPLES_MAX[band] ?? null) : null;
}

/** Whether the median turn costs more than the bar; `bar`: null, none. */
export function isDearer(pairs: readonly Pair[], bar: number | null): boolean {
  return bar !== null && median(pairs.map(multipleOf)) > bar;
}
