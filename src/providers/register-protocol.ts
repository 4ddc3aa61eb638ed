/**
 * Sources that have registers, on their own: a thread that parses one document need not load what
 * every other source consists of (test/unit/providers/golden.test.ts compares it with the registry).
 */
import geodae from "#providers/geodae/index.ts";
import ocpi from "#providers/ocpi/index.ts";
import openaedmap from "#providers/openaedmap.ts";
import paris_opendata from "#providers/paris_opendata/index.ts";
import { type Source, toRegistry } from "#providers/source.ts";

export const REGISTER_SOURCES: readonly Source[] = [openaedmap, geodae, paris_opendata, ocpi];

/** A register that is read whole, by its id: what a thread is asked by. */
export function findRegister(id: string): ReturnType<typeof toRegistry> | undefined {
  return REGISTER_SOURCES.flatMap(
    (source) => source.registers?.readers.map((each) => toRegistry(source, each)) ?? [],
  ).find((register) => register.id === id);
}
