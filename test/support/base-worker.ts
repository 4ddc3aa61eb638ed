/** The thread of an import in tests: a section that counts, or one that never ends. */
import { serveBaseImport } from "#osm/imports.ts";
import type { BaseSection } from "#osm/index.ts";
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
