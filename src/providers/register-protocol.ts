/**
 * Sources that have registers, on their own: a thread that parses one document need not load what
 * every other source consists of (test/unit/providers/golden.test.ts compares it with the registry).
 */
import geodae from "#providers/geodae/index.ts";
import ocpi from "#providers/ocpi/index.ts";
import openaedmap from "#providers/openaedmap.ts";
import paris_opendata from "#providers/paris_opendata/index.ts";
import type { LiveState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import type { Registry } from "#providers/lookup.ts";
import { findShape } from "#providers/register-shapes.ts";
import { type Source, toRegistry } from "#providers/source.ts";

export const REGISTER_SOURCES: readonly Source[] = [openaedmap, geodae, paris_opendata, ocpi];

/** What a thread is asked by: the id of a register, or how its shape is found. */
export type ReaderKey = Pick<Registry<never>, "id" | "reader">;

type Opener = Pick<Registry<never, Place | LiveState>, "open" | "nextPage">;

/** How a document is opened, whatever its rows are; undefined: no reader has this key. */
export function findOpener({ id, reader }: ReaderKey): Opener | undefined {
  if (!reader) return findRegister(id);
  const shape = findShape(reader.shape);
  if (!shape) return undefined;
  const read = reader.half === "places" ? shape.readPlaces : shape.readStates;
  if (read === null) return undefined;
  const { nextPage } = shape;
  return { open: (body, options) => read(body, options), ...(nextPage && { nextPage }) };
}

/** A register that is read whole, by its id. */
function findRegister(id: string): ReturnType<typeof toRegistry> | undefined {
  return REGISTER_SOURCES.flatMap(
    (source) => source.registers?.readers.map((each) => toRegistry(source, each)) ?? [],
  ).find((register) => register.id === id);
}
