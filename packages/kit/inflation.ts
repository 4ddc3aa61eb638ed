/**
 * What compressed bytes of a stranger may become. Every file that is imported is under these bounds
 * (archives of timetables, extracts, lists of addresses, map tiles), and so is every answer of a
 * source: a ratio, which no honest file of its kind has, and a size. They are counted while bytes come
 * out, so that a bomb costs what it has delivered so far, and no more.
 */
import { problem } from "./problem.ts";

export type InflationBounds = {
  /** Unpacked bytes per packed byte. */
  ratio: number;
  /** Below it a ratio is harmless, and small files of repetitions do reach it. */
  ratio_from_bytes: number;
  /** Of all that comes out. */
  bytes: number;
};

export type Sizes = { packed: number; unpacked: number };
export type Excess = "ratio" | "bytes";

/** What these sizes exceed; null: nothing. */
export function findExcess(bounds: InflationBounds, { packed, unpacked }: Sizes): Excess | null {
  if (unpacked > bounds.bytes) return "bytes";
  if (unpacked <= bounds.ratio_from_bytes) return null;
  return unpacked > bounds.ratio * Math.max(1, packed) ? "ratio" : null;
}

/** Throws a `problem` in one line that begins with `what`. */
export function checkInflation(what: string, bounds: InflationBounds, sizes: Sizes): void {
  const excess = findExcess(bounds, sizes);
  if (excess !== null) throw beyond(what, bounds, excess);
}

/** Most bytes that may come out of packed ones: what is more exceeds a bound. */
export function mostUnpacked(bounds: InflationBounds, packed: number): number {
  const { ratio, ratio_from_bytes, bytes } = bounds;
  return Math.min(bytes, Math.max(ratio_from_bytes, ratio * packed));
}

/** Size that a file states for a part of it, and what came out is more than that. */
export function beyondStated(what: string): Error {
  return problem(`${what}: unpacks to more than it says`);
}

/** Counts what comes out of one file, part by part. */
export class Inflation {
  #packed = 0;
  #unpacked = 0;
  readonly #what: string;
  readonly #bounds: InflationBounds;

  constructor(what: string, bounds: InflationBounds) {
    this.#what = what;
    this.#bounds = bounds;
  }

  /** Adds a part; throws a `problem` as soon as all of them are beyond a bound. */
  add({ packed, unpacked }: Sizes): void {
    this.#packed += packed;
    this.#unpacked += unpacked;
    checkInflation(this.#what, this.#bounds, { packed: this.#packed, unpacked: this.#unpacked });
  }
}

function beyond(what: string, { ratio, bytes }: InflationBounds, excess: Excess): Error {
  const most = excess === "ratio" ? `${ratio} times its size` : `${bytes} bytes`;
  return problem(`${what}: unpacks to more than ${most}`);
}
