/** A thread of an import in tests: a section that counts, and by the id of the base one that fails. */
import { serveBaseImport } from "#osm/imports.ts";
import type { BaseSection } from "#osm/index.ts";
import { collect } from "./base.ts";

type Finish = BaseSection["finish"];

/** What sections of a page do instead of ending. */
const FAULTS: Readonly<Record<string, Finish>> = {
  *endless() {
    // Without processor time for its own sake.
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (;;) {
      Atomics.wait(never, 0, 0, 20);
      yield;
    }
  },
  *throws() {
    yield;
    throw new TypeError("a defect");
  },
  *exits() {
    yield;
    process.exit(3);
  },
  *heavy() {
    const all: number[][] = [];
    for (;;) {
      all.push(Array.from<number>({ length: 100_000 }).fill(all.length));
      yield;
    }
  },
};

serveBaseImport(({ id }): BaseSection[] => {
  const keys = { node: ["name", "place"], way: ["building"], relation: ["type"] };
  const { section } = collect(keys, "services");
  return [{ ...section, finish: FAULTS[id] ?? section.finish }];
});
