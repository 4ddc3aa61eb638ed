/** The thread of an import in tests: a section that counts, or one that never ends. */
import { workerData } from "node:worker_threads";
import { serveBaseImport } from "#osm/imports.ts";
import type { BaseSection } from "#osm/index.ts";
import { collect } from "./base.ts";

const { options } = workerData as { options: { id: string } };

await serveBaseImport((): BaseSection[] => {
  const { section } = collect({ node: ["name", "place"], way: ["building"], relation: ["type"] });
  if (options.id === "endless")
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
