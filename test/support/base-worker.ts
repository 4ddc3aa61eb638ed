/** The thread of an import in tests: a section that counts, or one that never ends. */
import type { BaseSection } from "#osm/base/features.ts";
import { serveBaseImport } from "#osm/reader/thread.ts";
import { collect } from "./base.ts";

serveBaseImport(({ id }): BaseSection[] => {
  const { section } = collect({ node: ["name", "place"], way: ["building"], relation: ["type"] });
  if (id === "endless")
    return [
      {
        ...section,
        *finish() {
          for (;;) yield;
        },
      },
    ];
  return [section];
});
