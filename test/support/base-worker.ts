/** The thread of an import in tests: a section that counts, or one that never ends. */
import { workerData } from "node:worker_threads";
import type { BaseSection } from "#osm/base/features.ts";
import { serveBaseImport } from "#osm/reader/thread.ts";
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
