/** The error of a store that cannot do what is wanted now (ports.ts, Accounts). */
import type { Failing } from "#storage/store-health.ts";

const CODE = "store_unavailable";

/** `failing`: why, where the store states it. Its health has reported it already. */
export function unavailable(
  what: string,
  { failing, cause }: { failing?: Failing | null; cause?: unknown } = {},
): Error {
  const why = failing ? `: ${failing.detail}` : "";
  const members = { code: CODE, reason: failing?.reason ?? null };
  return Object.assign(new Error(`${what}${why}`, { cause }), members);
}

/** Reports whether an error is of a store that is lost, which its health has reported. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === CODE;
}

/** Reports all else: a store that is lost has one line when it goes and one when it comes back (health.ts). */
export function unlessUnavailable(report: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!isUnavailable(error)) report(error);
  };
}
